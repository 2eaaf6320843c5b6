import { HistoryUnavailableError } from '../../history/errors.ts';
import * as logger from '../../monitoring/logger.ts';
import { type Storage, writeAll } from '../../storage/storage.ts';
import {
  MAX_UNFINISHED_REPORTS,
  type Report,
  type ReportAnswer,
  type ReportFile,
  type ReportQuery,
  type ReportRefusal,
  type Reports,
  type ReportTerms,
} from './report.ts';
import type { ReportJobs } from './report-jobs.ts';
import { isUnfinished, type ReportStore } from './report-store.ts';
import { NOTE_EVERY_MS, type SharedReports } from './shared-reports.ts';

/** Size of the parts of a file in PostgreSQL: one takes some milliseconds. */
const PART_BYTES = 256 * 1024;
/** After PostgreSQL was unavailable, the next attempt waits this long. */
const RETRY_MS = 5000;

/**
 * The reports of a node of a cluster. It makes those that it was asked for, and lists, sends and removes those of all nodes.
 * A file is sent by a node that has it; the others fetch it from PostgreSQL first.
 */
export class ClusterReports implements Reports {
  /** Reports that this node makes, or has made and not yet stored for the others; undefined before the first step. */
  private own: Set<string> | undefined;
  private upload: AsyncGenerator<void> | undefined;
  private nextNoteAt = 0;
  private nextRenewalAt = 0;
  private downloads = 0;
  private wasUnavailable = false;

  constructor(
    private readonly jobs: ReportJobs,
    private readonly store: ReportStore,
    private readonly shared: SharedReports,
    /** A monotonic clock, milliseconds. */
    private readonly elapsedMs: () => number,
  ) {}

  begin(): void {
    this.jobs.begin();
  }

  get hasWork(): boolean {
    if (this.jobs.hasWork) return true;
    const isDue = this.elapsedMs() >= this.nextNoteAt;
    return isDue && (this.upload !== undefined || this.own?.size !== 0);
  }

  /** Takes a step of a report, and passes on what it changed. */
  async step(): Promise<void> {
    if (this.jobs.hasWork) {
      const unfinished = this.store.unfinished().length;
      await this.jobs.step();
      const hasFinished = this.store.unfinished().length < unfinished;
      if (hasFinished && !this.wasUnavailable) this.nextNoteAt = 0;
    }
    if (this.elapsedMs() < this.nextNoteAt) return;
    try {
      await this.passOn();
      this.wasUnavailable = false;
    } catch (error) {
      if (!this.wasUnavailable) {
        const { message } = error as Error;
        logger.warn(`Reports wait until they can be stored for the other nodes: ${message}`);
      }
      this.wasUnavailable = true;
      this.upload = undefined;
      this.nextNoteAt = this.elapsedMs() + RETRY_MS;
    }
  }

  async *answerInSteps(query: ReportQuery): AsyncGenerator<void, ReportAnswer> {
    if (query.kind === 'createReport') return await this.create(query.terms);
    if (query.kind === 'reports') {
      return (await this.shared.list(query.account)).map((report) => this.newest(report));
    }
    const { reportId, account } = query;
    const found = await this.shared.get(reportId);
    if (found === undefined) {
      // Another node has removed it.
      this.removeOwn(reportId);
      return undefined;
    }
    if (account !== undefined && found.account !== account) return undefined;
    if (query.kind === 'deleteReport') {
      await this.shared.remove(reportId);
      this.removeOwn(reportId);
      return found;
    }
    return yield* this.file(this.newest(found));
  }

  async close(): Promise<void> {
    await this.jobs.close();
    await this.shared.close();
  }

  private async create(terms: ReportTerms): Promise<Report | ReportRefusal> {
    // Otherwise the first step could take it for one that another node has removed, before it is added.
    const own = await this.loadOwn();
    const report = this.jobs.answer({ kind: 'createReport', terms }) as Report | ReportRefusal;
    if ('refusal' in report) return report;
    let isAdded = false;
    try {
      isAdded = await this.shared.add(report, MAX_UNFINISHED_REPORTS);
    } finally {
      if (!isAdded) this.removeOwn(report.reportId);
    }
    if (!isAdded) return { refusal: 'tooManyUnfinished' };
    own.add(report.reportId);
    return report;
  }

  /** Returns a report with the progress that this node has made since it noted it. */
  private newest(report: Report): Report {
    const own = this.store.get(report.reportId);
    return own !== undefined && isUnfinished(own) && isUnfinished(report) ? own : report;
  }

  private removeOwn(reportId: string): void {
    this.own?.delete(reportId);
    if (this.store.get(reportId) === undefined) return;
    this.jobs.answer({ kind: 'deleteReport', reportId });
  }

  /** Notes the progress of own reports, and takes a step of storing the file of a finished one. */
  private async passOn(): Promise<void> {
    const own = await this.loadOwn();
    if (this.upload !== undefined) {
      await this.renew(own);
      if (!(await this.upload.next()).done) return;
      this.upload = undefined;
    }
    for (const reportId of [...own]) {
      const report = this.store.get(reportId);
      if (report === undefined) own.delete(reportId);
      else if (report.status === 'done') {
        this.upload = this.storeFile(report);
        return;
      } else if (!(await this.shared.note(report))) this.removeOwn(reportId);
      else if (report.status === 'failed') own.delete(reportId);
    }
    this.nextNoteAt = this.elapsedMs() + NOTE_EVERY_MS;
  }

  private async loadOwn(): Promise<Set<string>> {
    if (this.own !== undefined) return this.own;
    const finished = await this.shared.finishedIds();
    const kept = this.store.list().map(({ reportId }) => reportId);
    // It may have been loaded in the meantime.
    this.own ??= new Set(kept.filter((reportId) => !finished.has(reportId)));
    return this.own;
  }

  /** Shows the other nodes that this one runs: storing a large file may take minutes. */
  private async renew(own: ReadonlySet<string>): Promise<void> {
    if (this.elapsedMs() < this.nextRenewalAt) return;
    for (const reportId of own) await this.shared.renew(reportId);
    this.nextRenewalAt = this.elapsedMs() + NOTE_EVERY_MS;
  }

  /** Stores a file in parts. The report is done for the other nodes once the last part is stored. */
  private async *storeFile(report: Report): AsyncGenerator<void> {
    const { reportId, finishedAt } = report;
    const { storage } = this.store;
    const file = storage.openForReading(this.store.filePath(report));
    try {
      const content = new Uint8Array(PART_BYTES);
      for (let part = 0, at = 0; at < report.bytes; part++) {
        const size = file.read(content, at);
        if (size === 0) throw new Error(`the file of the report ${reportId} was truncated`);
        await this.shared.writePart(reportId, part, content.subarray(0, size));
        at += size;
        yield;
      }
    } finally {
      file.close();
    }
    const isKept = await this.shared.note(report);
    if (isKept) this.own!.delete(reportId);
    else this.removeOwn(reportId);
    await this.shared.prune(finishedAt);
  }

  /** Returns the file of a report, which is fetched if this node lacks it; none of a report that is not done. */
  private async *file(report: Report): AsyncGenerator<void, ReportFile | undefined> {
    const path = this.store.filePath(report);
    const isHere = this.store.get(report.reportId)?.status === 'done';
    if (report.status === 'done' && !isHere) {
      const { storage } = this.store;
      const temporary = `${path}.${this.downloads++}.new`;
      if (!(yield* this.download(report, storage, temporary))) {
        storage.remove(temporary);
        return undefined;
      }
      storage.rename(temporary, path);
      this.store.put(report);
    }
    return { report, path };
  }

  /** @returns False if the report was removed in the meantime. */
  private async *download(
    { reportId, sha256 }: Report,
    storage: Storage,
    path: string,
  ): AsyncGenerator<void, boolean> {
    const hash = new Bun.CryptoHasher('sha256');
    const file = storage.create(path);
    try {
      for (let part = 0, at = 0; ; part++) {
        const content = await this.shared.readPart(reportId, part);
        if (content === undefined) break;
        writeAll(file, content, at);
        hash.update(content);
        at += content.length;
        yield;
      }
    } finally {
      file.close();
    }
    if (hash.digest('hex') === sha256) return true;
    if ((await this.shared.get(reportId)) === undefined) return false;
    throw new HistoryUnavailableError(
      `the stored file of the report ${reportId} is not what was made`,
    );
  }
}
