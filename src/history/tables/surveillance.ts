import { type Command, CommandKind } from '../../engine/command.ts';
import { findExecuted, findResult, type Outcome } from '../../engine/event.ts';
import { NONE } from '../../engine/terms.ts';
import type { DetectorName, DetectorRecord, FoundAlert } from '../../surveillance/alert.ts';
import type { Row, Table } from '../database/database.ts';
import { bigint, Columns, flag, integer, jsonOrNull, text } from './columns.ts';

/** An alert as stored. It concerns one user or two. */
interface StoredAlert {
  readonly id: string;
  readonly detector: DetectorName;
  readonly market: number;
  readonly owner: number;
  /** NONE if the alert concerns one user. */
  readonly partner: number;
  readonly fromSequence: number;
  readonly fromIndex: number;
  readonly fromTime: number;
  readonly toSequence: number;
  readonly toIndex: number;
  readonly toTime: number;
  readonly figures: FoundAlert['figures'] | null;
  readonly foundIn: number;
  readonly foundIndex: number;
}

const alertColumns = new Columns<StoredAlert>({
  id: text('id'),
  detector: text<DetectorName>('detector'),
  market: integer('market'),
  owner: integer('owner'),
  partner: integer('partner'),
  fromSequence: bigint('from_sequence'),
  fromIndex: integer('from_index'),
  fromTime: bigint('from_time'),
  toSequence: bigint('to_sequence'),
  toIndex: integer('to_index'),
  toTime: bigint('to_time'),
  figures: jsonOrNull<FoundAlert['figures']>('figures'),
  foundIn: bigint('found_in'),
  foundIndex: integer('found_index'),
});

/** Alerts of surveillance; rows never change. */
export const alertsTable: Table<FoundAlert> = {
  name: 'alerts',
  columns: alertColumns.all,
  write: (alert, values, at) => alertColumns.write(toStored(alert), values, at),
};

function toStored({ owners, from, to, ...rest }: FoundAlert): StoredAlert {
  return {
    ...rest,
    ...{ owner: owners[0]!, partner: owners[1] ?? NONE },
    ...{ fromSequence: from.sequence, fromIndex: from.index, fromTime: from.time },
    ...{ toSequence: to.sequence, toIndex: to.index, toTime: to.time },
  };
}

export function readAlert(row: Row): FoundAlert {
  const { owner, partner, figures, ...stored } = alertColumns.read(row);
  const { id, detector, market, foundIn, foundIndex } = stored;
  const { fromSequence, fromIndex, fromTime, toSequence, toIndex, toTime } = stored;
  return {
    ...{ id, detector, market, figures: figures ?? {}, foundIn, foundIndex },
    owners: partner === NONE ? [owner] : [owner, partner],
    from: { sequence: fromSequence, index: fromIndex, time: fromTime },
    to: { sequence: toSequence, index: toIndex, time: toTime },
  };
}

const detectorColumns = new Columns<DetectorRecord>({
  name: text<DetectorName>('name'),
  version: integer('version'),
  readTo: bigint('read_to'),
  endsAt: bigint('ends_at'),
  failedAt: bigint('failed_at'),
  failure: text('failure'),
  state: text('state'),
});

/** The detectors' states after a batch. */
export const detectorsTable: Table<DetectorRecord> = {
  name: 'detectors',
  columns: detectorColumns.all,
  replaces: ['name'],
  write: (record, values, at) => detectorColumns.write(record, values, at),
};

export function readDetector(row: Row): DetectorRecord {
  return detectorColumns.read(row);
}

/** A review of an alert, which also is its case as of then. */
export interface AlertReview {
  /** Id of the alert. */
  readonly alert: string;
  /** Position in the log: batch, and index in the batch from 0. */
  readonly sequence: number;
  readonly index: number;
  readonly time: number;
  /** Indexes of the reviewer's account and key, NONE for the process itself or a session. */
  readonly account: number;
  readonly key: number;
  /** Id of the signed-in user; empty for a key. */
  readonly user: string;
  readonly isClosed: boolean;
  /** Index of the account of the operator who investigates; NONE for no one. */
  readonly assignee: number;
  readonly note: string;
}

const reviewColumns = new Columns<AlertReview>({
  alert: text('alert'),
  sequence: bigint('sequence'),
  index: integer('command_index'),
  time: bigint('time'),
  account: integer('account'),
  key: integer('key'),
  // "user" is a keyword of PostgreSQL.
  user: text('user_id'),
  isClosed: flag('is_closed'),
  assignee: integer('assignee'),
  note: text('note'),
});

/** All reviews of alerts; rows never change. */
export const alertReviewsTable: Table<AlertReview> = {
  name: 'alert_reviews',
  columns: reviewColumns.all,
  write: (review, values, at) => reviewColumns.write(review, values, at),
};

/** The cases of alerts that were reviewed: the latest review of each. */
export const alertCasesTable: Table<AlertReview> = {
  ...alertReviewsTable,
  name: 'alert_cases',
  replaces: ['alert'],
};

export function readReview(row: Row): AlertReview {
  return reviewColumns.read(row);
}

/** Returns the review that a command made, also one that was approved; undefined for other commands and rejected ones. */
export function toReview(
  { sequence, index, time }: Pick<AlertReview, 'sequence' | 'index' | 'time'>,
  command: Command,
  outcome: Outcome,
): AlertReview | undefined {
  const executed = findExecuted(command, outcome);
  if (executed.kind !== CommandKind.reviewAlert) return undefined;
  if (findResult(outcome).kind !== 'done') return undefined;
  const { kind: _, ...review } = executed;
  return { ...review, sequence, index, time };
}

/** Returns the latest review of each alert, of reviews in the order of the log. */
export function latestReviews(reviews: Iterable<AlertReview>): Map<string, AlertReview> {
  const latest = new Map<string, AlertReview>();
  for (const review of reviews) latest.set(review.alert, review);
  return latest;
}
