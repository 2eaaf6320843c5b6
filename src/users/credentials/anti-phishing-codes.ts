import type { Database } from '../database.ts';
import type { Mails } from '../mail.ts';
import { lockSession, type Session } from '../sign-in/sessions.ts';
import { UserEvents } from '../user-events.ts';
import { type User, UserStore } from '../user-store.ts';

/** Words that users choose and that all mails to them show, so that they recognize forged ones. */
export class AntiPhishingCodes {
  constructor(
    private readonly database: Database,
    private readonly mails: Mails,
    private readonly now: () => number,
  ) {}

  /** Sets the code of a signed-in user. @throws WrongCredentialsError if the session has ended */
  async set(session: Session, user: User, code: string, address = ''): Promise<void> {
    await this.store(session, user, code, 'anti_phishing_code_set', address);
    this.mails.antiPhishingCodeSet({ ...user, antiPhishingCode: code });
  }

  /** Removes the code of a signed-in user. @throws WrongCredentialsError if the session has ended */
  async remove(session: Session, user: User, address = ''): Promise<void> {
    if (user.antiPhishingCode === '') return;
    await this.store(session, user, '', 'anti_phishing_code_removed', address);
    this.mails.antiPhishingCodeRemoved(user);
  }

  private async store(
    session: Session,
    user: User,
    code: string,
    action: 'anti_phishing_code_set' | 'anti_phishing_code_removed',
    address: string,
  ): Promise<void> {
    await this.database.transaction(async (queries) => {
      await new UserStore(queries).setAntiPhishingCode(user.id, code);
      await lockSession(queries, session);
      await new UserEvents(queries, this.now).add(user, action, { by: user.email, address });
    });
  }
}
