import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'otplib';
import { runForTest } from '../../src/testing/test-cli.ts';
import type { Credentials } from '../../src/users/credentials/api-keys.ts';
import { temporaryDirectory } from '../process/exchange-process.ts';
import { MainProcess } from '../process/main-process.ts';
import { SmtpSink } from '../process/smtp-sink.ts';
import { StreamClient } from '../stream/client.ts';
import { keyHeaders, makeKey, operate, RemoteBrowser } from './remote-users.ts';

/**
 * Uses every secret of a real exchange, correctly and incorrectly, until the process ends by a planted fault.
 * Then searches everything that it wrote, printed and answered for them.
 */

setDefaultTimeout(60_000);
const EMAIL = 'carol@example.com';
const [PASSWORD, WRONG, NEXT] = [
  'canary-password-one',
  'canary-guess-that-fails',
  'canary-password-two',
];
const SMTP_PASSWORD = 'canary-smtp-password';
const SEALING_KEY = 'ca9a21'.repeat(11).slice(0, 64);

/** Secrets that must be nowhere, by description. */
const secrets = new Map<string, string>();
/** Secrets that may be in a single file. */
let totpSecret = '';
let operator: Credentials;
/** All answers except those that return a new secret. */
const answers: string[] = [];
let directory: ReturnType<typeof temporaryDirectory>;
let server: MainProcess;
/** Files, outputs and answers to search, by name. */
const places: [place: string, bytes: Buffer][] = [];

beforeAll(async () => {
  directory = temporaryDirectory();
  const sink = await SmtpSink.open();
  const url = new URL(sink.url);
  [url.username, url.password] = ['mailer', SMTP_PASSWORD];
  const env = {
    BUTTONWOOD_DATA: directory.path,
    BUTTONWOOD_SMTP_URL: url.href,
    BUTTONWOOD_MAIL_FROM: 'Exchange <no-reply@exchange.test>',
    BUTTONWOOD_ADMIN_PORT: '0',
    BUTTONWOOD_HMAC_KEYS: 'on',
    BUTTONWOOD_SEAL_KEYS: `one:${SEALING_KEY}`,
  };
  server = MainProcess.start(['serve'], env);
  const baseUrl = await server.serving();
  secrets.set('the password of the mail server', SMTP_PASSWORD);
  secrets.set('a wrong password', WRONG);
  secrets.set('the sealing key', SEALING_KEY);
  const file = JSON.parse(readFileSync(join(directory.path, 'operator.json'), 'utf8'));
  operator = file.accounts[0];
  await useKeys(baseUrl);
  await useUsers(baseUrl, sink);
  await askForHealth(env);
  gather();
  const { logPosition } = await operate(baseUrl, operator, 'GET', '/state');
  await server.stop();
  gather();
  const command = ['--preload', './test/process/flip-archivist.ts', 'src/main.ts', 'serve'];
  const fault = { FLIP_AFTER_BATCH: `${logPosition + 2}`, FLIP_ASSET: 'USDT' };
  server = MainProcess.spawn([process.execPath, ...command], { ...env, ...fault });
  const again = await server.serving();
  await breakTheUserDatabase(again);
  await crash(again);
  gather();
  sink.stop();
});
afterAll(() => {
  server.signal('SIGKILL');
  directory.remove();
});

/** Collects the current files and outputs. */
function gather(): void {
  for (const path of listFiles(directory.path)) {
    places.push([path.slice(directory.path.length + 1), readFileSync(path)]);
  }
  places.push(['what it printed', Buffer.from(server.output)]);
  places.push(['what it answered', Buffer.from(answers.join('\n'))]);
}

async function useKeys(baseUrl: string): Promise<void> {
  await operate(baseUrl, operator, 'POST', '/assets', {
    asset: 'USDT',
    name: 'Tether',
    decimals: 6,
  });
  await operate(baseUrl, operator, 'POST', '/accounts', { accountId: 'alice' });
  const key = await makeKey(baseUrl, operator, 'alice', ['read', 'trade']);
  const elsewhere = await makeKey(baseUrl, operator, 'alice', ['read'], {
    addresses: ['192.0.2.1'],
  });
  secrets.set('the secret of a key', key.apiSecret);
  const hmac = await makeKey(baseUrl, operator, 'alice', ['read'], { type: 'hmac' });
  secrets.set('the secret of an HMAC key', hmac.apiSecret);
  await ask(baseUrl, 'GET', '/api/fees', keyHeaders(hmac));
  secrets.set('the secret of a key from elsewhere', elsewhere.apiSecret);
  await ask(baseUrl, 'GET', '/api/portfolio/balances', keyHeaders(key));
  await ask(baseUrl, 'GET', '/api/fees', keyHeaders(elsewhere));
  await ask(baseUrl, 'GET', '/api/fees', keyHeaders({ ...key, apiSecret: elsewhere.apiSecret }));
  await ask(baseUrl, 'GET', '/api/fees', { Authorization: `Bearer ${key.apiSecret}` });
  await ask(baseUrl, 'GET', `/api/nowhere/${key.apiSecret}`, {});
  await ask(baseUrl, 'POST', '/api/orders', keyHeaders(key), `{"symbol": ${key.apiSecret}`);
  const { port } = new URL(baseUrl);
  const stream = await StreamClient.open(Number(port));
  for (const message of [
    { ...key, apiSecret: elsewhere.apiSecret },
    { apiKey: key.apiSecret },
    key,
  ]) {
    stream.send({ op: 'auth', ...message });
    answers.push(JSON.stringify(await stream.next()));
  }
  stream.close();
  await operate(baseUrl, operator, 'DELETE', `/accounts/alice/keys/${key.apiKey}`);
  await ask(baseUrl, 'GET', '/api/fees', keyHeaders(key));
}

async function useUsers(baseUrl: string, sink: SmtpSink): Promise<void> {
  const browser = new RemoteBrowser(baseUrl);
  const post = async (path: string, body: object) => {
    const answer = await browser.account('POST', path, body);
    note(browser);
    return answer;
  };
  const attempt = async (path: string, body: object) =>
    void answers.push(JSON.stringify(await post(path, body)));
  secrets.set('a password', PASSWORD).set('the password after it', NEXT);
  await attempt('/sign-up', { email: EMAIL, password: PASSWORD, name: 'Carol' });
  const opening = await sink.tokenFor(EMAIL);
  secrets.set('the token of a sign-up', opening);
  await attempt('/verify-email', { token: opening, password: WRONG });
  await attempt('/verify-email', { token: opening, password: PASSWORD });
  await attempt('/verify-email', { token: opening, password: PASSWORD });
  const made = await post('/keys', { label: 'bot', permissions: ['read'], password: PASSWORD });
  secrets.set('the secret of a key made in the browser', made.data.apiSecret);
  await attempt('/keys', { label: 'bot', permissions: ['read'], password: WRONG });
  const offered = await post('/second-factor', { password: PASSWORD });
  totpSecret = offered.data.secret;
  await attempt('/second-factor/confirm', { code: '000000' });
  const code = await generate({ secret: totpSecret });
  const { data } = await post('/second-factor/confirm', { code });
  for (const [index, each] of data.recoveryCodes.entries())
    secrets.set(`recovery code ${index}`, each);
  await attempt('/sign-out', {});
  await attempt('/sign-in', { email: EMAIL, password: WRONG });
  await attempt('/sign-in', { email: EMAIL, password: PASSWORD });
  await attempt('/sign-in', { email: EMAIL, password: PASSWORD, code: data.recoveryCodes[0] });
  // A mail server may repeat the credentials when it rejects a login.
  sink.rejectsLogin = true;
  await attempt('/password-reset', { email: EMAIL });
  await server.printed(/was not sent/);
  sink.rejectsLogin = false;
  await attempt('/password-reset', { email: EMAIL });
  const reset = await sink.tokenFor(EMAIL);
  secrets.set('the token of a new password', reset);
  await attempt('/password-reset/confirm', { token: reset, password: NEXT });
  await attempt('/password-reset/confirm', { token: reset, password: NEXT });
  await attempt('/sign-in', { email: EMAIL, password: NEXT, code: data.recoveryCodes[1] });
  await attempt('/sign-in', { email: EMAIL, password: NEXT, code: data.recoveryCodes[1] });
  for (const path of ['', '/sessions', '/keys', '/passkeys']) {
    answers.push(JSON.stringify(await browser.account('GET', path)));
  }
  for (const path of ['/state', '/audit', '/audit/users', '/accounts', '/accounts/alice/keys']) {
    answers.push(JSON.stringify(await operate(baseUrl, operator, 'GET', path)));
  }
}

/** Reads metrics and settings of the exchange. */
async function askForHealth(env: Record<string, string>): Promise<void> {
  const [, admin] = await server.printed(/Health and metrics are served at (http:[^"\s]+)/);
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    places.push([
      `what it answered to ${path}`,
      Buffer.from(await (await fetch(admin + path)).bytes()),
    ]);
  }
  for (const json of [[], ['--json']]) {
    const { exitCode, out } = await runForTest(['config', ...json], env);
    expect(exitCode).toBe(0);
    places.push(['the settings', Buffer.from(out)]);
  }
}

/** Every cookie set in a browser. */
function note({ cookies }: RemoteBrowser): void {
  for (const [name, value] of cookies) {
    if (value !== '') secrets.set(`the cookie ${name} ${secrets.size}`, value);
  }
}

/** Causes internal errors, which are logged with their details. */
async function breakTheUserDatabase(baseUrl: string): Promise<void> {
  const database = new Database(join(directory.path, 'accounts.sqlite'));
  database.run('DROP TABLE links');
  database.run('DROP TABLE sessions');
  database.close();
  const browser = new RemoteBrowser(baseUrl);
  const forged = 'canaryCanaryCanaryCanaryCanaryCanaryCanary1';
  secrets.set('a forged cookie', forged);
  browser.cookies.set('__Host-buttonwood', forged);
  for (const [path, body] of [
    ['/verify-email', { token: forged, password: WRONG }],
    ['/password-reset/confirm', { token: forged, password: NEXT }],
    ['/password-reset', { email: EMAIL }],
  ] as const) {
    const answer = await browser.account('POST', path, body);
    expect(answer.error.code).toBe('INTERNAL_ERROR');
    answers.push(JSON.stringify(answer));
  }
  await browser.send('GET', '/api/account').then(
    (answer) => answers.push(JSON.stringify(answer)),
    () => {},
  );
}

/** Waits until the process finds its corrupted memory (flip-archivist.ts) and ends. */
async function crash(baseUrl: string): Promise<void> {
  places.push(['its command line', readFileSync(`/proc/${server.pid}/cmdline`)]);
  for (let count = 0; count < 50; count++) {
    const reference = `canary-${count}`;
    const credit = { account: 'alice', asset: 'USDT', amount: 1, reason: 'test', reference };
    const sent = operate(baseUrl, operator, 'POST', '/transfers', credit);
    if (
      (await sent.then(
        () => true,
        () => false,
      )) === false
    )
      break;
  }
  expect(await server.ended()).toBe(1);
}

async function ask(
  baseUrl: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<void> {
  const answer = await fetch(baseUrl + path, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  answers.push(JSON.stringify([...answer.headers]) + (await answer.text()));
}

/** Returns a secret in its plain form and in usual encodings. */
function encodedForms(secret: string): Buffer[] {
  const texts = [secret, Buffer.from(secret).toString('hex'), encodeURIComponent(secret)];
  return [...texts, ...base64Forms(secret)]
    .map((text) => Buffer.from(text))
    .concat(Buffer.from(secret, 'utf16le'));
}

/** Returns its base64 forms at any offset: three, without the characters shared with adjacent bytes. */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.from('\0'.repeat(before) + secret).toString('base64url');
    return text.slice(before === 0 ? 0 : before + 1, -1);
  });
}

function listFiles(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function whereIs(secret: string): string[] {
  const forms = encodedForms(secret);
  const found = places.filter(([, bytes]) => forms.some((form) => bytes.includes(form)));
  return [...new Set(found.map(([place]) => place))];
}

test('everything was searched, and rejections and failures were logged', () => {
  const output = places.filter(([place]) => place === 'what it printed').join('\n');
  for (const expected of ["archivist's state differs", 'was not sent', 'request failed']) {
    expect(output).toContain(expected);
  }
  expect(secrets.size).toBeGreaterThan(20);
  const names = places.map(([place]) => place);
  expect(names).toContain('the settings');
  expect(whereIs('buttonwood_requests_total')).toEqual(['what it answered to /metrics']);
  for (const file of ['accounts.sqlite-wal', 'history.sqlite', 'operator.json']) {
    expect(names).toContain(file);
  }
  for (const folder of ['log/', 'snapshots/']) {
    expect(names.some((name) => name.startsWith(folder))).toBe(true);
  }
});

test('a plain secret is found', () => {
  expect(whereIs(EMAIL)).toContain('accounts.sqlite-wal');
  const found = whereIs(operator.apiKey);
  expect(found.some((place) => place.startsWith('log/'))).toBe(true);
  expect(found.some((place) => place.startsWith('snapshots/'))).toBe(true);
});

test('an encoded secret is found', () => {
  const login = Buffer.from(`\0mailer\0${SMTP_PASSWORD}`).toString('base64');
  expect(encodedForms(SMTP_PASSWORD).some((form) => login.includes(form.toString()))).toBe(true);
});

test('no secret is in what it wrote, printed or answered', () => {
  const found = [...secrets].map(([what, secret]) => `${what}: ${whereIs(secret).join()}`);
  expect(found.filter((line) => !line.endsWith(': '))).toEqual([]);
});

test('the operator’s secret is in its credentials file, that of 2FA in the user database', () => {
  expect(whereIs(operator.apiSecret)).toEqual(['operator.json']);
  const places = whereIs(totpSecret);
  expect(places).not.toEqual([]);
  for (const place of places) expect(place).toStartWith('accounts.sqlite');
});

test('only the owner can read the files with secrets', () => {
  const modes = listFiles(directory.path)
    .filter((path) => /accounts\.sqlite|\.json$/.test(path))
    .map((path) => statSync(path).mode & 0o777);
  expect(modes.length).toBeGreaterThan(1);
  expect(new Set(modes)).toEqual(new Set([0o600]));
});

test('an invalid setting is not printed', async () => {
  const child = MainProcess.start(['serve'], {
    BUTTONWOOD_DATA: directory.path,
    BUTTONWOOD_SMTP_URL: `https://mailer:${SMTP_PASSWORD}@mail.example`,
    BUTTONWOOD_MAIL_FROM: 'a@b.example',
  });
  expect(await child.ended()).toBe(2);
  expect(child.output).toContain('BUTTONWOOD_SMTP_URL');
  expect(child.output).not.toContain(SMTP_PASSWORD);
});
