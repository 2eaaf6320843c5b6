import type { Database, Row } from '../../history/history.ts';
import { MAX_KEPT_REPORTS, MAX_REPORT_AGE_MS, type Report } from './report.ts';
import { isUnfinished, MAX_TOTAL_BYTES, MAX_TOTAL_REPORTS } from './report-store.ts';

/** The node that makes a report notes its progress at least this often, milliseconds. */
export const NOTE_EVERY_MS = 1000;
/** A node that has not noted the progress of a report for this long has stopped. */
const SILENCE_S = 30;

/** Bounds of the reports of all nodes, which tests make smaller. */
export interface SharedLimits {
  readonly totalBytes: number;
  readonly totalReports: number;
  readonly keptPerAccount: number;
  readonly ageMs: number;
  readonly silenceS: number;
}

const LIMITS: SharedLimits = {
  totalBytes: MAX_TOTAL_BYTES,
  totalReports: MAX_TOTAL_REPORTS,
  keptPerAccount: MAX_KEPT_REPORTS,
  ageMs: MAX_REPORT_AGE_MS,
  silenceS: SILENCE_S,
};

/**
 * The reports of all nodes of a cluster and their files, in the PostgreSQL of history, so that every node lists and sends
 * each of them. All methods throw HistoryUnavailableError while PostgreSQL cannot be reached.
 */
export class SharedReports {
  constructor(
    private readonly database: Database,
    private readonly limits: SharedLimits = LIMITS,
  ) {}

  /** Adds a report, unless its account has `most` unfinished ones. @returns Whether it was added. */
  add(report: Report, most: number): Promise<boolean> {
    return this.database.transaction(async (statements) => {
      // Another node may add one for the same account at the same time.
      await statements.run('LOCK TABLE reports IN SHARE ROW EXCLUSIVE MODE');
      const [row] = await statements.query(
        `SELECT COUNT(*) AS count FROM reports WHERE account = $1 AND is_finished = 0 AND ${this.isAlive}`,
        report.account,
      );
      if (Number(row!.count) >= most) return false;
      await statements.run(
        'INSERT INTO reports (id, account, created_at, is_finished, bytes, record) VALUES ($1, $2, $3, 0, 0, $4)',
        report.reportId,
        report.account,
        report.createdAt,
        JSON.stringify(report),
      );
      return true;
    });
  }

  /** Notes the state of a report that this node makes. @returns False if it has been removed. */
  async note(report: Report): Promise<boolean> {
    const { reportId, bytes } = report;
    const changed = await this.database.run(
      `UPDATE reports SET record = $1, is_finished = $2, bytes = $3, seen_at = clock_timestamp() WHERE id = $4`,
      JSON.stringify(report),
      Number(!isUnfinished(report)),
      bytes,
      reportId,
    );
    return changed > 0;
  }

  /** Notes that the node that makes a report still runs. */
  async renew(reportId: string): Promise<void> {
    await this.database.run(
      'UPDATE reports SET seen_at = clock_timestamp() WHERE id = $1',
      reportId,
    );
  }

  /** Returns reports, newest first. @param account Undefined for those of all accounts. */
  async list(account?: number): Promise<Report[]> {
    const ofAccount = account === undefined ? '' : 'WHERE account = $1';
    const rows = await this.database.query(
      `SELECT record, ${this.isSilent} FROM reports ${ofAccount} ORDER BY created_at DESC, id DESC`,
      ...(account === undefined ? [] : [account]),
    );
    return rows.map(readReport);
  }

  /** Returns the ids of those that are done or have failed. */
  async finishedIds(): Promise<Set<string>> {
    const rows = await this.database.query('SELECT id FROM reports WHERE is_finished = 1');
    return new Set(rows.map(({ id }) => String(id)));
  }

  async get(reportId: string): Promise<Report | undefined> {
    const rows = await this.database.query(
      `SELECT record, ${this.isSilent} FROM reports WHERE id = $1`,
      reportId,
    );
    return rows.map(readReport)[0];
  }

  /** Removes a report and its file. */
  async remove(reportId: string): Promise<void> {
    await this.database.run('DELETE FROM reports WHERE id = $1', reportId);
  }

  /** Stores a part of a file, unless the report has been removed. @param part Parts are counted from 0. */
  async writePart(reportId: string, part: number, content: Uint8Array): Promise<void> {
    await this.database.run(
      `INSERT INTO report_parts (report, part, content)
        SELECT id, CAST($1 AS INTEGER), DECODE($2, 'base64') FROM reports WHERE id = $3 FOR KEY SHARE
        ON CONFLICT (report, part) DO UPDATE SET content = EXCLUDED.content`,
      part,
      Buffer.from(content).toString('base64'),
      reportId,
    );
  }

  /** Returns a part of a file; undefined after the last one. */
  async readPart(reportId: string, part: number): Promise<Uint8Array | undefined> {
    const [row] = await this.database.query(
      `SELECT ENCODE(content, 'base64') AS content FROM report_parts WHERE report = $1 AND part = $2`,
      reportId,
      part,
    );
    return row && Buffer.from(String(row.content), 'base64');
  }

  /** Removes reports that are too old, and finished ones that are too many, oldest first. @param now The log's time. */
  async prune(now: number): Promise<void> {
    const { totalBytes, totalReports, keptPerAccount, ageMs } = this.limits;
    await this.database.run(
      `DELETE FROM reports WHERE created_at < $1 OR id IN (
        SELECT id FROM (
          SELECT id,
            ROW_NUMBER() OVER (PARTITION BY account ORDER BY created_at DESC, id DESC) AS place,
            ROW_NUMBER() OVER (ORDER BY created_at DESC, id DESC) AS place_of_all,
            SUM(bytes) OVER (ORDER BY created_at DESC, id DESC) AS total
          FROM reports WHERE is_finished = 1
        ) AS finished WHERE place > $2 OR total > $3 OR place_of_all > $4)`,
      now - ageMs,
      keptPerAccount,
      totalBytes,
      totalReports,
    );
  }

  async close(): Promise<void> {
    await this.database.close();
  }

  private get isAlive(): string {
    return `seen_at > clock_timestamp() - INTERVAL '${this.limits.silenceS} seconds'`;
  }

  private get isSilent(): string {
    return `CASE WHEN is_finished = 1 OR ${this.isAlive} THEN 0 ELSE 1 END AS is_silent`;
  }
}

function readReport(row: Row): Report {
  const report = JSON.parse(String(row.record)) as Report;
  if (Number(row.is_silent) === 0) return report;
  return { ...report, status: 'failed', error: 'Its node has stopped. Create it again.' };
}
