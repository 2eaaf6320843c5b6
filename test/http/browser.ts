import type { Answer, TestExchange } from './exchange.ts';

export const PASSWORD = 'a meadow full of clover';
const ORIGIN = 'http://127.0.0.1:3000';

/** A browser on the exchange's own pages, which keeps cookies and sends its origin. */
export class Browser {
  readonly cookies = new Map<string, string>();
  host = '127.0.0.1:3000';

  constructor(readonly exchange: TestExchange) {}

  /** Returns a browser that is signed in as a new user. */
  static async signedUp(exchange: TestExchange, email = 'carol@example.com'): Promise<Browser> {
    const browser = new Browser(exchange);
    await browser.post('/sign-up', { email, password: PASSWORD, name: 'Carol' });
    await browser.post('/verify-email', { token: tokenIn(exchange), password: PASSWORD });
    return browser;
  }

  get session(): string | undefined {
    return this.cookies.get('__Host-buttonwood');
  }

  get(path = ''): Promise<Answer> {
    return this.send('GET', `/api/account${path}`);
  }

  post(path: string, body: object = {}): Promise<Answer> {
    return this.send('POST', `/api/account${path}`, body);
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', `/api/account${path}`);
  }

  async send(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await this.exchange.send(undefined, method, path, text, {
      Origin: ORIGIN.replace('127.0.0.1:3000', this.host),
      Host: this.host,
      ...(cookie === '' ? {} : { Cookie: cookie }),
      ...headers,
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (line.includes('Max-Age=0;')) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    return answer;
  }
}

/** Returns the token of the link in the last mail. */
export function tokenIn(exchange: TestExchange): string {
  return /#token=(\S+)/.exec(exchange.mails.at(-1)!.text)![1]!;
}
