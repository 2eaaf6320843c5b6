import type { Event, OrderRecord, TradeEvent } from '../engine/event.ts';
import {
  type Alert,
  DETECTORS_VERSION,
  type Detector,
  type DetectorName,
  type DetectorRecord,
  detectorNames,
  type FindOwner,
  type Place,
  toAlert,
} from './alert.ts';
import { MarkingTheClose } from './detectors/marking-the-close.ts';
import { Pump } from './detectors/pump.ts';
import { QuoteStuffing } from './detectors/quote-stuffing.ts';
import { Spoofing } from './detectors/spoofing.ts';
import { WashTrading } from './detectors/wash-trading.ts';

export { type Alert, type DetectorName, detectorNames } from './alert.ts';

const DETECTORS: Readonly<Record<DetectorName, new (findOwner: FindOwner) => Detector>> = {
  wash_trading: WashTrading,
  spoofing: Spoofing,
  quote_stuffing: QuoteStuffing,
  marking_the_close: MarkingTheClose,
  pump: Pump,
};

export function createDetectors(findOwner: FindOwner, names = detectorNames as readonly string[]) {
  return detectorNames
    .filter((name) => names.includes(name))
    .map((name) => new DETECTORS[name](findOwner));
}

export interface SurveillanceOptions {
  readonly onAlert: (alert: Alert) => void;
  /** Called once for a detector that has failed and is no longer used; the others continue. */
  readonly onFailure: (detector: DetectorName, error: Error, place: Place) => void;
}

/** The commands that the detectors have read since the process started. */
export interface Coverage {
  /** Log times of the first and the last command, milliseconds; 0 before the first. */
  readonly from: number;
  readonly to: number;
  /** Number of changes of orders. */
  readonly orders: number;
  readonly trades: number;
}

/** The window that a running detector counts in. */
export interface DetectorWindow {
  readonly name: DetectorName;
  readonly windowMs: number;
  /** End of the window, milliseconds since 1970; 0 before the first command. */
  readonly endsAt: number;
}

/** A detector, and the end of its window. */
interface Running {
  readonly detector: Detector;
  endsAt: number;
}

/**
 * Runs detectors over the events of commands in the order of the log. It only reads them, so that the same log always
 * gives the same alerts.
 */
export class Surveillance {
  private readonly running: Running[];
  /** The earliest end of a window. */
  private nextEnd = 0;
  private last: Place = { sequence: 0, index: 0, time: 0 };
  private readonly counted = { from: 0, orders: 0, trades: 0 };
  // Reused from command to command.
  private readonly orders: OrderRecord[] = [];
  private readonly trades: TradeEvent[] = [];

  constructor(
    detectors: readonly Detector[],
    private readonly options: SurveillanceOptions,
  ) {
    this.running = detectors.map((detector) => ({ detector, endsAt: 0 }));
  }

  /** Reads the events of a command. Of one that caused none only the time matters. */
  read(place: Place, events: readonly Event[]): void {
    this.last = place;
    if (this.counted.from === 0) this.counted.from = place.time;
    if (place.time >= this.nextEnd) this.endWindows(place.time);
    if (events.length === 0) return;
    const { orders, trades } = this;
    orders.length = 0;
    trades.length = 0;
    for (const event of events) {
      if (event.kind === 'order') orders.push(event);
      else if (event.kind === 'trade') trades.push(event);
    }
    this.counted.orders += orders.length;
    this.counted.trades += trades.length;
    if (orders.length > 0) this.readChanges(place);
  }

  get coverage(): Coverage {
    return { ...this.counted, to: this.last.time };
  }

  /** The detectors that run, in their order. */
  get windows(): DetectorWindow[] {
    return this.running.map(({ detector: { name, windowMs }, endsAt }) => ({
      ...{ name, windowMs, endsAt },
    }));
  }

  /** Returns the state of each detector after batch `readTo`; those that have failed are left out. */
  save(readTo: number): DetectorRecord[] {
    return this.running.map(({ detector, endsAt }) => ({
      ...{
        name: detector.name,
        version: DETECTORS_VERSION,
        readTo,
        endsAt,
        failedAt: 0,
        failure: '',
      },
      state: JSON.stringify(detector.save()),
    }));
  }

  /** Continues as the saved detectors, before anything is read. Those that had failed stay off. */
  restore(records: readonly DetectorRecord[]): void {
    for (const { name, failedAt, endsAt, state } of records) {
      const at = this.running.findIndex(({ detector }) => detector.name === name);
      if (at < 0) continue;
      if (failedAt > 0) this.running.splice(at, 1);
      else {
        this.running[at]!.detector.restore(JSON.parse(state));
        this.running[at]!.endsAt = endsAt;
      }
    }
    this.nextEnd = Math.min(...this.running.map(({ endsAt }) => endsAt));
  }

  /** Ends all windows, at the end of what there is to read. */
  end(): void {
    this.endWindows(Number.POSITIVE_INFINITY);
  }

  /** Trades always come with the records of their orders. */
  private readChanges(place: Place): void {
    const { running, orders, trades } = this;
    for (let i = 0; i < running.length; i++) {
      const { detector } = running[i]!;
      try {
        detector.readOrders?.(orders, place);
        if (trades.length > 0) detector.readTrades?.(trades, orders, place);
      } catch (error) {
        this.drop(detector, error as Error);
        i--;
      }
    }
  }

  private endWindows(time: number): void {
    for (const each of [...this.running]) {
      if (time < each.endsAt) continue;
      const { detector } = each;
      try {
        for (const finding of detector.endWindow()) {
          this.options.onAlert(toAlert(detector.name, finding));
        }
      } catch (error) {
        this.drop(detector, error as Error);
      }
      each.endsAt = (Math.floor(time / detector.windowMs) + 1) * detector.windowMs;
    }
    this.nextEnd = Math.min(...this.running.map(({ endsAt }) => endsAt));
  }

  private drop(detector: Detector, error: Error): void {
    const at = this.running.findIndex((each) => each.detector === detector);
    this.running.splice(at, 1);
    this.options.onFailure(detector.name, error, this.last);
  }
}
