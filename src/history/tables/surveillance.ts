import { NONE } from '../../engine/terms.ts';
import type { DetectorName, DetectorRecord, FoundAlert } from '../../surveillance/alert.ts';
import type { Row, Table } from '../database/database.ts';
import { bigint, Columns, integer, jsonOrNull, text } from './columns.ts';

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
