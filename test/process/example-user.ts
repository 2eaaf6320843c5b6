import { generate } from 'otplib';
import { Authenticator } from '../http/authenticator.ts';
import type { SmtpSink } from './smtp-sink.ts';

export const EXAMPLE_PASSWORD = 'a meadow full of clover';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
type Body = any;

/** A user who sends the examples of /api/account/ with valid links and codes. */
export class ExampleUser {
  private static count = 0;
  readonly email = `example${ExampleUser.count++}@example.com`;
  private cookie = '';
  /** Passkeys require a host name. */
  private readonly origin: string;

  constructor(
    private readonly baseUrl: string,
    private readonly mail: SmtpSink,
  ) {
    this.origin = baseUrl.replace('127.0.0.1', 'localhost');
  }

  get headers(): Record<string, string> {
    return {
      Origin: this.origin,
      Host: new URL(this.origin).host,
      'Content-Type': 'application/json',
      Cookie: this.cookie,
    };
  }

  async signUp(): Promise<void> {
    await this.post('/verify-email', {
      token: await this.verification(),
      password: EXAMPLE_PASSWORD,
    });
  }

  async accountId(): Promise<string> {
    return (await this.get('')).profile.accountId;
  }

  /** Returns the body of an example with the values that only exist at run time. */
  async makeBody(operation: string, body: Body): Promise<Body> {
    switch (operation) {
      case 'signUp':
        return { ...body, email: `other-${this.email}` };
      case 'signIn':
        return { ...body, email: this.email };
      case 'lookAtLink':
      case 'verifyEmail': {
        const other = new ExampleUser(this.baseUrl, this.mail);
        return { ...body, token: await other.verification() };
      }
      case 'confirmPasswordReset':
        await this.post('/password-reset', { email: this.email });
        return { ...body, token: await this.mail.tokenFor(this.email) };
      case 'confirmEmailChange': {
        const address = `new-${this.email}`;
        await this.post('/email', { email: address, password: EXAMPLE_PASSWORD });
        return { ...body, token: await this.mail.tokenFor(address) };
      }
      case 'confirmSecondFactor':
        return { ...body, code: await this.code() };
      case 'renewRecoveryCodes':
      case 'removeSecondFactor': {
        const { recoveryCodes } = await this.post('/second-factor/confirm', {
          code: await this.code(),
        });
        return { ...body, code: recoveryCodes[0] };
      }
      case 'addPasskey': {
        const { options } = await this.post('/passkeys/options', { password: EXAMPLE_PASSWORD });
        return { ...body, response: new Authenticator(this.origin).create(options.challenge) };
      }
      case 'signInByPasskey': {
        const passkey = await this.addPasskey();
        const { options } = await this.post('/sign-in/passkey/options', {});
        return { ...body, response: passkey.get(options.challenge) };
      }
      default:
        return body;
    }
  }

  /** Returns the value for `{id}` in the path of an operation. */
  async orderId(operation: string): Promise<string> {
    if (operation === 'endSession') return (await this.get('/sessions')).sessions[0].id;
    if (operation === 'removePasskey') {
      await this.addPasskey();
      return (await this.get('/passkeys')).passkeys[0].id;
    }
    const terms = { label: 'bot', permissions: ['read'], password: EXAMPLE_PASSWORD };
    return (await this.post('/keys', terms)).apiKey;
  }

  private async addPasskey(): Promise<Authenticator> {
    const passkey = new Authenticator(this.origin);
    const { options } = await this.post('/passkeys/options', { password: EXAMPLE_PASSWORD });
    const response = passkey.create(options.challenge);
    await this.post('/passkeys', { response, label: 'phone' });
    return passkey;
  }

  private async verification(): Promise<string> {
    await this.post('/sign-up', { email: this.email, password: EXAMPLE_PASSWORD, name: 'Carol' });
    return this.mail.tokenFor(this.email);
  }

  /** Returns a code of a newly offered secret. */
  private async code(): Promise<string> {
    const { secret } = await this.post('/second-factor', { password: EXAMPLE_PASSWORD });
    return generate({ secret });
  }

  private get(path: string): Promise<Body> {
    return this.send('GET', path);
  }

  private post(path: string, body: object): Promise<Body> {
    return this.send('POST', path, JSON.stringify(body));
  }

  private async send(method: string, path: string, body?: string): Promise<Body> {
    const { headers } = this;
    const request = { method, headers, ...(body === undefined ? {} : { body }) };
    const response = await fetch(`${this.baseUrl}/api/account${path}`, request);
    for (const line of response.headers.getSetCookie()) {
      if (line.startsWith('__Host-buttonwood=')) this.cookie = line.split(';')[0]!;
    }
    const { data, error } = (await response.json()) as { data: Body; error: unknown };
    if (error !== undefined) throw new Error(`${method} ${path}: ${JSON.stringify(error)}`);
    return data;
  }
}
