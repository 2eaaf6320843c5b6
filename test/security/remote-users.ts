import type { Credentials } from '../../src/users/credentials/api-keys.ts';

/** Operators, keys and browsers of an exchange in another process. */

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
type Data = any;

export function keyHeaders({ apiKey, apiSecret }: Credentials): Record<string, string> {
  return { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
}

/** Returns the data of an answer to an operator. @throws Error if it is not 200. */
export async function operate(
  baseUrl: string,
  operator: Credentials,
  method: string,
  path: string,
  body?: object,
): Promise<Data> {
  const answer = await fetch(`${baseUrl}/api/admin${path}`, {
    method,
    headers: { ...keyHeaders(operator), 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as Data;
  if (!json.success) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
  return json.data;
}

export async function makeKey(
  baseUrl: string,
  operator: Credentials,
  account: string,
  permissions: readonly string[],
  terms: object = {},
): Promise<Credentials> {
  const body = { label: 'test', permissions, ...terms };
  const made = await operate(baseUrl, operator, 'POST', `/accounts/${account}/keys`, body);
  return { apiKey: made.key.apiKey, apiSecret: made.apiSecret };
}

/** A browser that keeps the cookies of an exchange. */
export class RemoteBrowser {
  readonly cookies = new Map<string, string>();

  constructor(readonly baseUrl: string) {}

  get session(): string {
    return this.cookies.get('__Host-buttonwood') ?? '';
  }

  get headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { Origin: this.baseUrl, Cookie: cookie };
  }

  async send(method: string, path: string, body?: object): Promise<Data> {
    const answer = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...this.headers,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      this.cookies.set(name!, value!);
    }
    return answer.json();
  }

  account(method: string, path: string, body?: object): Promise<Data> {
    return this.send(method, `/api/account${path}`, body);
  }
}
