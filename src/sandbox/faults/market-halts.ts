import type { FaultEngine } from './engine.ts';
import type { Moment } from './injected-log.ts';
import type { Hit } from './script.ts';

/**
 * Submits the operator's command that halts a market that is online, or opens one that is halted.
 * @returns When it was applied, undefined if it was not; undefined, without a command, if the market has another status
 */
export type SetHalted = (
  symbol: string,
  isHalted: boolean,
) => Promise<Moment | undefined> | undefined;

type Record = (hit: Hit, symbol: string, moment: Moment) => void;

interface Halt {
  readonly scriptId: string;
  /** When the market opens again, milliseconds since 1970. */
  readonly until: number;
  /** Resolves once the market is halted. */
  readonly applied: Promise<Moment | undefined>;
  isApplied: boolean;
}

/** The halts of markets that scripts began. */
export class MarketHalts {
  private readonly halts = new Map<string, Halt>();

  constructor(private readonly setHalted: SetHalted) {}

  get isHalting(): boolean {
    return this.halts.size > 0;
  }

  /** When the next market opens, milliseconds since 1970; Infinity if none does. */
  get nextAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { until } of this.halts.values()) next = Math.min(next, until);
    return next;
  }

  /** Opens and halts the markets that are due. @param record Called for each that was halted. */
  run(engine: FaultEngine, now: number, record: Record): void {
    for (const [symbol, { until, isApplied }] of [...this.halts]) {
      if (now >= until && isApplied) void this.open(symbol);
    }
    for (const hit of engine.drawPeriods('market', now)) {
      const { symbol = '', ms } = hit.fault;
      const applied = this.halts.has(symbol) ? undefined : this.setHalted(symbol, true);
      if (applied === undefined) continue;
      const halt = { scriptId: hit.scriptId, until: now + ms, applied, isApplied: false };
      this.halts.set(symbol, halt);
      void applied.then((moment) => {
        halt.isApplied = moment !== undefined;
        if (moment === undefined) this.halts.delete(symbol);
        else record(hit, symbol, moment);
      });
    }
  }

  /** Resolves once the halts that have begun are applied. */
  async whenApplied(): Promise<void> {
    await Promise.all([...this.halts.values()].map(({ applied }) => applied));
  }

  /** Opens the markets that a script has halted. */
  async end(scriptId: string): Promise<void> {
    for (const [symbol, halt] of [...this.halts]) {
      if (halt.scriptId === scriptId && (await halt.applied)) await this.open(symbol);
    }
  }

  private async open(symbol: string): Promise<void> {
    this.halts.delete(symbol);
    await this.setHalted(symbol, false);
  }
}
