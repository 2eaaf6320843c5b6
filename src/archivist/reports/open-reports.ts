import type { Exchange } from '../../engine/exchange.ts';
import type { HistoryReader, Recorder } from '../../history/history.ts';
import type { PastSource } from '../past/replays.ts';
import { ClusterReports } from './cluster-reports.ts';
import type { Reports } from './report.ts';
import { ReportJobs } from './report-jobs.ts';
import type { ReportSource } from './report-source.ts';
import type { ReportStore } from './report-store.ts';
import type { SharedReports } from './shared-reports.ts';

/** The archive whose exchange and history the reports are about. */
interface ReportedArchive {
  readonly exchange: Exchange;
  readonly position: number;
}

export interface ReportOptions {
  readonly past?: PastSource | undefined;
  readonly history: Recorder;
  readonly reports?: ReportStore | undefined;
  /** The reports of all nodes of a cluster. */
  readonly sharedReports?: SharedReports | undefined;
  /** A monotonic clock, milliseconds. */
  readonly elapsedMs: () => number;
}

/** Returns the reports of an archive; undefined if it makes none. */
export function openReports(archive: ReportedArchive, options: ReportOptions): Reports | undefined {
  const { reports: store, sharedReports: shared, elapsedMs } = options;
  if (store === undefined) return undefined;
  const jobs = new ReportJobs({ source: openSource(archive, options), store, elapsedMs });
  return shared === undefined ? jobs : new ClusterReports(jobs, store, shared, elapsedMs);
}

/** Returns the state and the history of an archive. */
export function openSource(
  archive: ReportedArchive,
  { history, past }: Pick<ReportOptions, 'history' | 'past'>,
): ReportSource {
  return {
    state: archive.exchange.state,
    past,
    get position() {
      return archive.position;
    },
    read: <Answer>(work: (reader: HistoryReader) => Promise<Answer>) => history.read(work),
  };
}
