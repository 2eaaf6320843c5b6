import * as logger from '../../monitoring/logger.ts';
import type { Database } from '../database.ts';
import { type SignInMethod, UserEvents } from '../user-events.ts';
import type { User } from '../user-store.ts';
import type { ClientInfo } from './sessions.ts';

/** The time for which failures wait, so that no response waits for their commit. */
const WRITE_AFTER_MS = 1000;

interface Failure {
  readonly user: User;
  readonly method: SignInMethod;
  readonly client: ClientInfo;
  readonly time: number;
}

/**
 * Records the sign-ins of known users that fail. They are written later and together: a commit before the response
 * would reveal which addresses have an account. The limits of guesses bound their number.
 */
export class FailedSignIns {
  private waiting: Failure[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The writes that have begun, one after the other. */
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly now: () => number,
  ) {}

  /** @param method With a second factor, the password was right. */
  add(user: User, method: SignInMethod, { address, userAgent }: ClientInfo): void {
    this.waiting.push({ user, method, client: { address, userAgent }, time: this.now() });
    this.timer ??= setTimeout(() => void this.write(), WRITE_AFTER_MS);
    this.timer.unref();
  }

  /** Writes the failures that wait. Resolves once all earlier writes have ended too. */
  write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const failures = this.waiting.splice(0);
    if (failures.length > 0) this.writing = this.writing.then(() => this.record(failures));
    return this.writing;
  }

  private async record(failures: readonly Failure[]): Promise<void> {
    try {
      await this.database.transaction(async (queries) => {
        for (const { user, method, client, time } of failures) {
          const actor = { by: user.email, ...client };
          await new UserEvents(queries, () => time).add(user, 'sign_in_failed', actor, method);
        }
      });
    } catch (error) {
      logger.error('Failed sign-ins were not recorded. Check the user database.', error);
    }
  }
}
