import type { Account, ApiKey } from '../../engine/ledger/accounts.ts';
import type { Session } from '../../users/sessions.ts';

/** Whose browser it is, as the engine knows them. */
export interface SessionCaller {
  readonly session: Session;
  readonly account: Account;
  /** Sum of Permission values. */
  readonly permissions: number;
}

/** Whoever has shown credentials, and what they may do. */
export type Caller = ApiKey | SessionCaller;
