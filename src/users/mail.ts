import { HOUR_MS } from '../config/durations.ts';
import * as logger from '../monitoring/logger.ts';
import { AddressCounts } from './address-counts.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** How a mail leaves. */
export type SendMail = (mail: Mail) => Promise<void>;

/**
 * Sends over SMTP. The library is not loaded with this file: it takes a while, and no command needs it.
 * @param url `smtp://` or `smtps://`, with user and password.
 */
export async function smtpMail(url: string, from: string): Promise<SendMail> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(url);
  return async (mail) => {
    // The answer goes out first: making a mail takes a time that would tell of it.
    await new Promise((resolve) => setImmediate(resolve));
    await transport.sendMail({ from, ...mail });
  };
}

/** For the sandbox: what would be mailed stands in the server's log. */
export async function logMail({ to, subject, text }: Mail): Promise<void> {
  logger.info(`Mail to ${to}: ${subject}\n${text.replace(/^/gm, '  ')}`);
}

/** Mails to confirm an address in an hour: more would only help who wants to annoy its owner. */
const MAX_PER_HOUR = 10;

/** What people are mailed. No request waits for a mail, or its time would tell that there is one. */
export class Mails {
  private readonly sent = new AddressCounts();
  private hour = 0;

  constructor(
    private readonly deliver: SendMail,
    /** The address that people open in their browser. */
    private readonly baseUrl: () => string,
    private readonly now: () => number,
  ) {}

  verify(to: string, token: string): void {
    const text = `Open this link to finish your sign-up, with the password that you chose. It works once, for 24 hours:

${this.baseUrl()}/verify-email#token=${token}

If you did not sign up, do nothing: nobody can use the address without this link. Never finish a sign-up that
is not yours.`;
    this.sendSome({ to, subject: 'Confirm your e-mail address', text });
  }

  alreadyKnown(to: string, token: string): void {
    const text = `Somebody has just signed up with this address, which has an account already.
If that was you, sign in: ${this.baseUrl()}/sign-in
or choose a new password within an hour: ${this.passwordLink(token)}

If it was not you, do nothing: your account is as it was.`;
    this.deliverSoon({ to, subject: 'You have an account already', text });
  }

  resetPassword(to: string, token: string): void {
    const text = `Open this link to choose a new password. It works once, for one hour:

${this.passwordLink(token)}

If you did not ask for it, do nothing: your password is as it was.`;
    this.deliverSoon({ to, subject: 'Choose a new password', text });
  }

  invite(to: string, token: string): void {
    const text = `You are invited to this exchange. Open this link to choose a password. It works once, for 24 hours:

${this.passwordLink(token)}`;
    this.deliverSoon({ to, subject: 'Choose your password', text });
  }

  /** To those who are there: whom the operator lets in acts for them too. */
  letIn(to: string, email: string): void {
    const text = `The operator of the exchange has let ${email} sign in to your account, or has changed what they may
do there. If you did not expect that, ask the operator.`;
    this.deliverSoon({ to, subject: 'Who may act for your account', text });
  }

  removed(to: string): void {
    const text = `The operator of the exchange has removed you: you cannot sign in any more, and all your sessions are signed
out. If you did not expect that, ask the operator.`;
    this.deliverSoon({ to, subject: 'You cannot sign in any more', text });
  }

  passwordChanged(to: string): void {
    this.notice(to, 'Your password has been changed', 'All other sessions are signed out.');
  }

  /** By a mailed link: whoever knew the old password may have left more behind. */
  passwordReset(to: string): void {
    const text = `All sessions are signed out, and no browser is known any more. API keys and passkeys go on:
look at them, and end what you do not know: ${this.baseUrl()}/settings#keys and ${this.baseUrl()}/settings#security`;
    this.notice(to, 'Your password has been changed', text);
  }

  keyMade(to: string): void {
    this.notice(to, 'A new API key', `Your keys: ${this.baseUrl()}/settings#keys`);
  }

  passkeyAdded(to: string): void {
    this.notice(to, 'A new passkey', `Your passkeys: ${this.baseUrl()}/settings#security`);
  }

  secondFactorOn(to: string): void {
    const text = 'Signing in takes a code from now on. All other sessions are signed out.';
    this.notice(to, 'Your second factor is on', text);
  }

  secondFactorOff(to: string): void {
    this.notice(to, 'Your second factor is off', 'The password alone signs in from now on.');
  }

  recoveryCodesRenewed(to: string): void {
    this.notice(to, 'New recovery codes', 'New recovery codes were made. The old ones are void.');
  }

  /** In the fragment, so that no server's log and no Referer has it. */
  passwordLink(token: string): string {
    return `${this.baseUrl()}/reset-password#token=${token}`;
  }

  /** Of what only who is signed in or has a link can do: no stranger's mails keep it from its owner. */
  private notice(to: string, subject: string, what: string): void {
    const text = `${what}

If that was not you, choose a new password: ${this.baseUrl()}/forgot-password`;
    this.deliverSoon({ to, subject, text });
  }

  private sendSome(mail: Mail): void {
    const hour = Math.floor(this.now() / HOUR_MS);
    if (hour !== this.hour) this.sent.clear();
    this.hour = hour;
    if (this.sent.add(mail.to) <= MAX_PER_HOUR) this.deliverSoon(mail);
  }

  private deliverSoon(mail: Mail): void {
    this.deliver(mail).catch((error) => {
      const reason = reasonOf(error);
      logger.warn(`A mail (${mail.subject}) was not sent (${reason}): see to BUTTONWOOD_SMTP_URL.`);
    });
  }
}

/**
 * What kept a mail from being sent, not in the words of the mail server: it may say back what it was told,
 * its password or a link.
 */
function reasonOf(error: unknown): string {
  const { message, code, responseCode } = error as Error & { code?: string; responseCode?: number };
  return responseCode === undefined ? message : `${code}, answered with ${responseCode}`;
}
