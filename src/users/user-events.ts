import type { Queries, Row } from './database.ts';
import type { User } from './user-store.ts';

export const userActions = [
  'signed_up',
  'invited',
  'permissions_changed',
  'removed',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'sessions_ended',
  'password_changed',
  'password_reset',
  'email_change_requested',
  'email_change_canceled',
  'email_changed',
  'second_factor_on',
  'second_factor_off',
  'recovery_codes_renewed',
  'anti_phishing_code_set',
  'anti_phishing_code_removed',
  'passkey_added',
  'passkey_removed',
  'key_made',
  'key_changed',
  'key_revoked',
  'address_named',
] as const;
export type UserAction = (typeof userActions)[number];

/** The credentials of a sign-in, or of an attempt. `email_link` is the link that confirms a sign-up, with its password. */
export const signInMethods = [
  'password',
  'password_totp',
  'password_recovery_code',
  'passkey',
  'email_link',
] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** The originator of an event, usually the user. */
export interface Actor {
  /** A user's email address, an API key, or '' for the exchange itself. */
  readonly by: string;
  /** The network address, '' if unknown. */
  readonly address: string;
  /** The User-Agent header; recorded for sign-ins only. */
  readonly userAgent?: string;
}
export const EXCHANGE_ACTOR: Actor = { by: '', address: '' };

/** The user of an event. Events keep these fields after the user is removed. */
type Subject = Pick<User, 'id' | 'email' | 'accountId'>;

export interface UserEvent extends Required<Actor> {
  readonly id: number;
  readonly time: number;
  readonly userId: string;
  readonly email: string;
  readonly accountId: string;
  readonly action: string;
  /** Permissions, API key, passkey label, method of a sign-in, id of an address or new email address, depending on the action; '' for other actions. */
  readonly details: string;
}

/** The audit trail of users, in SQL. Events are never changed or deleted. */
export class UserEvents {
  constructor(
    private readonly queries: Queries,
    private readonly now: () => number,
  ) {}

  async add(user: Subject, action: UserAction, actor: Actor, details = ''): Promise<void> {
    await this.queries.run(
      `INSERT INTO people_events
         (happened_at, person_id, email, account_id, action, done_by, address, details, user_agent)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      this.now(),
      user.id,
      user.email,
      user.accountId,
      action,
      actor.by,
      actor.address,
      details,
      actor.userAgent ?? '',
    );
  }

  /** Returns events before an id, newest first. @param accountId Undefined for all accounts. */
  async listBefore(id: number, limit: number, accountId?: string): Promise<UserEvent[]> {
    const condition = accountId === undefined ? '' : 'AND account_id = $3';
    const rows = await this.queries.query(
      `SELECT * FROM people_events WHERE id < $1 ${condition} ORDER BY id DESC LIMIT $2`,
      id,
      limit,
      ...(accountId === undefined ? [] : [accountId]),
    );
    return rows.map(toEvent);
  }

  /** Returns the sign-ins of a user before an id, newest first, with those that failed. */
  async listSignIns(userId: string, beforeId: number, limit: number): Promise<UserEvent[]> {
    const rows = await this.queries.query(
      `SELECT * FROM people_events
       WHERE person_id = $1 AND id < $2 AND action IN ('signed_in', 'sign_in_failed')
       ORDER BY id DESC LIMIT $3`,
      userId,
      beforeId,
      limit,
    );
    return rows.map(toEvent);
  }
}

function toEvent(row: Row): UserEvent {
  return {
    id: Number(row.id),
    time: Number(row.happened_at),
    userId: String(row.person_id),
    email: String(row.email),
    accountId: String(row.account_id),
    action: String(row.action),
    by: String(row.done_by),
    address: String(row.address),
    details: String(row.details),
    userAgent: String(row.user_agent),
  };
}
