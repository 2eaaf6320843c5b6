import type { Actor, CommandKind, Explained } from './command-kind.ts';
import type { ChangeableRules, ListedRules } from './markets/market-rules.ts';

/** The commands by which operators list and change assets and markets. */

export interface CreateAsset extends Actor {
  readonly kind: typeof CommandKind.createAsset;
  readonly asset: string;
  readonly name: string;
  readonly decimals: number;
}

export interface ListMarket extends Actor, ListedRules {
  readonly kind: typeof CommandKind.listMarket;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /**
   * When the opening auction ends, in milliseconds since 1970 (engine version 2); 0 if an operator ends it. Absent for a
   * market that trades at once.
   */
  readonly opensAt?: number;
}

export interface ChangeMarketRules extends Explained {
  readonly kind: typeof CommandKind.changeMarketRules;
  readonly market: number;
  /** Rules that are absent stay unchanged. */
  readonly rules: Partial<ChangeableRules>;
}

/** Cancels every order of a market and permanently closes it. */
export interface DelistMarket extends Explained {
  readonly kind: typeof CommandKind.delistMarket;
  readonly market: number;
}

export interface SetMarketStatus extends Explained {
  readonly kind: typeof CommandKind.setMarketStatus;
  readonly market: number;
  readonly status: number;
}
