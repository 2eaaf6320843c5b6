import { generate } from 'otplib';
import { Authenticator } from '../http/authenticator.ts';
import { Browser, PASSWORD, tokenIn } from '../http/browser.ts';
import type { TestExchange } from '../http/exchange.ts';
import type { Given } from './request.ts';
import { toTree } from './tree.ts';

/** Passkeys require a host name. */
export const HOST = 'localhost:3000';
const OF_CAROL: ReadonlySet<string> = new Set([
  'changePassword',
  'changeAntiPhishingCode',
  'changeEmail',
  'confirmEmailChange',
  'offerSecondFactor',
  'passkeyOptions',
  'createOwnKey',
  'addPasskey',
  'confirmSecondFactor',
  'renewRecoveryCodes',
  'removeSecondFactor',
  'signInByPasskey',
  'removePasskey',
  'changeOwnKey',
  'revokeOwnKey',
  'endSession',
]);

/** Signed-in users, and the values that their operations need: mailed tokens, codes, passkeys. */
export class FuzzUsers {
  private count = 0;
  private readonly browsers = new Map<'carol' | 'boss', Browser>();
  private readonly emails = new Map<Browser, string>();

  /** @param pass Advances the time by a number of milliseconds. */
  constructor(
    private readonly exchange: TestExchange,
    private readonly pass: (ms: number) => Promise<void>,
  ) {}

  /** Returns the browser signed in under that name, with a new user if there is none. */
  async browser(name: 'carol' | 'boss'): Promise<Browser> {
    const known = this.browsers.get(name);
    if (known !== undefined) return known;
    const browser = name === 'carol' ? await this.newUser() : await this.newBoss();
    this.browsers.set(name, browser);
    return browser;
  }

  /** Makes `browser` create a new user: a request may have ended the session or changed the password. */
  renew(name: 'carol' | 'boss'): void {
    this.browsers.delete(name);
  }

  /** Returns the values that a request of an operation needs to succeed, creating them if necessary. */
  async given(operation: string): Promise<Given> {
    const { exchange } = this;
    const body = (fields: object): Given => ({
      body: Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, toTree(one)])),
    });
    switch (operation) {
      case 'signUp':
        return body({ email: this.newEmail(), password: PASSWORD, name: 'Carol' });
      case 'verifyEmail':
      case 'lookAtLink': {
        const user = { email: this.newEmail(), password: PASSWORD, name: 'Carol' };
        await new Browser(exchange).post('/sign-up', user);
        const token = { token: tokenIn(exchange) };
        return body(operation === 'lookAtLink' ? token : { ...token, password: PASSWORD });
      }
      case 'signIn':
        return body({ email: await this.readEmail('carol'), password: PASSWORD, code: null });
      case 'confirmPasswordReset': {
        // The number of mails per user is limited.
        this.renew('carol');
        await new Browser(exchange).post('/password-reset', {
          email: await this.readEmail('carol'),
        });
        return body({ token: tokenIn(exchange), password: PASSWORD });
      }
      case 'requestPasswordReset':
        return body({ email: await this.readEmail('carol') });
      case 'inviteUser':
        return { ...body({ email: this.newEmail(), permissions: ['read'] }), path: { id: 'bob' } };
      case 'removeUser': {
        const email = this.newEmail();
        const invitation = JSON.stringify({ email, permissions: ['read'] });
        await exchange.send('operator', 'POST', '/api/admin/accounts/bob/users', invitation);
        return { ...body({}), path: { id: 'bob', email } };
      }
      case 'endAccountSession': {
        this.renew('carol');
        const carol = await this.browser('carol');
        const { data } = await carol.get('/sessions');
        const id = [...exchange.state.accounts].at(-1)!.id;
        return { path: { id, sessionId: data.sessions[0].id } };
      }
      default:
        return this.givenToCarol(operation, body);
    }
  }

  /** Returns the same for operations of a signed-in user. */
  private async givenToCarol(operation: string, body: (fields: object) => Given): Promise<Given> {
    if (!OF_CAROL.has(operation)) return {};
    // The user may have another password by now, a second factor, or too many wrong guesses.
    this.renew('carol');
    const carol = await this.browser('carol');
    switch (operation) {
      case 'changePassword':
        return body({ password: PASSWORD, newPassword: PASSWORD, code: null });
      case 'changeEmail':
        return body({ email: this.newEmail(), password: PASSWORD, code: null });
      case 'confirmEmailChange':
        await carol.post('/email', { email: this.newEmail(), password: PASSWORD });
        return body({ token: tokenIn(this.exchange), password: PASSWORD });
      case 'changeAntiPhishingCode':
        return body({ antiPhishingCode: 'Clover42', password: PASSWORD, code: null });
      case 'offerSecondFactor':
      case 'passkeyOptions':
        return body({ password: PASSWORD });
      case 'createOwnKey':
        return body({ permissions: ['read'], password: PASSWORD, code: null, expiresAt: null });
      case 'confirmSecondFactor':
        return body({ code: await this.totpCode(await this.offered(carol)) });
      case 'renewRecoveryCodes':
      case 'removeSecondFactor': {
        const secret = await this.offered(carol);
        await carol.post('/second-factor/confirm', { code: await this.totpCode(secret) });
        await this.pass(30_000);
        const code = { code: await this.totpCode(secret) };
        return body(operation === 'renewRecoveryCodes' ? code : { ...code, password: PASSWORD });
      }
      case 'addPasskey': {
        const { data } = await carol.post('/passkeys/options', { password: PASSWORD });
        const passkey = new Authenticator(`http://${HOST}`);
        return body({ response: passkey.create(data.options.challenge), label: 'phone' });
      }
      case 'signInByPasskey': {
        const { passkey } = await this.registered(carol);
        const { data } = await carol.post('/sign-in/passkey/options');
        return body({ response: passkey.get(data.options.challenge) });
      }
      case 'removePasskey':
        return { path: { id: (await this.registered(carol)).id } };
      case 'changeOwnKey': {
        const terms = { label: 'bot', permissions: ['read'], password: PASSWORD };
        const { apiKey } = (await carol.post('/keys', terms)).data;
        const change = { label: 'changed', addresses: null, password: PASSWORD, code: null };
        return { ...body(change), path: { id: apiKey } };
      }
      case 'revokeOwnKey': {
        const terms = { label: 'bot', permissions: ['read'], password: PASSWORD };
        return { path: { id: (await carol.post('/keys', terms)).data.apiKey } };
      }
      case 'endSession': {
        const other = new Browser(this.exchange);
        const user = { email: this.emails.get(carol), password: PASSWORD };
        const { data } = await other.post('/sign-in', user);
        return { path: { id: data.session.id } };
      }
      default:
        return {};
    }
  }

  private async registered(carol: Browser): Promise<{ passkey: Authenticator; id: string }> {
    const passkey = new Authenticator(`http://${HOST}`);
    const { data } = await carol.post('/passkeys/options', { password: PASSWORD });
    const response = passkey.create(data.options.challenge);
    const added = await carol.post('/passkeys', { response, label: 'phone' });
    return { passkey, id: added.data.passkey.id };
  }

  private async offered(carol: Browser): Promise<string> {
    const { data } = await carol.post('/second-factor', { password: PASSWORD });
    return data.secret;
  }

  private totpCode(secret: string): Promise<string> {
    return generate({ secret, epoch: Math.floor(this.exchange.now / 1000) });
  }

  private async readEmail(name: 'carol'): Promise<string> {
    return this.emails.get(await this.browser(name))!;
  }

  private async newUser(): Promise<Browser> {
    const email = this.newEmail();
    const browser = await Browser.signedUp(this.exchange, email);
    browser.host = HOST;
    this.emails.set(browser, email);
    return browser;
  }

  /** Creates a user invited to the operator's account. */
  private async newBoss(): Promise<Browser> {
    const email = this.newEmail();
    const invitation = JSON.stringify({ email, permissions: ['operate'] });
    const path = '/api/admin/accounts/operator/users';
    const invited = await this.exchange.send('operator', 'POST', path, invitation);
    if (invited.status !== 200) throw new Error(invited.text);
    const browser = new Browser(this.exchange);
    browser.host = HOST;
    const token = tokenIn(this.exchange);
    await browser.post('/password-reset/confirm', { token, password: PASSWORD });
    await browser.post('/sign-in', { email, password: PASSWORD });
    this.emails.set(browser, email);
    return browser;
  }

  private newEmail(): string {
    return `person${this.count++}@example.com`;
  }
}
