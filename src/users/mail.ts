import { HOUR_MS } from '../config/durations.ts';
import * as logger from '../monitoring/logger.ts';
import { AddressCounts } from './address-counts.ts';
import type { User } from './user-store.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A user who gets a mail. */
export type Recipient = Pick<User, 'email' | 'antiPhishingCode'>;

/** The destination of a withdrawal. */
interface Place {
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  /** Null without one. */
  readonly memo: string | null;
}

/** The terms of an API key that can be changed. */
interface ChangedKey {
  readonly label: string;
  /** Empty for any address. */
  readonly addresses: readonly string[];
}

export type SendMail = (mail: Mail) => Promise<void>;

/**
 * Returns a function that sends mail over SMTP. Loads its library now, because CLI commands do not need it.
 * @param url `smtp://` or `smtps://`, with user and password.
 */
export async function smtpMail(url: string, from: string): Promise<SendMail> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(url);
  return async (mail) => {
    // The response goes out first: the time to compose a mail would reveal that there is one.
    await new Promise((resolve) => setImmediate(resolve));
    await transport.sendMail({ from, ...mail });
  };
}

/** Writes a mail to the log, for the sandbox. */
export async function logMail({ to, subject, text }: Mail): Promise<void> {
  logger.info(`Mail to ${to}: ${subject}\n${text.replace(/^/gm, '  ')}`);
}

/** Maximum confirmation mails per address and hour: more would only help someone who floods its owner. */
const MAX_PER_HOUR = 10;
/** Maximum mails about events per address and hour: a bot has more fills than anyone reads. */
const MAX_EVENTS_PER_HOUR = 30;

/** The mails to users. No request waits for one, because its duration would reveal that a mail was sent. */
export class Mails {
  private readonly confirmations = new AddressCounts();
  private readonly events = new AddressCounts();
  private readonly security = new AddressCounts();
  private hour = 0;

  constructor(
    private readonly deliver: SendMail,
    /** The public URL of the exchange. */
    private readonly baseUrl: () => string,
    private readonly now: () => number,
  ) {}

  verify(email: string, token: string): void {
    const text = `Open this link and enter the password that you chose to finish your sign-up. It works once, for 24 hours:

${this.baseUrl()}/verify-email#token=${token}

If you did not sign up, ignore this mail: no one can use your address without this link. Never finish a
sign-up that is not yours.`;
    if (this.count(this.confirmations, email) > MAX_PER_HOUR) return;
    // The address belongs to no user yet.
    this.send({ email, antiPhishingCode: '' }, 'Confirm your email address', text);
  }

  alreadySignedUp(to: Recipient, token: string): void {
    const text = `Someone has just signed up with this address, which already has an account.
If that was you, sign in: ${this.baseUrl()}/sign-in
or choose a new password within an hour: ${this.passwordLink(token)}

If it was not you, ignore this mail: your account has not changed.`;
    this.send(to, 'You already have an account', text);
  }

  resetPassword(to: Recipient, token: string): void {
    const text = `Open this link to choose a new password. It works once, for one hour:

${this.passwordLink(token)}

If you did not request it, ignore this mail: your password has not changed.`;
    this.send(to, 'Choose a new password', text);
  }

  invite(to: Recipient, token: string): void {
    const text = `You are invited to this exchange. Open this link to choose a password. It works once, for 24 hours:

${this.passwordLink(token)}`;
    this.send(to, 'Choose your password', text);
  }

  /** Notifies the other users of an account, for whom the invited user can act, too. */
  userInvited(to: Recipient, email: string): void {
    const text = `The operator of the exchange has given ${email} access to your account, or has changed their permissions.
If you did not expect this, ask the operator.`;
    this.send(to, 'Access to your account has changed', text);
  }

  userRemoved(to: Recipient): void {
    const text = `The operator of the exchange has removed your access: you can no longer sign in, and all your sessions have
ended. If you did not expect this, ask the operator.`;
    this.send(to, 'Your access was removed', text);
  }

  passwordChanged(to: Recipient): void {
    this.notify(to, 'Your password was changed', 'All other sessions have ended.');
  }

  /** Mails the link that confirms a new address, which belongs to no user yet. */
  confirmEmail(email: string, token: string): void {
    const text = `Open this link and enter your password to use this address for your account. It works once, for 24 hours:

${this.baseUrl()}/verify-email?change#token=${token}

If you did not request it, ignore this mail: nothing changes without this link and the password.`;
    if (this.count(this.confirmations, email) > MAX_PER_HOUR) return;
    this.send({ email, antiPhishingCode: '' }, 'Confirm your new email address', text);
  }

  /** Sent instead of `confirmEmail` to the user whose address it is. */
  emailInUse(to: Recipient): void {
    const text = `Someone wants to use this address for another account, but it belongs to yours. Nothing has changed.
If that was you, sign in to the account that has it: ${this.baseUrl()}/sign-in

If it was not you, ignore this mail.`;
    if (this.count(this.confirmations, to.email) > MAX_PER_HOUR) return;
    this.send(to, 'This address already has an account', text);
  }

  emailChanging(to: Recipient, email: string): void {
    const text = `Your email address is being changed to ${email}, once the link that we mailed there is opened.
A new password cancels the change.`;
    this.notify(to, 'Your email address is being changed', text);
  }

  /** @param to With the old address, which can no longer get a link for a new password. */
  emailChanged(to: Recipient, email: string): void {
    const text = `Your email address is now ${email}. Sign in with it. All sessions have ended, and no browser is trusted any more.
This is the last mail to this address.

If this was not you, contact the operator of the exchange at once.`;
    this.send(to, 'Your email address was changed', text);
  }

  /** Sent after a reset by mail, because someone who knew the old password may have added keys or passkeys. */
  passwordReset(to: Recipient): void {
    const settings = `${this.baseUrl()}/settings`;
    const text = `All sessions have ended, and no browser is trusted any more. API keys and passkeys still work.
Review them and remove those that you don't recognize: ${settings}#keys and ${settings}#security`;
    this.notify(to, 'Your password was changed', text);
  }

  keyCreated(to: Recipient): void {
    this.notify(to, 'A new API key', `Your keys: ${this.baseUrl()}/settings#keys`);
  }

  keyChanged(to: Recipient, { label, addresses }: ChangedKey): void {
    const name = label === '' ? 'An API key without a label' : `The API key “${label}”`;
    const text = `${name} was changed. It may be used from ${addresses.join(', ') || 'any IP address'}.
Your keys: ${this.baseUrl()}/settings#keys`;
    this.notify(to, 'API key changed', text);
  }

  passkeyAdded(to: Recipient): void {
    this.notify(to, 'A new passkey', `Your passkeys: ${this.baseUrl()}/settings#security`);
  }

  secondFactorOn(to: Recipient): void {
    const text = 'You now need a code to sign in. All other sessions have ended.';
    this.notify(to, 'Two-factor authentication is on', text);
  }

  secondFactorOff(to: Recipient): void {
    this.notify(
      to,
      'Two-factor authentication is off',
      'You now need only your password to sign in.',
    );
  }

  recoveryCodesRenewed(to: Recipient): void {
    this.notify(
      to,
      'New recovery codes',
      'New recovery codes were created. The old ones no longer work.',
    );
  }

  antiPhishingCodeSet(to: Recipient): void {
    const text =
      'Your anti-phishing code was changed: every mail of the exchange shows the new one.';
    this.notify(to, 'Your anti-phishing code was changed', text);
  }

  /** @param to With the code that was removed, which shows that the mail is genuine. */
  antiPhishingCodeRemoved(to: Recipient): void {
    const text =
      'Your anti-phishing code was removed: this is the last mail of the exchange that shows it.';
    this.notify(to, 'Your anti-phishing code was removed', text);
  }

  /** @param usableAt Time from which withdrawals to the address are possible, as ISO 8601. */
  withdrawalAddressAdded(
    to: Recipient,
    { usableAt, ...place }: Place & { usableAt: string },
  ): void {
    const text = `The address book of your account has a new entry for ${place.asset}: ${placeText(place)}.
Withdrawals to it are possible from ${usableAt} on.`;
    this.sendSecurity(to, `New withdrawal address for ${place.asset}`, text);
  }

  /** @param amount The amount that arrives, as a decimal. */
  withdrawalRequested(
    to: Recipient,
    { id, amount, fee, ...place }: Place & { id: string; amount: string; fee: string },
  ): void {
    const text = `Withdrawal ${id} of ${amount} ${place.asset} was requested, with a fee of ${fee} ${place.asset}: to ${placeText(place)}.`;
    this.sendSecurity(to, `Withdrawal of ${amount} ${place.asset} requested`, text);
  }

  /**
   * Sends a notification that the user asked for. The last one of an hour says that the others of the hour are left out.
   * @returns Why it was not sent; '' if it was sent or left out
   */
  async event(to: Recipient, { subject, text }: Pick<Mail, 'subject' | 'text'>): Promise<string> {
    const left = MAX_EVENTS_PER_HOUR - this.count(this.events, to.email);
    if (left < 0) return '';
    const last = `You get at most ${MAX_EVENTS_PER_HOUR} of these mails an hour: until the next hour no more are sent.\n`;
    const settings = `You get this mail because of your settings: ${this.baseUrl()}/settings#notifications`;
    try {
      await this.deliver(toMail(to, subject, `${text}\n\n${left === 0 ? last : ''}${settings}`));
      return '';
    } catch (error) {
      return `the mail server did not take it: ${sendError(error)}`;
    }
  }

  webhookFailed(to: Recipient, url: string, reason: string): void {
    const text = `The exchange could not deliver to ${url} for three days, or the receiver wants no more: ${reason}.
Nothing is lost: once the receiver works, resume the webhook: ${this.baseUrl()}/settings#webhooks`;
    this.send(to, 'A webhook was stopped', text);
  }

  /** The token is in the fragment, so that it is in no server log and no Referer header. */
  passwordLink(token: string): string {
    return `${this.baseUrl()}/reset-password#token=${token}`;
  }

  /** Notifies the user of an action that needs a session or a link. Not limited, since no one else can cause it. */
  private notify(to: Recipient, subject: string, fact: string): void {
    const text = `${fact}

If this was not you, choose a new password: ${this.baseUrl()}/forgot-password`;
    this.send(to, subject, text);
  }

  /**
   * Notifies the user of something that takes money out of the account. A bot may withdraw often: mails beyond the maximum
   * are left out. They are counted alone, so that no other event uses up the number.
   */
  private sendSecurity(to: Recipient, subject: string, fact: string): void {
    const left = MAX_EVENTS_PER_HOUR - this.count(this.security, to.email);
    if (left < 0) return;
    const last = 'Until the next hour no more of these mails are sent.\n\n';
    const text = `${fact}

${left === 0 ? last : ''}If this was not you, stop it at ${this.baseUrl()}/withdraw
and choose a new password: ${this.baseUrl()}/forgot-password`;
    this.send(to, subject, text);
  }

  /** Counts a mail to an address. @returns How many of its kind the address got in this hour */
  private count(counts: AddressCounts, email: string): number {
    const hour = Math.floor(this.now() / HOUR_MS);
    if (hour !== this.hour) {
      this.confirmations.clear();
      this.events.clear();
      this.security.clear();
    }
    this.hour = hour;
    return counts.add(email);
  }

  private send(to: Recipient, subject: string, text: string): void {
    this.deliver(toMail(to, subject, text)).catch((error) => {
      const reason = sendError(error);
      logger.warn(`A mail (${subject}) was not sent: ${reason}. Check BUTTONWOOD_SMTP_URL.`);
    });
  }
}

/** Returns a mail with the anti-phishing code of its recipient at the top. */
function toMail({ email, antiPhishingCode }: Recipient, subject: string, text: string): Mail {
  const top = antiPhishingCode === '' ? '' : `Your anti-phishing code: ${antiPhishingCode}\n\n`;
  return { to: email, subject, text: `${top}${text}` };
}

function placeText({ network, address, memo }: Place): string {
  return `${address} on ${network}${memo === null ? '' : `, memo ${memo}`}`;
}

/**
 * Returns why a mail was not sent, without the mail server's own text: it may echo its input, such as the
 * password or a link.
 */
function sendError(error: unknown): string {
  const { message, code, responseCode } = error as Error & { code?: string; responseCode?: number };
  return responseCode === undefined
    ? message
    : `${code}, the server responded with ${responseCode}`;
}
