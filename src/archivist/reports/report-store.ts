import { join } from 'node:path';
import * as logger from '../../monitoring/logger.ts';
import { readAll, type Storage, writeAll } from '../../storage/storage.ts';
import { MAX_KEPT_REPORTS, MAX_REPORT_AGE_MS, type Report } from './report.ts';

/** Maximum size of the files of all reports. */
export const MAX_TOTAL_BYTES = 8 * 1024 ** 3;
/** Maximum number of reports of all accounts. */
export const MAX_TOTAL_REPORTS = 10_000;

const RECORD = /^([0-9a-f]{24})\.report$/;

/** Bounds of a store, which tests make smaller. */
export interface StoreLimits {
  readonly totalBytes: number;
  readonly totalReports: number;
  readonly keptPerAccount: number;
  readonly ageMs: number;
}

const LIMITS: StoreLimits = {
  totalBytes: MAX_TOTAL_BYTES,
  totalReports: MAX_TOTAL_REPORTS,
  keptPerAccount: MAX_KEPT_REPORTS,
  ageMs: MAX_REPORT_AGE_MS,
};

/**
 * The records of reports and their files in one directory. Reports are derived from the log and history, so nothing here is
 * a command: what is lost can be made again.
 */
export class ReportStore {
  /** Oldest first. */
  private readonly reports = new Map<string, Report>();
  private readonly unfinishedIds = new Set<string>();

  constructor(
    readonly storage: Storage,
    readonly directory: string,
    private readonly limits: StoreLimits = LIMITS,
  ) {}

  /** Reads the records of a directory, and removes what is incomplete. */
  async open(): Promise<void> {
    const { storage, directory } = this;
    await storage.makeDirectory(directory);
    const names = storage.list(directory);
    const found: Report[] = [];
    for (const name of names) if (RECORD.test(name)) found.push(...this.readRecord(name));
    found.sort((a, b) => a.createdAt - b.createdAt || (a.reportId < b.reportId ? -1 : 1));
    for (const report of found) this.note(report);
    const known = new Set(found.flatMap((report) => [fileName(report), recordName(report)]));
    for (const name of names) if (!known.has(name)) storage.remove(join(directory, name));
    for (const report of found) {
      if (report.status === 'done' && !names.includes(fileName(report))) {
        this.put({ ...report, status: 'failed', error: 'Its file is missing. Create it again.' });
      }
    }
  }

  /** Removes the reports from after a position: a sandbox has returned to a moment before them. */
  removeAfter(position: number): void {
    for (const report of this.list()) if (report.createdIn > position) this.remove(report);
  }

  get(reportId: string): Report | undefined {
    return this.reports.get(reportId);
  }

  /** Returns reports, newest first. @param account Undefined for those of all accounts. */
  list(account?: number): Report[] {
    return [...this.reports.values()]
      .filter((report) => account === undefined || report.account === account)
      .reverse();
  }

  /** Returns those that are not finished, oldest first. */
  unfinished(): Report[] {
    return Array.from(this.unfinishedIds, (reportId) => this.reports.get(reportId)!);
  }

  filePath(report: Report): string {
    return join(this.directory, fileName(report));
  }

  /** Stores the record of a report, durable against the end of the process. */
  put(report: Report): void {
    this.note(report);
    const { storage, directory } = this;
    const path = join(directory, recordName(report));
    const temporary = `${path}.new`;
    if (storage.list(directory).includes(`${recordName(report)}.new`)) storage.remove(temporary);
    const file = storage.create(temporary);
    try {
      writeAll(file, Buffer.from(JSON.stringify(report)), 0);
    } finally {
      file.close();
    }
    storage.rename(temporary, path);
  }

  /** Changes a record in memory only, such as its progress. */
  note(report: Report): void {
    this.reports.set(report.reportId, report);
    if (isUnfinished(report)) this.unfinishedIds.add(report.reportId);
    else this.unfinishedIds.delete(report.reportId);
  }

  remove(report: Report): void {
    this.reports.delete(report.reportId);
    this.unfinishedIds.delete(report.reportId);
    const names = new Set(this.storage.list(this.directory));
    for (const name of [fileName(report), recordName(report)]) {
      if (names.has(name)) this.storage.remove(join(this.directory, name));
    }
  }

  /** Removes finished reports that are too old or too many, oldest first. @param now The log's time. */
  prune(now: number): void {
    const { totalBytes, totalReports, keptPerAccount, ageMs } = this.limits;
    const perAccount = new Map<number, number>();
    let bytes = 0;
    let count = 0;
    // Newest first, so that the oldest are those over a limit.
    for (const report of this.list()) {
      count++;
      bytes += report.bytes;
      if (isUnfinished(report)) continue;
      const kept = (perAccount.get(report.account) ?? 0) + 1;
      perAccount.set(report.account, kept);
      const isOver = kept > keptPerAccount || bytes > totalBytes || count > totalReports;
      if (isOver || now - report.createdAt > ageMs) this.remove(report);
    }
  }

  private readRecord(name: string): Report[] {
    try {
      const text = Buffer.from(readAll(this.storage, join(this.directory, name))).toString();
      return [JSON.parse(text) as Report];
    } catch (error) {
      logger.warn(`The record of the report ${name} cannot be read and is removed: ${error}`);
      return [];
    }
  }
}

export function isUnfinished({ status }: Report): boolean {
  return status === 'queued' || status === 'running';
}

function recordName({ reportId }: Report): string {
  return `${reportId}.report`;
}

function fileName({ reportId, format }: Report): string {
  return `${reportId}.${format}`;
}
