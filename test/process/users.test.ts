import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './exchange-process.ts';
import { inherited } from './inherited.ts';
import { MainProcess } from './main-process.ts';

/** Tests users of a real process: sign-in, crashes and restarts. */

setDefaultTimeout(60_000);

let directory: ReturnType<typeof temporaryDirectory>;
const running: MainProcess[] = [];
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(async () => {
  for (const process of running.splice(0)) {
    process.signal('SIGKILL');
    await process.ended();
  }
  directory.remove();
});

async function begin(command: string, ...flags: string[]): Promise<MainProcess> {
  const env = { BUTTONWOOD_DATA: directory.path };
  const process = MainProcess.start([command, ...flags], env);
  running.push(process);
  await process.serving();
  return process;
}

async function end(process: MainProcess): Promise<void> {
  process.signal('SIGTERM');
  await process.ended();
}

async function send(baseUrl: string, path: string, body?: object, cookie?: string) {
  const response = await fetch(baseUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Origin: baseUrl,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(cookie === undefined ? {} : { Cookie: cookie }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]!);
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
  return { cookies, json: (await response.json()) as any };
}

interface User {
  readonly email: string;
  readonly password: string;
}
const sandboxPath = () => join(directory.path, 'sandbox.json');
const users = (): User[] => JSON.parse(readFileSync(sandboxPath(), 'utf8')).users;

/** Names the users in sandbox.json as older releases did. */
function makeOld(): void {
  const { users: people, ...file } = JSON.parse(readFileSync(sandboxPath(), 'utf8'));
  writeFileSync(sandboxPath(), JSON.stringify({ ...file, people }));
}

test('the sandbox’s users sign in, also after a restart, an upgrade, a lost file and a reset', async () => {
  let process = await begin('start');
  const baseUrl = await process.serving();
  const first = users();
  expect(first.map(({ email }) => email)).toEqual([
    'alice@buttonwood.test',
    'bob@buttonwood.test',
    'operator@buttonwood.test',
  ]);
  const signIn = (url: string, user: User) => send(url, '/api/account/sign-in', user);
  const permissions = [];
  let session = '';
  for (const user of first) {
    const { cookies } = await signIn(baseUrl, user);
    session = cookies[0]!;
    const { json } = await send(baseUrl, '/api/account', undefined, session);
    permissions.push(json.data.profile.permissions);
  }
  expect(permissions).toEqual([
    ['read', 'trade'],
    ['read', 'trade'],
    ['read', 'operate'],
  ]);
  const { apiKey, apiSecret } = JSON.parse(readFileSync(sandboxPath(), 'utf8')).accounts[0];
  const headers = { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
  expect((await fetch(`${baseUrl}/api/orders`, { headers })).status).toBe(200);
  expect(statSync(join(directory.path, 'accounts.sqlite')).mode & 0o777).toBe(0o600);
  await end(process);

  makeOld();
  process = await begin('start');
  expect(users()).toEqual(first);
  const again = await send(await process.serving(), '/api/admin/state', undefined, session);
  expect(again.json.success).toBe(true);
  const { cookies } = await signIn(await process.serving(), first[0]!);
  const { json } = await send(await process.serving(), '/api/account/keys', undefined, cookies[0]);
  const used = json.data.keys.map((key: { lastUsedAt: string | null }) => key.lastUsedAt !== null);
  // Newest first: the HMAC keys, the key that only reads, and the one that was used.
  expect(used).toEqual([false, false, false, true]);
  await end(process);

  rmSync(sandboxPath());
  process = await begin('start');
  const [alice] = users();
  expect(alice!.password).not.toBe(first[0]!.password);
  expect((await signIn(await process.serving(), first[0]!)).json.error.code).toBe('UNAUTHORIZED');
  expect((await signIn(await process.serving(), alice!)).json.data.status).toBe('signed_in');
  await end(process);

  process = await begin('start', '--reset');
  const ended = await send(await process.serving(), '/api/account', undefined, session);
  expect(ended.json.error.code).toBe('UNAUTHORIZED');
});

/** Creates a user, and exits before the trading account is opened. */
const DYING = `
  import { Users } from './src/users/users.ts';
  import { CHEAP, CLIENT } from './src/testing/test-users.ts';
  const mails = [];
  const users = await Users.open({
    url: 'sqlite://' + process.argv[1] + '/accounts.sqlite',
    sendMail: async (mail) => void mails.push(mail),
    baseUrl: () => '', now: Date.now, permissions: 3, cost: CHEAP,
    openAccount: () => { process.kill(process.pid, 'SIGKILL'); return new Promise(() => {}); },
  });
  await users.signUp.begin('carol@example.com', 'a meadow full of clover', 'Carol', CLIENT.scope);
  const person = await users.signUp.verify(mails[0].text.split('#token=')[1].slice(0, 43));
  await users.signIn.startSession(person, CLIENT, 'password');
`;

test('a crash between user and trading account leaves nothing incomplete', async () => {
  await end(await begin('start'));
  const child = Bun.spawn([process.execPath, '-e', DYING, directory.path], {
    cwd: join(import.meta.dir, '../..'),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await child.exited;
  expect(child.signalCode).toBe('SIGKILL');
  const baseUrl = await (await begin('start')).serving();
  const credentials = { email: 'carol@example.com', password: 'a meadow full of clover' };
  const { cookies } = await send(baseUrl, '/api/account/sign-in', credentials);
  const { json } = await send(baseUrl, '/api/portfolio/balances', undefined, cookies[0]);
  expect(json.data).toEqual({ balances: [] });
  const again = await send(baseUrl, '/api/account/sign-in', credentials);
  expect(again.json.data.status).toBe('signed_in');
});

test('a real exchange’s operator signs in by the link that the command line creates', async () => {
  const server = await begin('serve');
  const baseUrl = await server.serving();
  const child = Bun.spawn(
    [
      process.execPath,
      'src/main.ts',
      'users',
      'invite',
      'operator',
      '--json',
      '--email',
      'Op@Example.com',
      '--permissions',
      'read,operate',
    ],
    {
      cwd: join(import.meta.dir, '../..'),
      env: { ...inherited(), BUTTONWOOD_DATA: directory.path },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const { email, link } = JSON.parse(await new Response(child.stdout).text());
  expect(email).toBe('op@example.com');
  expect(link).toStartWith(`${baseUrl.replace('127.0.0.1', 'localhost')}/reset-password#token=`);
  const password = 'a meadow full of clover';
  const token = link.split('#token=')[1];
  await send(baseUrl, '/api/account/password-reset/confirm', { token, password });
  const { cookies } = await send(baseUrl, '/api/account/sign-in', { email, password });
  const { json } = await send(baseUrl, '/api/admin/state', undefined, cookies[0]);
  expect(json.success).toBe(true);
  const user = { email: 'new@example.com', password, name: 'New' };
  const refused = await send(baseUrl, '/api/account/sign-up', user);
  expect(refused.json.error.code).toBe('NOT_FOUND');
});
