import type { Exchange } from '../../engine/exchange.ts';
import type { HistoryReader, Recorder } from '../../history/history.ts';
import type { PastSource } from '../past/replays.ts';
import { ReportJobs } from './report-jobs.ts';
import type { ReportStore } from './report-store.ts';

/** The archive whose exchange and history the reports are about. */
interface ReportedArchive {
  readonly exchange: Exchange;
  readonly position: number;
}

export interface ReportOptions {
  readonly past?: PastSource | undefined;
  readonly history: Recorder;
  readonly reports?: ReportStore | undefined;
  /** A monotonic clock, milliseconds. */
  readonly elapsedMs: () => number;
}

/** Returns the reports of an archive; undefined if it makes none. */
export function openReports(
  archive: ReportedArchive,
  { history, past, reports: store, elapsedMs }: ReportOptions,
): ReportJobs | undefined {
  if (store === undefined) return undefined;
  const source = {
    state: archive.exchange.state,
    past,
    get position() {
      return archive.position;
    },
    read: <Answer>(work: (reader: HistoryReader) => Promise<Answer>) => history.read(work),
  };
  return new ReportJobs({ source, store, elapsedMs });
}
