import type { Event } from '../engine/event.ts';
import type { Exchange } from '../engine/exchange.ts';
import { findOwner } from '../engine/ledger/accounts.ts';
import type { Recorder } from '../history/history.ts';
import * as logger from '../monitoring/logger.ts';
import {
  type Alert,
  DETECTORS_VERSION,
  type DetectorName,
  type DetectorRecord,
  detectorNames,
  type Place,
} from '../surveillance/alert.ts';
import {
  type Coverage,
  createDetectors,
  type DetectorWindow,
  Surveillance,
} from '../surveillance/surveillance.ts';

/** Cursors of pages have room for so many; more would concern as many users at the same moment. */
export const MAX_ALERTS_PER_BATCH = 2 ** 16;

/** The numbers of alerts that a node has found since it started, and the detectors that are off. */
export interface WatchStatus {
  readonly alerts: Readonly<Record<DetectorName, number>>;
  readonly failures: readonly DetectorFailure[];
}

/** The query for the work of the detectors. */
export type DetectionQuery = { readonly kind: 'detection' };

/** The work of a node's detectors. */
export interface Detection extends WatchStatus {
  /** The commands that they have read since the node started. */
  readonly coverage: Coverage;
  /** The last batch that they have read. */
  readonly readTo: number;
  /** The detectors that run. */
  readonly windows: readonly DetectorWindow[];
}

export interface DetectorFailure {
  readonly detector: DetectorName;
  /** Sequence of the batch at which it failed. */
  readonly position: number;
  readonly reason: string;
}

export interface WatchOptions {
  readonly history: Pick<Recorder, 'detectors' | 'resumesFrom' | 'watch' | 'addAlert'>;
  /** Creates the detectors; default: all. */
  readonly detectors?: typeof createDetectors | undefined;
  /**
   * Ids of main accounts that may trade with each other, such as the exchange's own market makers: alerts that concern
   * only them are not recorded. Default: none.
   */
  readonly exemptAccounts?: readonly string[] | undefined;
  readonly warn?: (message: string) => void;
}

/**
 * Runs the detectors of surveillance on the batches that an archive applies, and gives their alerts and states to history.
 * The states that history holds are those after one of its batches, from which they are continued.
 */
export class Watch {
  private surveillance: Surveillance;
  private failed: DetectorRecord[] = [];
  /** The last batch that the detectors have read. */
  private readTo: number;
  private readonly counts: Record<DetectorName, number>;
  /** Whether history records the alerts of the present batch: those of earlier ones it has. */
  private isNew = false;
  private foundIn = 0;
  private foundIndex = 0;
  private reported: WatchStatus | undefined;

  /** @param start The last batch in the exchange's state. */
  constructor(
    private readonly exchange: Exchange,
    start: number,
    private readonly options: WatchOptions,
  ) {
    const { history } = options;
    this.counts = Object.fromEntries(detectorNames.map((name) => [name, 0])) as typeof this.counts;
    this.surveillance = this.create();
    const records = history.detectors();
    const resumed = history.resumesFrom();
    this.readTo = Math.max(start, resumed);
    if (start > resumed && records.length > 0) {
      this.warn(
        `Surveillance begins with empty windows after batch ${start}: no snapshot is as old as the state of its detectors, batch ${resumed}.`,
      );
    } else this.restore(records);
    history.watch(() => this.save());
  }

  /** Reads the events of a command, unless the detectors have read its batch before they were stored. */
  read(place: Place, events: readonly Event[], isNew: boolean): void {
    const { sequence } = place;
    if (sequence <= this.readTo) return;
    if (sequence !== this.foundIn) {
      this.foundIn = sequence;
      this.foundIndex = 0;
    }
    this.isNew = isNew;
    this.surveillance.read(place, events);
  }

  endBatch(sequence: number): void {
    if (sequence > this.readTo) this.readTo = sequence;
  }

  /** Returns the detectors' states after the last batch. */
  save(): DetectorRecord[] {
    const { readTo } = this;
    const failed = this.failed.map((record) => ({ ...record, readTo }));
    return [...this.surveillance.save(readTo), ...failed];
  }

  /** Returns the status if it differs from the one returned before. */
  takeStatus(): WatchStatus | undefined {
    if (this.reported !== undefined) return undefined;
    this.reported = this.status;
    return this.reported;
  }

  get status(): WatchStatus {
    return {
      alerts: { ...this.counts },
      failures: this.failed.map(({ name, failedAt, failure }) => ({
        ...{ detector: name, position: failedAt, reason: failure },
      })),
    };
  }

  get detection(): Detection {
    const { coverage, windows } = this.surveillance;
    return { ...this.status, coverage, windows, readTo: this.readTo };
  }

  /** Continues with saved states, which replace those of this watch. */
  restore(records: readonly DetectorRecord[]): void {
    this.surveillance = this.create();
    this.surveillance.restore(records);
    this.failed = records.filter(({ failedAt }) => failedAt > 0);
    this.reported = undefined;
    for (const { name, failedAt, failure } of this.failed) this.warnOff(name, failedAt, failure);
  }

  private create(): Surveillance {
    const { detectors = createDetectors } = this.options;
    const { accounts } = this.exchange.state;
    return new Surveillance(
      detectors((account) => findOwner(accounts, account)),
      {
        onAlert: (alert) => this.noteAlert(alert),
        onFailure: (name, error, place) => this.noteFailure(name, error, place),
      },
    );
  }

  private noteAlert(alert: Alert): void {
    if (!this.isNew || this.foundIndex === MAX_ALERTS_PER_BATCH || this.isExempt(alert)) return;
    this.counts[alert.detector]++;
    this.reported = undefined;
    const { foundIn } = this;
    this.options.history.addAlert({ ...alert, foundIn, foundIndex: this.foundIndex++ });
  }

  private isExempt({ owners }: Alert): boolean {
    const { exemptAccounts = [] } = this.options;
    const { accounts } = this.exchange.state;
    return owners.every((owner) => exemptAccounts.includes(accounts[owner]!.id));
  }

  private noteFailure(name: DetectorName, { message }: Error, { sequence }: Place): void {
    const off = { failedAt: sequence, failure: message, endsAt: 0, state: '' };
    this.failed.push({ name, version: DETECTORS_VERSION, readTo: sequence, ...off });
    this.reported = undefined;
    this.warnOff(name, sequence, message);
  }

  private warnOff(name: DetectorName, failedAt: number, reason: string): void {
    this.warn(
      `The detector ${name} of surveillance failed at batch ${failedAt} and is off: ${reason}. The others and trading continue. ` +
        'Report the error; a release with a changed detector begins it again.',
    );
  }

  private warn(message: string): void {
    const { warn = logger.warn } = this.options;
    warn(message);
  }
}
