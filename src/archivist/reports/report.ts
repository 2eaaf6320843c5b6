/** Kinds of reports about one account. New ones are appended. */
export const reportKinds = [
  'orders',
  'fills',
  'ledger',
  'statement',
  'deposits',
  'withdrawals',
  'tax_fifo',
  'tax_average',
] as const;
export type ReportKind = (typeof reportKinds)[number];

/** Kinds of reports about the exchange as a whole. */
export const exchangeReportKinds = ['volume', 'revenue', 'users', 'market_quality'] as const;
export type ExchangeReportKind = (typeof exchangeReportKinds)[number];

/** Formats of files. Lists are CSV or JSON; a statement is a page for printing, or JSON. */
export const reportFormats = ['csv', 'json', 'html'] as const;
export type ReportFormat = (typeof reportFormats)[number];

export const reportStatuses = ['queued', 'running', 'done', 'failed'] as const;
export type ReportStatus = (typeof reportStatuses)[number];

/** The terms of a report, which covers the records of a period by the log's time, milliseconds since 1970. */
export interface ReportTerms {
  /** Index of the account; NONE for a report about the exchange. */
  readonly account: number;
  readonly kind: ReportKind | ExchangeReportKind;
  readonly format: ReportFormat;
  readonly from: number;
  /** The end, which is not included. */
  readonly to: number;
}

/** The terms of a report about an account. */
export interface AccountReportTerms extends ReportTerms {
  readonly kind: ReportKind;
}

export function isExchangeKind(kind: ReportTerms['kind']): kind is ExchangeReportKind {
  return (exchangeReportKinds as readonly string[]).includes(kind);
}

/** A report and its progress. */
export interface Report extends ReportTerms {
  readonly reportId: string;
  readonly status: ReportStatus;
  /** From 0 to 1. */
  readonly progress: number;
  /** The log's time of the request, milliseconds since 1970. */
  readonly createdAt: number;
  /** The last batch of the log at the request. */
  readonly createdIn: number;
  /** 0 until it is done or has failed. */
  readonly finishedAt: number;
  /** The last batch of the log that it includes; 0 before it runs. */
  readonly position: number;
  /** Records in the file; 0 until it is done. */
  readonly rows: number;
  /** Size of the file; 0 until it is done. */
  readonly bytes: number;
  /** SHA-256 of the file in hexadecimal; empty until it is done. */
  readonly sha256: string;
  /** Why it failed; empty otherwise. */
  readonly error: string;
}

/** A report whose file can be read. */
export interface ReportFile {
  readonly report: Report;
  readonly path: string;
}

/** A request to the reports of this node. */
export type ReportQuery =
  | { readonly kind: 'createReport'; readonly terms: ReportTerms }
  /** Newest first. @property account Undefined for all accounts. */
  | { readonly kind: 'reports'; readonly account?: number | undefined }
  | {
      readonly kind: 'reportFile';
      readonly reportId: string;
      readonly account?: number | undefined;
    }
  | {
      readonly kind: 'deleteReport';
      readonly reportId: string;
      readonly account?: number | undefined;
    };

/** Why a report was not created. */
export interface ReportRefusal {
  readonly refusal: 'tooManyUnfinished' | 'noDisk';
}

export type ReportAnswer = Report | Report[] | ReportFile | ReportRefusal | undefined;

/** The reports of a node. */
export interface Reports {
  /** Must be called once the archive has caught up with the log, before anything else. */
  begin(): void;
  /** Whether a step can be taken now. */
  readonly hasWork: boolean;
  /** Takes one step of some milliseconds. */
  step(): Promise<void>;
  /** Answers a request in steps; `undefined` if there is no such report. @throws HistoryUnavailableError */
  answerInSteps(query: ReportQuery): AsyncGenerator<void, ReportAnswer>;
  /** Unfinished reports begin again at the next start. */
  close(): Promise<void>;
}

/** Unfinished reports that an account may have. */
export const MAX_UNFINISHED_REPORTS = 4;
/** Finished reports that are kept for an account; the oldest is removed first. */
export const MAX_KEPT_REPORTS = 50;
/** Reports are removed after this time, milliseconds. */
export const MAX_REPORT_AGE_MS = 30 * 24 * 60 * 60 * 1000;

export function isReportQuery(query: { readonly kind: string }): query is ReportQuery {
  return REPORT_QUERIES.has(query.kind);
}

const REPORT_QUERIES: ReadonlySet<string> = new Set<ReportQuery['kind']>([
  'createReport',
  'reports',
  'reportFile',
  'deleteReport',
]);

/** Returns whether reports of this kind have this format. */
export function hasFormat(kind: ReportTerms['kind'], format: ReportFormat): boolean {
  return format === 'json' || (format === 'html') === (kind === 'statement');
}
