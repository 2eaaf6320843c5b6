import { type ElementHashes, mix, mixNumber, mixText } from '../digest.ts';
import type { Market } from '../markets/markets.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { invariant } from '../rejection.ts';
import { MarketStatus } from '../terms.ts';
import type { MaintenanceTerms } from './protection-commands.ts';

/** The rest of the state, as far as restrictions need it. */
interface RestrictedState extends ElementHashes {
  readonly markets: readonly Market[];
}

/** A maintenance that is announced or in progress. */
export interface Maintenance extends MaintenanceTerms {
  readonly isActive: boolean;
}

/** The kill switch. */
export interface KillSwitch {
  /** A MarketStatus: `online` (off), `cancelOnly` or `halted`. */
  readonly status: number;
  /** Empty unless given. */
  readonly reason: string;
  /** When it was last changed, milliseconds since 1970; 0 for never. */
  readonly since: number;
}

const RELEASED: KillSwitch = { status: MarketStatus.online, reason: '', since: 0 };

/**
 * Restrictions of trading in all markets (engine version 2): the kill switch and announced maintenance. The stricter
 * one applies to every market in addition to the market's own status.
 */
export class TradingStatus {
  readonly id = 110;
  killSwitch = RELEASED;
  /** Whether `status` is not `online`. */
  isRestricted = false;
  /** Number of changes, for readers that follow them; no part of the state. */
  changes = 0;
  /** In order of time; they do not overlap. */
  private periods: readonly Maintenance[] = [];

  constructor(private readonly state: RestrictedState) {}

  get isEmpty(): boolean {
    return this.killSwitch === RELEASED && this.periods.length === 0;
  }

  /** The restriction of all markets, a MarketStatus: `online`, `cancelOnly` or `halted`. */
  get status(): number {
    let { status } = this.killSwitch;
    for (const { isActive, mode } of this.periods) if (isActive) status = Math.max(status, mode);
    return status;
  }

  get maintenance(): readonly Maintenance[] {
    return this.periods;
  }

  setKillSwitch(killSwitch: KillSwitch): void {
    this.state.exclude(hashKillSwitch(this.killSwitch));
    this.killSwitch = killSwitch;
    this.state.include(hashKillSwitch(killSwitch));
    this.restrictMarkets();
  }

  /** Adds a period that overlaps no other. */
  add(period: Maintenance): void {
    this.periods = [...this.periods, period].sort((a, b) => a.from - b.from);
    this.state.include(hashMaintenance(period));
    this.restrictMarkets();
  }

  /** Removes the period that starts at `from`. @returns Undefined if there is none. */
  remove(from: number): Maintenance | undefined {
    const period = this.periods.find((each) => each.from === from);
    if (period === undefined) return undefined;
    this.periods = this.periods.filter((each) => each !== period);
    this.state.exclude(hashMaintenance(period));
    this.restrictMarkets();
    return period;
  }

  get nextTime(): number {
    const [first] = this.periods;
    if (first === undefined) return Number.POSITIVE_INFINITY;
    return first.isActive ? first.to : first.from;
  }

  /** Starts or ends the first period. */
  runDue(): void {
    const first = this.remove(this.periods[0]!.from)!;
    if (!first.isActive) this.add({ ...first, isActive: true });
  }

  countDigest(): number {
    return this.periods.reduce(
      (sum, period) => (sum + hashMaintenance(period)) | 0,
      hashKillSwitch(this.killSwitch),
    );
  }

  audit(): void {
    for (const { symbol, restriction } of this.state.markets) {
      invariant(
        restriction === this.status,
        `${symbol} is restricted differently from the exchange`,
      );
    }
    for (const [place, { from, to, isActive }] of this.periods.entries()) {
      const before = place === 0 ? 0 : this.periods[place - 1]!.to;
      invariant(before <= from && from < to, 'periods of maintenance overlap');
      invariant(!isActive || place === 0, 'a later maintenance has started first');
    }
  }

  write(writer: ByteWriter): void {
    const { status, reason, since } = this.killSwitch;
    writer.byte(status);
    writer.text(reason);
    writer.number(since);
    writer.uint32(this.periods.length);
    for (const period of this.periods) {
      writer.number(period.from);
      writer.number(period.to);
      writer.byte(period.mode);
      writer.text(period.message);
      writer.byte(period.isActive ? 1 : 0);
    }
  }

  read(reader: ByteReader): void {
    const [status, reason, since] = [reader.byte(), reader.text(), reader.number()];
    if (since !== 0) this.setKillSwitch({ status, reason, since });
    for (let left = reader.uint32(); left > 0; left--) {
      const [from, to] = [reader.number(), reader.number()];
      const [mode, message] = [reader.byte(), reader.text()];
      this.add({ from, to, mode, message, isActive: reader.byte() === 1 });
    }
  }

  private restrictMarkets(): void {
    const { status } = this;
    this.isRestricted = status !== MarketStatus.online;
    this.changes++;
    for (const market of this.state.markets) market.restriction = status;
  }
}

/** Returns 0 for a kill switch that was never used, so that it is not in the digest. */
function hashKillSwitch({ status, reason, since }: KillSwitch): number {
  return since === 0 ? 0 : mixNumber(mixText(mix(110, status), reason), since);
}

function hashMaintenance({ from, to, mode, message, isActive }: Maintenance): number {
  const hash = mixNumber(mixNumber(mix(111, mode), from), to);
  return mix(mixText(hash, message), isActive ? 1 : 0);
}
