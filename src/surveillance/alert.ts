import type { OrderRecord, TradeEvent } from '../engine/event.ts';
import { NONE } from '../engine/terms.ts';

/** The kinds of conduct that detectors look for, in the order in which they run. */
export const detectorNames = [
  'wash_trading',
  'spoofing',
  'quote_stuffing',
  'marking_the_close',
  'pump',
] as const;
export type DetectorName = (typeof detectorNames)[number];

/** The harm of a conduct to other users, from the least. */
export const severities = ['low', 'medium', 'high'] as const;
export type Severity = (typeof severities)[number];

/** Severity by detector: patterns that move prices harm other users most. */
export const SEVERITIES: Readonly<Record<DetectorName, Severity>> = {
  wash_trading: 'medium',
  spoofing: 'medium',
  quote_stuffing: 'low',
  marking_the_close: 'high',
  pump: 'high',
};

/** The thresholds of each detector: integers that `GET /api/admin/alerts` returns and the operator page explains. */
export const PARAMETERS = {
  wash_trading: {
    /** Maximum age of the older order of a prearranged trade. */
    maxAgeMs: 5_000,
    minTrades: 6,
    minTradesPerDirection: 2,
    /** Maximum difference between what went one way and the other, percent of both together. */
    maxNetPercent: 20,
  },
  spoofing: {
    /** Maximum age of a withdrawn order at the time of the trade. */
    maxAgeMs: 10_000,
    /** An order is withdrawn because of a trade if it is canceled this long after the trade at most. */
    maxReactionMs: 2_000,
    minOrders: 4,
    minRounds: 2,
    /** Minimum ratio of the amount withdrawn to the amount traded on the other side. */
    minRatio: 5,
    /** Minimum ratio of the amount placed on that side to the amount placed on the other: makers quote both. */
    minBias: 4,
    /** Minimum ratio of the amount traded on the other side to that traded on this one: makers trade on both. */
    minTradedBias: 4,
  },
  quote_stuffing: {
    /** An order that is canceled this soon was hardly there to be traded with. */
    maxLifeMs: 500,
    minOrders: 500,
    /** Minimum number of such orders per order that was filled. */
    minPerFilled: 100,
  },
  marking_the_close: { minMoveBasisPoints: 100, minSharePercent: 50, minTrades: 3 },
  pump: {
    minRisePercent: 10,
    /** Minimum share of what one user bought in the market's volume. */
    minSharePercent: 30,
    /** Minimum part of it that the user sold again. */
    minSoldPercent: 50,
    /** Minimum difference of the average prices of both. */
    minGainPercent: 2,
  },
} as const satisfies Readonly<Record<DetectorName, Readonly<Record<string, number>>>>;

/** States of an alert's case: without an operator who investigates, with one, and closed. */
export const caseStatuses = ['open', 'assigned', 'closed'] as const;
export type CaseStatus = (typeof caseStatuses)[number];

/** Returns the state of a case. @param review Its latest review, undefined before the first */
export function caseStatus(
  review: { readonly isClosed: boolean; readonly assignee: number } | undefined,
): CaseStatus {
  if (review === undefined) return 'open';
  if (review.isClosed) return 'closed';
  return review.assignee === NONE ? 'open' : 'assigned';
}

/** A command in the log. */
export interface Place {
  /** Sequence of its batch. */
  readonly sequence: number;
  /** Its index in the batch. */
  readonly index: number;
  /** The log's time, milliseconds since 1970. */
  readonly time: number;
}

/** Conduct that an operator should look at. It is evidence of a pattern, not of an intention. */
export interface Alert {
  /** The same at every replay: the detector, the market, the owners and the first command cited. */
  readonly id: string;
  readonly detector: DetectorName;
  /** Index of the market. */
  readonly market: number;
  /** Indexes of the main accounts of the users concerned. */
  readonly owners: readonly number[];
  /** The first and the last command that show the pattern. */
  readonly from: Place;
  readonly to: Place;
  /** The counts that led to the alert: integers, by names that docs/operating/surveillance.md explains. */
  readonly figures: Readonly<Record<string, number>>;
}

/** A pattern that a detector found when its window ended. */
export type Finding = Omit<Alert, 'id' | 'detector'>;

/**
 * Looks for one kind of conduct in windows that follow each other and begin at multiples of `windowMs`. What it finds
 * depends on the events of the window, and on the last price of each market before it.
 */
export interface Detector {
  readonly name: DetectorName;
  readonly windowMs: number;
  /** Reads the order records of a command. */
  readOrders?(orders: readonly OrderRecord[], place: Place): void;
  /** Reads the trades of a command that had some, after the order records. */
  readTrades?(trades: readonly TradeEvent[], orders: readonly OrderRecord[], place: Place): void;
  /** Returns what the window has shown, and begins the next one. */
  endWindow(): Finding[];
  /** Returns what it has counted, for JSON. */
  save(): unknown;
  /** Continues with what an equal detector has saved. */
  restore(saved: unknown): void;
}

/** The format of detectors' states, and of what they count: a detector that changes raises it. */
export const DETECTORS_VERSION = 1;

/** A detector as it is stored, so that it continues after a restart. */
export interface DetectorRecord {
  readonly name: DetectorName;
  readonly version: number;
  /** The last batch that it has read. */
  readonly readTo: number;
  /** End of its window, milliseconds since 1970. */
  readonly endsAt: number;
  /** The batch at which it failed; 0 if it runs. */
  readonly failedAt: number;
  /** The message of its error; '' if it runs. */
  readonly failure: string;
  /** The counts of its window, as JSON. */
  readonly state: string;
}

/** An alert, and where it was found: the command that ended its window. */
export interface FoundAlert extends Alert {
  /** Sequence of the batch. */
  readonly foundIn: number;
  /** Index among the alerts of the batch, from 0. */
  readonly foundIndex: number;
}

/** Returns the index of the main account of an account's group: one user owns the group. */
export type FindOwner = (account: number) => number;

/** Names an alert by what stays the same at every replay. */
export function toAlert(detector: DetectorName, finding: Finding): Alert {
  const { market, owners, from } = finding;
  const id = `${detector}-${from.sequence}-${from.index}-${market}-${owners.join('-')}`;
  return { id, detector, ...finding };
}
