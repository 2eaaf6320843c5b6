import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Browser, PASSWORD } from '../http/browser.ts';
import { TestExchange } from '../http/exchange.ts';

/**
 * Tests that a request sent after the end of its credentials was answered is rejected, and so is one whose
 * body arrives after it, with any concurrent requests.
 */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

type Headers = Record<string, string>;

interface Ending {
  /** Credentials of the requests. */
  readonly headers: Headers;
  /** Ends the credentials; resolves to the answer. */
  end(): Promise<unknown>;
  readonly code: string;
}

const ORIGIN = 'http://127.0.0.1:3000';
const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };
let users = 0;

const operator = async (method: string, path: string, body?: object) => {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const answer = await exchange.send('operator', method, `/api/admin${path}`, text);
  expect(answer.status).toBe(200);
};

async function newUser() {
  const email = `user${users++}@example.com`;
  const browser = await Browser.signedUp(exchange, email);
  const { accountId } = (await browser.get()).data.profile;
  const headers = { Cookie: `__Host-buttonwood=${browser.session}`, Origin: ORIGIN };
  const key = await exchange.addKey(email, accountId, ['read', 'trade']);
  const account = `/accounts/${accountId}`;
  return { browser, email, account, headers, key, keyHeaders: exchange.headers(email) };
}

/** All ways in which credentials end. */
const WAYS: Readonly<Record<string, () => Promise<Ending>>> = {
  'a key, by the operator': async () => {
    const { account, key, keyHeaders: headers } = await newUser();
    const end = () => operator('DELETE', `${account}/keys/${key.apiKey}`);
    return { headers, end, code: 'UNAUTHORIZED' };
  },
  'a key, by its user': async () => {
    const { browser, key, keyHeaders: headers } = await newUser();
    return { headers, end: () => browser.delete(`/keys/${key.apiKey}`), code: 'UNAUTHORIZED' };
  },
  'a key, by its time': async () => {
    const { email, account } = await newUser();
    const expiresAt = exchange.now + 1000;
    const id = account.slice('/accounts/'.length);
    await exchange.addKey(`short ${email}`, id, ['read', 'trade'], { expiresAt });
    const end = async () => {
      exchange.now += 1000;
    };
    return { headers: exchange.headers(`short ${email}`), end, code: 'UNAUTHORIZED' };
  },
  'a frozen account, with its key': async () => {
    const { account, keyHeaders: headers } = await newUser();
    const end = () => operator('PATCH', account, { frozen: true });
    return { headers, end, code: 'ACCOUNT_FROZEN' };
  },
  'a frozen account, in the browser': async () => {
    const { account, headers } = await newUser();
    const end = () => operator('PATCH', account, { frozen: true });
    return { headers, end, code: 'ACCOUNT_FROZEN' };
  },
  'a session, signed out': async () => {
    const { browser, headers } = await newUser();
    return { headers, end: () => browser.post('/sign-out'), code: 'UNAUTHORIZED' };
  },
  'all sessions, from another one': async () => {
    const { email, headers } = await newUser();
    const other = new Browser(exchange);
    await other.post('/sign-in', { email, password: PASSWORD });
    return { headers, end: () => other.delete('/sessions'), code: 'UNAUTHORIZED' };
  },
  'a session, by its password changed in another': async () => {
    const { email, headers } = await newUser();
    const other = new Browser(exchange);
    await other.post('/sign-in', { email, password: PASSWORD });
    const change = { password: PASSWORD, newPassword: 'a field full of poppies' };
    return { headers, end: () => other.post('/password', change), code: 'UNAUTHORIZED' };
  },
  'the secret of a session, by its own new password': async () => {
    const { browser, headers } = await newUser();
    const change = { password: PASSWORD, newPassword: 'a field full of poppies' };
    return { headers, end: () => browser.post('/password', change), code: 'UNAUTHORIZED' };
  },
  'a removed user': async () => {
    const { account, email, headers } = await newUser();
    const end = () => operator('POST', `${account}/users/${email}/remove`, {});
    return { headers, end, code: 'UNAUTHORIZED' };
  },
  'a user with fewer permissions': async () => {
    const { account, email, headers } = await newUser();
    const end = () => operator('POST', `${account}/users`, { email, permissions: ['read'] });
    return { headers, end, code: 'UNAUTHORIZED' };
  },
};

/** Steps in between: whole requests, headers with a later body, and turns of the event loop. */
const steps = fc.array(fc.constantFrom('whole', 'headers', 'bodies', 'turn', 'microtask'), {
  minLength: 1,
  maxLength: 12,
});

async function run(ending: Ending, before: string[], after: string[]): Promise<string[]> {
  let isOver = false;
  const answers: Promise<void>[] = [];
  const wrong: string[] = [];
  const waiting: (() => Promise<void>)[] = [];
  const send = (body: string | ReadableStream<Uint8Array>): Promise<string> => {
    const headers = { ...ending.headers, 'Content-Type': 'application/json' };
    const request = new Request(`${ORIGIN}/api/orders`, { method: 'POST', headers, body });
    const peers = { requestIP: () => ({ address: '127.0.0.1' }) };
    return Promise.resolve(exchange.gateway.fetch(request, peers)).then(async (response) => {
      const { error } = (await response.json()) as { error?: { code: string } };
      return error?.code ?? 'done';
    });
  };
  const expectOutcome = (mustFail: boolean, what: string, code: string) => {
    if (mustFail && code !== ending.code) wrong.push(`${what} after the end: ${code}`);
  };
  const step = async (name: string) => {
    if (name === 'whole') {
      const mustFail = isOver;
      answers.push(send(JSON.stringify(ORDER)).then((code) => expectOutcome(mustFail, name, code)));
    } else if (name === 'headers') {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const answer = send(readable);
      waiting.push(async () => {
        const mustFail = isOver;
        const writer = writable.getWriter();
        // It is not read if the headers were rejected.
        void writer.write(Buffer.from(JSON.stringify(ORDER))).catch(() => {});
        void writer.close().catch(() => {});
        expectOutcome(mustFail, 'a body', await answer);
      });
    } else if (name === 'bodies') for (const go of waiting.splice(0)) answers.push(go());
    else if (name === 'turn') await new Promise((resolve) => setImmediate(resolve));
    else await Promise.resolve();
  };
  for (const name of before) await step(name);
  const ended = ending.end().then(() => {
    isOver = true;
  });
  for (const name of after) await step(name);
  await ended;
  for (const name of ['bodies', 'whole', 'headers', 'bodies', ...after]) await step(name);
  await step('bodies');
  await Promise.all(answers);
  return wrong;
}

test.each(Object.keys(WAYS))('%s', async (way) => {
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, after) => {
      expect(await run(await WAYS[way]!(), before, after)).toEqual([]);
    }),
    { numRuns: 12 },
  );
});
