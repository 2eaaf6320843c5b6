import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, configWarning, readConfig, showConfig } from '../src/config/config.ts';
import { masked } from '../src/config/mask.ts';
import { settings, toFlag } from '../src/config/settings.ts';

/** Settings of users and mail. */

test('mail and the public URL are read as they are set', () => {
  const env = {
    BUTTONWOOD_SMTP_URL: 'smtps://user:secret@mail.example:465',
    BUTTONWOOD_MAIL_FROM: 'Exchange <no-reply@exchange.example>',
    BUTTONWOOD_PUBLIC_URL: 'https://Exchange.example/',
  };
  expect(readConfig(env, false)).toMatchObject({
    mail: { smtpUrl: env.BUTTONWOOD_SMTP_URL, from: env.BUTTONWOOD_MAIL_FROM },
    publicUrl: 'https://exchange.example',
  });
  expect(readConfig({}, false)).not.toContainAnyKeys(['mail', 'publicUrl']);
});

test.each([
  [{ BUTTONWOOD_SMTP_URL: 'smtp://mail.example' }, 'BUTTONWOOD_MAIL_FROM'],
  [{ BUTTONWOOD_MAIL_FROM: 'a@example.com' }, 'BUTTONWOOD_SMTP_URL'],
  [{ BUTTONWOOD_PUBLIC_URL: 'exchange.example' }, 'BUTTONWOOD_PUBLIC_URL'],
  [{ BUTTONWOOD_PUBLIC_URL: 'https://exchange.example/path' }, 'BUTTONWOOD_PUBLIC_URL'],
  [{ BUTTONWOOD_PUBLIC_URL: 'https://user@exchange.example' }, 'BUTTONWOOD_PUBLIC_URL'],
])('%o is rejected', (env, named) => {
  expect(() => readConfig(env, false)).toThrow(named);
});

test('an invalid mail server is rejected without showing its password', () => {
  const env = {
    BUTTONWOOD_SMTP_URL: 'http://user:secret@mail',
    BUTTONWOOD_MAIL_FROM: 'a@b.example',
  };
  expect(() => readConfig(env, false)).toThrow('BUTTONWOOD_SMTP_URL');
  expect(() => readConfig(env, false)).not.toThrow('secret');
});

test('a proxy that terminates TLS without a public URL causes a warning', () => {
  const proxy = { BUTTONWOOD_TRUSTED_PROXIES: '10.0.0.1' };
  const doubt = (env: Record<string, string>) => configWarning(readConfig(env, false));
  expect(doubt(proxy)).toContain('BUTTONWOOD_PUBLIC_URL is not');
  expect(doubt({ ...proxy, BUTTONWOOD_PUBLIC_URL: 'https://exchange.example' })).toBeUndefined();
  expect(doubt({})).toBeUndefined();
  const file = settingsFile({});
  const certificate = { BUTTONWOOD_TLS_CERT: file, BUTTONWOOD_TLS_KEY: file };
  expect(doubt({ ...proxy, ...certificate })).toBeUndefined();
});

test('keys of a seed cause a warning if other machines reach the sandbox', () => {
  const frozen = { BUTTONWOOD_CLOCK: 'frozen', BUTTONWOOD_TRUSTED_PROXIES: '10.0.0.1' };
  const warning = (env: Record<string, string>) => configWarning(readConfig(env, true));
  const reached = {
    ...frozen,
    BUTTONWOOD_HOST: '0.0.0.0',
    BUTTONWOOD_PUBLIC_URL: 'https://a.example',
  };
  expect(warning(reached)).toContain('follow from the seed 1792');
  expect(warning({ ...reached, BUTTONWOOD_CLOCK: 'real' })).toBeUndefined();
  expect(warning({ BUTTONWOOD_CLOCK: 'frozen' })).toBeUndefined();
});

/** Sources of values. */

test('a flag overrides the environment, which overrides the file, which overrides the default', () => {
  const path = settingsFile({
    port: 1,
    host: 'localhost',
    node: 'in-file',
    trustedProxies: ['10.0.0.1', '::1'],
  });
  const env = {
    BUTTONWOOD_CONFIG: path,
    PORT: '2',
    BUTTONWOOD_NODE: 'in-environment',
    BUTTONWOOD_HOST: '',
  };
  expect(readConfig(env, false, new Map([['node', 'flag']]))).toMatchObject({
    port: 2,
    host: 'localhost',
    node: 'flag',
    dataDirectory: './data',
    trustedProxies: ['10.0.0.1', '::1'],
  });
  const other = settingsFile({ port: 3 });
  const flags = new Map([['config', other]]);
  expect(readConfig({ BUTTONWOOD_CONFIG: path }, false, flags)).toMatchObject({ port: 3 });
  expect(showConfig(env, false, new Map([['node', 'flag']]))).toEqual(
    expect.arrayContaining([
      { name: 'port', value: '2', from: 'PORT' },
      { name: 'host', value: 'localhost', from: `host in ${path}` },
      { name: 'data', value: './data', from: 'default' },
      { name: 'node', value: 'flag', from: '--node' },
    ]),
  );
});

test('explorers are listed by network, and a wrong one prevents the start', () => {
  const path = settingsFile({
    explorers: [
      'bitcoin=https://one.example/{transaction}',
      'ton=https://two.example/{transaction}',
    ],
  });
  expect([...readConfig({ BUTTONWOOD_CONFIG: path }, true).explorers.keys()]).toEqual([
    'bitcoin',
    'ton',
  ]);
  const env = { BUTTONWOOD_EXPLORERS: 'bitcoin=http://one.example/{transaction}' };
  expect(() => readConfig(env, true)).toThrow(
    'BUTTONWOOD_EXPLORERS must be a list of NETWORK=URL, each of another network, with an https URL',
  );
});

test('the defaults never change', () => {
  expect(readConfig({}, true)).toEqual({
    port: 3000,
    host: '127.0.0.1',
    dataDirectory: './data',
    rateLimits: 'spec',
    hasHmacKeys: true,
    sealKeys: [],
    signingKey: 1,
    explorers: new Map(),
    trustedProxies: [],
    webhookNetworks: ['127.0.0.0/8', '::1/128'],
    surveillanceExempt: [],
    isSandbox: true,
    hasBinance: true,
    hasMakers: true,
    seed: 1792,
    clock: { mode: 'real', speed: 1 },
    clockStart: Date.UTC(2026, 0, 1),
    drainSeconds: 0,
    log: { kind: 'file' },
    database: { kind: 'sqlite' },
    node: expect.stringMatching(/^[\w-]{1,64}$/),
  });
  expect(readConfig({}, false)).toMatchObject({
    hasBinance: false,
    hasMakers: false,
    hasHmacKeys: false,
    drainSeconds: 5,
  });
});

test.each([
  ['PORT', '65536', 'PORT must be a whole number from 0 to 65535, not "65536".'],
  ['PORT', '80 ', 'not "80 "'],
  [
    'BUTTONWOOD_RATE_LIMITS',
    'none',
    'BUTTONWOOD_RATE_LIMITS must be one of spec, 10x, off, not "none".',
  ],
  ['BUTTONWOOD_NODE', 'a.b', 'BUTTONWOOD_NODE must be 1 to 64 of'],
  ['BUTTONWOOD_NODE', 'a'.repeat(65), 'BUTTONWOOD_NODE must be 1 to 64 of'],
  ['BUTTONWOOD_LOG_REPLICAS', '3', 'BUTTONWOOD_LOG_REPLICAS is only for a cluster'],
  ['BUTTONWOOD_LOG', 'nats://host', 'BUTTONWOOD_DATABASE'],
  ['BUTTONWOOD_SEED', '1', 'BUTTONWOOD_SEED is only for the sandbox'],
  ['BUTTONWOOD_ADMIN_PORT', 'on', 'BUTTONWOOD_ADMIN_PORT must be a whole number'],
  ['BUTTONWOOD_DRAIN_SECONDS', '-1', 'BUTTONWOOD_DRAIN_SECONDS must be a whole number'],
  ['BUTTONWOOD_CONFIG', '/nowhere/at/all.json', '/nowhere/at/all.json cannot be read'],
])('%s=%s is rejected with its name', (variable, value, message) => {
  expect(() => readConfig({ [variable]: value }, false)).toThrow(message);
});

test.each([
  [{ prot: 1 }, '"prot" in '],
  [{ port: null }, 'port in '],
  [{ port: { is: 1 } }, 'port in '],
  [{ port: 'x' }, 'must be a whole number'],
  [['port'], 'must be a JSON object'],
])('a file with %o is rejected', (content, message) => {
  expect(() => readConfig({ BUTTONWOOD_CONFIG: settingsFile(content) }, false)).toThrow(message);
});

const [ONES, AS] = ['1'.repeat(64), 'aA'.repeat(32)];

test('sealing keys are a list in which each has another id', () => {
  const read = (keys: string) =>
    readConfig({ BUTTONWOOD_HMAC_KEYS: 'on', BUTTONWOOD_SEAL_KEYS: keys }, false).sealKeys;
  const expected = [
    { id: '2026-11', key: new Uint8Array(32).fill(0x11) },
    { id: 'b_', key: new Uint8Array(32).fill(0xaa) },
  ];
  for (const between of [',', ', ', '\n', '\r\n', ',\n\n']) {
    expect(read(`2026-11:${ONES}${between}b_:${AS}${between}`)).toEqual(expected);
  }
});

test.each([
  ONES,
  `:${ONES}`,
  `a:${ONES}1`,
  `a:${ONES.slice(1)}`,
  `a:${ONES.slice(1)}g`,
  `a.b:${ONES}`,
  `${'a'.repeat(33)}:${ONES}`,
  `a:${ONES};b:${AS}`,
  `a:${ONES},a:${AS}`,
  `a:${ONES},b`,
  ',',
])('the sealing keys %p are rejected, and not printed', (keys) => {
  const env = { BUTTONWOOD_HMAC_KEYS: 'on', BUTTONWOOD_SEAL_KEYS: keys };
  expect(() => readConfig(env, false)).toThrow(
    new ConfigError(
      'BUTTONWOOD_SEAL_KEYS must be a list of ID:HEX, each with another id of A-Z a-z 0-9 _ - and 64 hex digits ' +
        '(openssl rand -hex 32).',
    ),
  );
});

test('HMAC keys need a sealing key, except in a sandbox', () => {
  const env = { BUTTONWOOD_HMAC_KEYS: 'on' };
  expect(() => readConfig(env, false)).toThrow('BUTTONWOOD_SEAL_KEYS_FILE');
  expect(readConfig(env, true).sealKeys).toEqual([]);
  expect(readConfig({}, false).hasHmacKeys).toBe(false);
});

// The log and the database of a cluster.

const POSTGRES = 'postgres://bob:pa%24s@db.example/exchange?sslmode=require';

test('a log on NATS', () => {
  const env = {
    BUTTONWOOD_LOG: 'nats://carol:p%40ss@one.example,nats://two.example:5222',
    BUTTONWOOD_LOG_SYSTEM: 'nats://sys:tem@one.example',
    BUTTONWOOD_LOG_REPLICAS: '1',
    BUTTONWOOD_DATABASE: POSTGRES,
  };
  const config = readConfig(env, true);
  expect(config).toMatchObject({ database: { kind: 'postgres', url: POSTGRES }, hasMakers: false });
  expect(config.log).toEqual({
    kind: 'jetstream',
    servers: ['one.example:4222', 'two.example:5222'],
    isTls: false,
    user: 'carol',
    password: 'p@ss',
    stream: 'buttonwood',
    replicas: 1,
    sync: 'checked',
    system: { servers: ['one.example:4222'], isTls: false, user: 'sys', password: 'tem' },
  });
  const encrypted = readConfig(
    { BUTTONWOOD_LOG: 'tls://[::1]:1', BUTTONWOOD_DATABASE: POSTGRES },
    false,
  );
  expect(encrypted.log).toMatchObject({ servers: ['[::1]:1'], isTls: true });
  expect(readConfig({ BUTTONWOOD_DATABASE: POSTGRES }, false).log).toEqual({ kind: 'file' });
});

test.each([
  ['BUTTONWOOD_LOG', 'nats://user@host'],
  ['BUTTONWOOD_LOG', 'nats://a:canary@host,nats://b:canary@host'],
  ['BUTTONWOOD_LOG', 'nats://a:canary@host,tls://host'],
  ['BUTTONWOOD_LOG', 'nats://a:canary@host/path'],
  ['BUTTONWOOD_LOG', 'nats://a:can,ary@host'],
  ['BUTTONWOOD_LOG', 'nats://a:%canary@host'],
  ['BUTTONWOOD_LOG', 'http://a:canary@host'],
  ['BUTTONWOOD_LOG_SYSTEM', 'nats://canary.example'],
  ['BUTTONWOOD_DATABASE', 'mysql://a:canary@host/name'],
  ['BUTTONWOOD_DATABASE', 'postgres://a:canary@host'],
])('%s=%s is rejected without being shown', (variable, value) => {
  const env = { BUTTONWOOD_LOG: 'nats://host', BUTTONWOOD_DATABASE: POSTGRES, [variable]: value };
  expect(() => readConfig(env, false)).toThrow(`${variable} must be `);
  expect(() => readConfig(env, false)).not.toThrow('canary');
});

test('a secret can be in its own file, but not be set twice', () => {
  const path = settingsFile(POSTGRES, (text) => `${text}\n`);
  const env = { BUTTONWOOD_DATABASE_FILE: path };
  expect(readConfig(env, false).database).toEqual({ kind: 'postgres', url: POSTGRES });
  expect(() => readConfig({ ...env, BUTTONWOOD_DATABASE: 'sqlite' }, false)).toThrow('not both');
  const missing = { BUTTONWOOD_DATABASE_FILE: '/nowhere/at/all' };
  expect(() => readConfig(missing, false)).toThrow('BUTTONWOOD_DATABASE_FILE');
});

test('a user and password exclude a .creds file', () => {
  const path = settingsFile('creds', String);
  const env = { BUTTONWOOD_DATABASE: POSTGRES, BUTTONWOOD_LOG_CREDENTIALS: path };
  const named = readConfig({ ...env, BUTTONWOOD_LOG: 'nats://host' }, false);
  expect(named.log).toMatchObject({ credentialsPath: path });
  expect(() => readConfig({ ...env, BUTTONWOOD_LOG: 'nats://a:b@host' }, false)).toThrow(
    'not both',
  );
});

test.each([
  [
    'postgres://bob:canary@host/n?sslmode=require&password=canary',
    'postgres://bob:***@host/n?sslmode=require&password=***',
  ],
  ['nats://canary@host', 'nats://***@host'],
  ['nats://a:canary@b:1,nats://c', 'nats://a:***@b:1,nats://c'],
  ['nats://a:12,canary@b', '***'],
  ['smtps://mail.example', 'smtps://mail.example'],
  ['file', 'file'],
  ['Canary!', '***'],
  ['one:canary', '***'],
  ['one:canary,two:canary', '***'],
])('%s is printed as %s', (text, shown) => {
  expect(masked(text)).toBe(shown);
});

const directory = mkdtempSync(join(tmpdir(), 'buttonwood-config-'));
afterAll(() => rmSync(directory, { recursive: true }));
let files = 0;

/** Creates a file with this content. @returns Its path. */
function settingsFile(
  content: unknown,
  write: (content: never) => string = JSON.stringify,
): string {
  const path = join(directory, `${++files}.json`);
  writeFileSync(path, write(content as never));
  return path;
}

/** Documentation of the settings. */

test('docs/operating/configure.md lists every setting as the table of settings has it', () => {
  const rows = settings.map((setting) => {
    const { name, variable, help, isSecret, isSandboxOnly, defaultIs, default: given } = setting;
    const notes = [...(isSecret ? ['secret'] : []), ...(isSandboxOnly ? ['sandbox only'] : [])];
    const cells = [`\`--${toFlag(name)}\``, `\`${variable}\``, defaultIs ?? given ?? ''];
    return `| ${[...cells, [help, ...notes].join('; ')].join(' | ')} |`;
  });
  const document = readFileSync(join(import.meta.dir, '../docs/operating/configure.md'), 'utf8');
  const written = document.split('\n').filter((line) => line.startsWith('| `--'));
  expect(written).toEqual(rows);
});
