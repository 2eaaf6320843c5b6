import type { Account, ApiKey } from '../../engine/ledger/accounts.ts';
import type { Session } from '../../users/users.ts';

/** A signed-in browser. */
export interface SessionCaller {
  readonly session: Session;
  readonly account: Account;
  /** Sum of Permission values. */
  readonly permissions: number;
}

/** The sender of a request with valid credentials. */
export type Caller = ApiKey | SessionCaller;
