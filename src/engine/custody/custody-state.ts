import type { ElementHashes } from '../digest.ts';
import type { Event } from '../event.ts';
import type { Account } from '../ledger/accounts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Asset } from '../markets/markets.ts';

/** The rest of the state, as far as deposits and withdrawals need it. */
export interface CustodyState extends ElementHashes {
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly assets: readonly Asset[];
  readonly accounts: readonly Account[];
  readonly ledger: Ledger;
  readonly events: Event[];
}
