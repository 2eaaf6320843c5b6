import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandKind } from '../../src/engine/command.ts';
import { FileLog } from '../../src/log/file-log.ts';
import { DiskStorage } from '../../src/storage/disk-storage.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { appendBatch } from '../../src/testing/test-exchange.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

setDefaultTimeout(60_000);

const directory = temporaryDirectory();
const env = { BUTTONWOOD_DATA: directory.path };
let exchange: ExchangeProcess;

beforeAll(async () => {
  exchange = await ExchangeProcess.start(directory.path);
});
afterAll(async () => {
  await exchange.kill();
  directory.remove();
});

/** Runs a command that must succeed. @returns Its readable output. */
async function say(...argv: string[]): Promise<string> {
  const { exitCode, out, error } = await runForTest(argv, env);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
  return out;
}

/** Runs it with --json. @returns The text, because parsing would round its numbers. */
const json = (...argv: string[]) => say(...argv, '--json');

/** Runs a command that must fail. @returns The error as JSON, after checking its text form. */
async function refused(...argv: string[]) {
  const plain = await runForTest(argv, env);
  expect(plain).toMatchObject({ exitCode: 1, out: '' });
  const { exitCode, out, error } = await runForTest([...argv, '--json'], env);
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
  const parsed = JSON.parse(error).error;
  expect(plain.error).toStartWith(`buttonwood: ${parsed.message}`);
  return parsed;
}

/** Runs the command as a shell does. */
async function launch(argv: readonly string[], extra: Record<string, string> = {}) {
  const child = Bun.spawn(['node', join(import.meta.dir, '../../bin/buttonwood.mjs'), ...argv], {
    env: { ...process.env, ...env, ...extra },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, out, error };
}

test('accounts', async () => {
  expect(await say('account', 'create', 'carol')).toBe('Opened account carol.');
  expect(await json('account', 'create', 'dave', '--limit-class', '5')).toMatch(
    /^\{"account":\{"accountId":"dave","main":null,"name":null,"frozen":false,"closed":false,"limitClass":5,.*\},"created":true\}$/,
  );
  expect(await say('account', 'create', 'carol')).toBe('Account carol exists already.');
  expect(await refused('account', 'create', 'carol', '--limit-class', '2')).toMatchObject({
    code: 'INVALID_REQUEST',
  });
  expect(await say('account', 'freeze', 'dave')).toBe('Account dave is frozen.');
  expect(await say('account', 'list')).toMatch(/^dave +- +frozen +5 +0 +20/m);
  expect(await json('account', 'unfreeze', 'dave')).toContain('"frozen":false');
  expect(await json('account', 'freeze', 'dave')).toContain('"frozen":true');
  expect(await say('account', 'unfreeze', 'dave')).toBe('Account dave is no longer frozen.');
  expect(JSON.parse(await json('account', 'list')).accounts).toHaveLength(5);
  expect(await refused('account', 'freeze', 'nobody')).toMatchObject({
    code: 'NOT_FOUND',
    status: 404,
  });
});

/** Creates a key of alice, in her name, which may transfer. */
async function createTransferKey(): Promise<Record<string, string>> {
  const { users } = JSON.parse(readFileSync(join(directory.path, 'sandbox.json'), 'utf8'));
  const alice = users.find(({ email }: { email: string }) => email.startsWith('alice@'));
  const post = (path: string, body: object, headers = {}) =>
    fetch(`${exchange.baseUrl}/api/account${path}`, {
      method: 'POST',
      headers: { Origin: exchange.baseUrl, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const signedIn = await post('/sign-in', alice);
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
  const terms = { label: 'cli', permissions: ['read', 'transfer'], password: alice.password };
  const made = await post('/keys', terms, { Cookie: cookie });
  const { data } = (await made.json()) as { data: { apiKey: string; apiSecret: string } };
  return {
    BUTTONWOOD_URL: exchange.baseUrl,
    BUTTONWOOD_API_KEY: data.apiKey,
    BUTTONWOOD_API_SECRET: data.apiSecret,
  };
}

test('sub-accounts and transfers of a user, with their own key', async () => {
  const own = await createTransferKey();
  const asUser = async (...argv: string[]) => {
    const { exitCode, out, error } = await runForTest(argv, { ...env, ...own });
    return { exitCode, output: exitCode === 0 ? out : error };
  };
  expect((await asUser('sub-account', 'list')).output).toMatch(/^alice +main account +active +0 /m);
  const opened = await asUser('sub-account', 'create', 'Grid bot');
  const [sub] = /sub_[0-9a-f]{24}/.exec(opened.output)!;
  expect(opened.output).toBe(`Opened sub-account ${sub}.`);
  expect((await asUser('sub-account', 'create', 'Grid bot')).output).toContain('has this name');
  expect((await asUser('sub-account', 'rename', sub, 'Trend bot')).output).toContain('Trend bot');
  const move = ['transfer', sub, 'USDT', '250.5', '--client-id', 'c-1'];
  expect((await asUser(...move)).output).toMatch(/^Sent +250.5 USDT$/m);
  expect((await asUser(...move)).output).toContain('Nothing was moved.');
  expect((await asUser('transfer', 'alice', 'USDT', '0.5', '--from', sub)).exitCode).toBe(0);
  const listed = (await asUser('sub-account', 'list')).output;
  expect(listed).toMatch(/^sub_\w+ +Trend bot +active +0 +250 USDT$/m);
  for (const [argv, reason] of [
    [['transfer', sub, 'USDT', '99999999'], 'available'],
    [['transfer', sub, 'USDT', '1', '--from', 'bob'], 'No such sub-account'],
    [['sub-account', 'rename', 'bob', 'mine'], 'No such sub-account'],
    [['sub-account', 'close', sub], 'Sub-account still holds 250 USDT.'],
  ] as const) {
    const answer = await asUser(...argv);
    expect(answer.exitCode).toBe(1);
    expect(answer.output).toContain(reason);
  }
  expect(await say('account', 'list')).toMatch(new RegExp(`^${sub} +alice +active`, 'm'));
  expect((await asUser('transfer', 'alice', 'USDT', '250', '--from', sub)).exitCode).toBe(0);
  const closed = (await asUser('sub-account', 'close', sub)).output;
  expect(closed).toBe(`Sub-account ${sub} is closed, and its keys are revoked.`);
  expect((await asUser('sub-account', 'list')).output).toMatch(/^sub_\w+ +Trend bot +closed/m);
  expect(await say('account', 'list')).toMatch(new RegExp(`^${sub} +alice +closed`, 'm'));
  expect((await asUser('sub-account', 'reopen', sub)).output).toBe(`Sub-account ${sub} is open.`);
});

test('keys', async () => {
  const options = [
    '--permissions',
    'read,trade',
    '--label',
    'bot ü',
    '--expires',
    '2099-01-01T00:00:00Z',
  ];
  const made = await say(
    'key',
    'create',
    'carol',
    ...options,
    '--address',
    '127.0.0.1',
    '--address',
    '10.0.0.0/8',
  );
  const [, apiKey = ''] = made.match(/^API key +(bwk_[0-9a-f]+)$/m) ?? [];
  const [, apiSecret = ''] = made.match(/^API secret +(bws_[0-9a-f]+)$/m) ?? [];
  expect(made).toContain('Save the secret now');
  expect(made).toMatch(/^Addresses +127\.0\.0\.1, 10\.0\.0\.0\/8$/m);
  const balances = () => exchange.send({ apiKey, apiSecret }, 'GET', '/api/portfolio/balances');
  expect(await balances()).toMatchObject({ status: 200 });

  const listed = await say('key', 'list', 'carol');
  expect(listed).toContain(apiKey);
  expect(listed).toContain('bot ü');
  expect(listed).not.toContain(apiSecret);
  const change = (...options: string[]) => say('key', 'change', 'carol', apiKey, ...options);
  expect(await change('--label', 'grid bot', '--address', '192.0.2.1')).toMatch(
    /^Label +grid bot\nAddresses +192\.0\.2\.1$/m,
  );
  expect(await balances()).toMatchObject({ status: 403 });
  expect(await change('--any-address')).toMatch(/^Label +grid bot\nAddresses +any$/m);
  expect(await balances()).toMatchObject({ status: 200 });
  expect(await say('key', 'revoke', 'carol', apiKey)).toStartWith(`Revoked key ${apiKey} at 20`);
  expect(await balances()).toMatchObject({ status: 401 });

  const current = await say('key', 'current');
  expect(current).toMatch(/^Type +secret$/m);
  expect(current).toMatch(/^Permissions +.*operate/m);
  expect(current).toMatch(/^PATCH +\/api\/admin\/markets +off$/m);
  expect(JSON.parse(await json('key', 'current')).key.status).toBe('active');

  const other = JSON.parse(await json('key', 'create', 'carol', '--permissions', 'read'));
  expect(other).toMatchObject({ key: { permissions: ['read'], expiresAt: null, addresses: [] } });
  expect(other.apiSecret).toStartWith('bws_');
  expect(await json('key', 'revoke', 'carol', other.key.apiKey)).toContain('"revokedAt":"20');
  expect(JSON.parse(await json('key', 'list', 'carol')).keys).toHaveLength(2);
  const permissions = ['--permissions', 'read'];
  const hmac = await say('key', 'create', 'carol', ...permissions, '--type', 'hmac');
  expect(hmac).toMatch(/^Type +hmac$/m);
  expect(hmac).toMatch(/^API secret +bws_[0-9a-f]{72}$/m);
  expect(await say('key', 'list', 'carol')).toMatch(/^bwk_\w+ +hmac +read/m);
  expect(await say('key', 'list', 'dave')).toBe('The account has no keys.');
  expect(await refused('key', 'revoke', 'dave', apiKey)).toMatchObject({ code: 'NOT_FOUND' });
  const past = await refused('key', 'create', 'carol', ...permissions, '--expires', '0');
  expect(past).toMatchObject({ details: { field: 'expiresAt', rule: 'future' } });
});

test('users', async () => {
  expect(await say('users', 'list', 'carol')).toBe('carol has no users.');
  const invite = ['users', 'invite', 'carol', '--permissions', 'read', '--email'];
  expect(await say(...invite, 'Dora@example.com')).toMatch(
    /^Send this link to dora@example\.com\. .*#token=/s,
  );
  expect(JSON.parse(await json(...invite, 'erin@example.com'))).toMatchObject({
    email: 'erin@example.com',
  });
  const listed = JSON.parse(await json('users', 'list', 'carol')).users;
  expect(listed.map(({ email }: { email: string }) => email).sort()).toEqual([
    'dora@example.com',
    'erin@example.com',
  ]);
  expect(await say('users', 'list', 'carol')).toMatch(/^dora@example\.com +dora +read +no +20/m);

  const removed = await say('users', 'remove', 'carol', 'Dora@example.com');
  expect(removed).toMatch(
    /from carol and signed out all sessions\. Users left: 1\..*key list carol/s,
  );
  const again = await refused('users', 'remove', 'carol', 'dora@example.com');
  expect(again).toMatchObject({ code: 'NOT_FOUND', status: 404, details: { field: 'email' } });
  expect(again.message).toContain('dora@example.com');
  expect(await refused('users', 'remove', 'dave', 'erin@example.com')).toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(await refused('users', 'list', 'nobody')).toMatchObject({ code: 'NOT_FOUND' });
  expect(await runForTest(['users', 'remove', 'carol'], env)).toMatchObject({ exitCode: 2 });
  expect(await json('users', 'remove', 'carol', 'erin@example.com')).toBe('{"users":[]}');
});

test('networks, deposits and withdrawals', async () => {
  expect(await say('networks', 'list')).toBe('No asset has a network.');
  const network = ['networks', 'set', 'BTC', 'bitcoin'];
  expect(await runForTest([...network, '--decimals', '8'], env)).toMatchObject({ exitCode: 2 });
  const added = [...network, '--decimals', '8', '--confirmations', '3'];
  expect(await say(...added, '--min-deposit', '0.0001')).toContain('bitcoin of BTC is added.');
  expect(await say(...network, '--withdrawals', 'off')).toContain('bitcoin of BTC is changed.');
  const { networks } = JSON.parse(await json('networks', 'list'));
  expect(networks).toHaveLength(1);
  expect(networks[0]).toMatchObject({
    ...{ minDeposit: 0.0001, confirmations: 3, memo: 'none', addressCoolingMs: 86_400_000 },
    ...{ deposits: true, withdrawals: false },
  });
  const { publicKey } = generateKeyPairSync('ed25519');
  const path = join(directory.path, 'custodian.pem');
  writeFileSync(path, publicKey.export({ format: 'pem', type: 'spki' }));
  await say('custodian', 'set-key', '--public-key', path);
  const der = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64');
  expect(await say('custodian', 'show')).toContain(der);
  expect(await say('deposits', 'list')).toBe('No deposit waits for a decision.');
  expect(await json('withdrawals', 'list')).toBe('{"withdrawals":[],"requiredApprovals":2}');
  const decisions = [
    ['deposits', 'resolve', '12', 'credit', '--account', 'carol'],
    ['withdrawals', 'approve', '9'],
    ['withdrawals', 'reject', '9', '--reason', 'risk'],
  ];
  for (const decision of decisions) {
    expect(await refused(...decision)).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  }
});

test('credits and debits, exact and once per reference', async () => {
  const amount = '123456789012.0123456789';
  const credit = ['credit', 'carol', 'USDT', amount, '--reason', 'bank transfer'];
  const made = await say(...credit);
  expect(made).toMatch(/^Credited +123456789012\.0123456789 USDT$/m);
  expect(made).toMatch(/^Reference +cli-[0-9a-f-]{36}$/m);
  const repeated = [...credit, '--reference', 'bank-1'];
  expect(await json(...repeated)).toMatch(/"amount":123456789012\.0123456789,.*"created":true/);
  expect(await json(...repeated)).toMatch(
    /"created":false,"available":246913578024\.0246913578\}$/,
  );
  expect(await say(...repeated)).toStartWith('This reference was already used');
  expect(await say('debit', 'carol', 'USDT', amount, '--reason', 'back')).toMatch(/^Debited/);
  expect(await json('debit', 'carol', 'USDT', '0.0000000001', '--reason', 'dust')).toContain(
    '"amount":-0.0000000001,',
  );
  expect(await say('balances', 'carol')).toMatch(/^USDT +123456789012\.0123456788 +1/m);
  expect(await json('balances', 'carol')).toBe(
    '{"balances":[{"asset":"USDT","total":123456789012.0123456788,"available":123456789012.0123456788,"held":0}]}',
  );
  expect(await say('balances', 'dave')).toBe('dave has no balances.');

  const short = await refused('debit', 'dave', 'USDT', '5', '--reason', 'x');
  expect(short).toMatchObject({ code: 'INSUFFICIENT_BALANCE', details: { required: 5 } });
  expect(
    await refused('credit', 'carol', 'USDT', '1', '--reason', 'x', '--reference', 'bank-1'),
  ).toMatchObject({ code: 'DUPLICATE_REFERENCE', status: 409 });
  expect(await refused('credit', 'carol', 'XXX', '1', '--reason', 'x')).toMatchObject({
    code: 'NOT_FOUND',
  });
});

const RULES = [
  '--tick',
  '0.001',
  '--step',
  '0.0001',
  '--max-price',
  '1e5',
  '--max-amount',
  '1000',
  '--min-notional',
  '0.5',
  '--maker-fee',
  '0',
  '--taker-fee',
  '0.002',
  '--reference-price',
  '1.25',
];

test('assets and markets', async () => {
  expect(await say('asset', 'create', 'EUR', '--name', 'Euro', '--decimals', '8')).toMatch(
    /EUR +Euro +8/,
  );
  expect(await json('asset', 'create', 'GBP', '--name', 'Pound', '--decimals', '8')).toBe(
    '{"asset":{"asset":"GBP","name":"Pound","decimals":8}}',
  );
  expect(await say('asset', 'list')).toMatch(/^BTC +Bitcoin +13$/m);
  expect(JSON.parse(await json('asset', 'list')).assets).toHaveLength(6);

  expect(await say('market', 'create', 'BTC/EUR', ...RULES)).toMatch(/^Price +0\.001 to 100000$/m);
  expect(await json('market', 'create', 'BTC/GBP', ...RULES)).toContain('"stepSize":0.0001,');
  expect(await refused('market', 'create', 'BTC/GBP', ...RULES)).toMatchObject({
    code: 'INVALID_REQUEST',
  });
  expect(await say('market', 'list')).toMatch(/^BTC\/EUR +online +1\.25 /m);
  expect(JSON.parse(await json('market', 'list')).markets).toHaveLength(6);

  expect(await say('market', 'status', 'BTC/EUR', 'post_only')).toBe('BTC/EUR is post_only.');
  expect(await json('market', 'status', 'BTC/EUR', 'online')).toContain('"status":"online"');
  expect(await say('market', 'halt', 'BTC/EUR')).toBe('BTC/EUR is halted.');
  expect(await json('market', 'halt', 'BTC/GBP')).toContain('"status":"halted"');
  expect(await say('market', 'resume', 'BTC/EUR')).toBe('BTC/EUR is online.');
  expect(await json('market', 'resume', 'BTC/GBP')).toContain('"status":"online"');
  expect(await refused('market', 'halt', 'XXX/YYY')).toMatchObject({ code: 'INVALID_SYMBOL' });
});

test('a market is changed and delisted', async () => {
  const market = ['market', 'change', 'BTC/GBP'];
  expect(await say(...market, '--taker-fee', '0.003')).toMatch(/^Taker fee +0\.003$/m);
  expect(await refused(...market, '--tick', '0.0001')).toMatchObject({ code: 'INVALID_REQUEST' });
  const order = { symbol: 'BTC/USDT', side: 'sell', type: 'limit', amount: 0.5, price: 200_000.01 };
  const alice = exchange.credential('alice');
  await exchange.send(alice, 'POST', '/api/orders', JSON.stringify(order));
  const grid = ['market', 'change', 'BTC/USDT', '--tick', '0.5', '--min-price', '0.5'];
  const preview = await say(...grid, '--preview');
  expect(preview).toMatch(/ alice +BTC\/USDT +sell +limit +200000\.01 +0\.5 +0 +open$/m);
  expect(preview).toEndWith('would be rejected if placed again: 1. Nothing was changed.');

  expect(await say('order', 'list', 'alice')).toMatch(/ alice +BTC\/USDT +sell/m);
  const { orderId } = (await exchange.send(alice, 'GET', '/api/orders')).json.data.orders[0];
  const asAlice = {
    ...env,
    BUTTONWOOD_API_KEY: alice.apiKey,
    BUTTONWOOD_API_SECRET: alice.apiSecret,
    BUTTONWOOD_URL: exchange.baseUrl,
  };
  const timeline = await runForTest(['order', 'timeline', orderId], asAlice);
  expect(timeline.out).toMatch(/^ *\d+ +2\S+Z +placed +200000\.01 +0\.5/m);
  expect(timeline.out).toMatch(/^Not filled: /m);
  expect(await json('order', 'list', 'bob')).toBe('{"orders":[],"nextCursor":null}');
  expect(await say('order', 'list', 'bob')).toBe('bob has no open orders.');
  expect(await say('order', 'cancel', 'alice', '--symbol', 'ETH/USDT')).toBe(
    'No orders to cancel.',
  );
  expect(await json('order', 'cancel', 'alice', '--all')).toContain('"reason":"operator"');
  expect(await say('market', 'delist', 'BTC/GBP', '--preview')).toBe(
    'Open orders that would end: 0. Nothing was changed.',
  );
  expect(await say('market', 'delist', 'BTC/GBP')).toBe(
    'BTC/GBP is delisted. Open orders being canceled: 0.',
  );
  expect(await refused('market', 'resume', 'BTC/GBP')).toMatchObject({ code: 'INVALID_REQUEST' });
});

test('fee tiers', async () => {
  expect(await say('fee', 'list')).toStartWith('There are no fee tiers');
  const tiers = ['--tier', '1000:0.0006:0.0009', '--tier', '1e6:0:0.0005'];
  expect(await say('fee', 'set', 'USDT', ...tiers)).toMatch(/^ +2 +1000000 +0 +0\.0005$/m);
  expect(await json('fee', 'list')).toContain('"volumeAsset":"USDT"');
  expect(await say('account', 'fee-tier', 'dave', '2')).toBe('The fee tier of dave is 2.');
  expect(await refused('account', 'fee-tier', 'dave', '3')).toMatchObject({
    code: 'INVALID_REQUEST',
  });
  expect(await json('account', 'fee-tier', 'dave', 'volume')).toContain('"feeTier":"volume"');
  // There is no terminal to ask in.
  expect(await launch(['fee', 'set', 'USDT'])).toMatchObject({ exitCode: 2, out: '' });
  expect(await say('fee', 'list')).toContain('1000000');
  expect(await say('fee', 'set', 'USDT', '--yes')).toStartWith('There are no fee tiers');
});

test('a discount, a referral share and a referrer', async () => {
  expect(await say('fee', 'programs')).toBe(
    'There is no fee discount.\nReferrers receive 0 of the fees.',
  );
  expect(await say('fee', 'discount', 'SOL', '1000.5', '0.25')).toStartWith(
    'Accounts that own at least 1000.5 SOL pay fees less 0.25 of them.',
  );
  expect(await json('fee', 'referral-share', '0.2')).toContain('"referralShare":0.2');
  expect(await say('account', 'referrer', 'dave', 'alice')).toBe('dave was referred by alice.');
  expect(await refused('account', 'referrer', 'dave', 'bob')).toMatchObject({
    code: 'INVALID_REQUEST',
  });
  expect(await say('fee', 'discount', 'SOL', '1', '0')).toStartWith('There is no fee discount.');
});

test('price alerts, notices and webhooks of the key', async () => {
  const { apiKey, apiSecret } = exchange.credential('alice');
  const key = {
    BUTTONWOOD_URL: exchange.baseUrl,
    BUTTONWOOD_API_KEY: apiKey,
    BUTTONWOOD_API_SECRET: apiSecret,
  };
  const say = async (...argv: string[]) => {
    const { out, error } = await runForTest(argv, key);
    return out || error;
  };
  expect(await say('alert', 'list')).toBe('There are no price alerts.');
  const terms = ['BTC/JPY', 'above', '250000', '--note', 'sell'];
  expect(await say('alert', 'create', ...terms)).toContain('(INVALID_SYMBOL, HTTP 400,');
  const created = await say('alert', 'create', 'BTC/USDT', ...terms.slice(1));
  const [, alert] = /^Created alert (pa_\w+): BTC\/USDT above 250000\.$/.exec(created)!;
  expect(await say('alert', 'list')).toMatch(/BTC\/USDT +above +250000 +waiting +sell$/m);
  expect(await say('alert', 'delete', alert!)).toBe(`Deleted alert ${alert}.`);
  expect(await say('alert', 'delete', alert!)).toContain('(NOT_FOUND, HTTP 404,');
  expect(await say('notice', 'list', '--limit', '5')).toBe('There are no notices.');

  const url = 'http://127.0.0.1:1/hook';
  const made = await say('webhook', 'create', url, '--event', 'order.*', '--event', 'price.alert');
  const [, webhook] = /^Created webhook (wh_\w+) to http.*\nSecret: whsec_\S+$/.exec(made)!;
  expect(await say('webhook', 'list')).toContain('order.*,price.alert');
  expect(await say('webhook', 'deliveries', webhook!)).toBe('Nothing was sent yet.');
  expect(await say('webhook', 'test', webhook!)).toStartWith('The test event was not accepted: ');
  expect(await say('webhook', 'deliveries', webhook!)).toContain('webhook.test');
  expect(await say('webhook', 'pause', webhook!)).toBe(`Webhook ${webhook} is paused.`);
  expect(await say('webhook', 'resume', webhook!)).toBe(`Webhook ${webhook} is active.`);
  expect(await say('webhook', 'delete', webhook!)).toBe(`Deleted webhook ${webhook}.`);
  expect(await say('webhook', 'list')).toBe('There are no webhooks.');
});

test('a limit class', async () => {
  expect(await say('account', 'limit-class', 'dave', '3')).toBe(
    'The rate-limit multiplier of dave is 3.',
  );
});

test('the command as a shell runs it: streams and exit codes', async () => {
  const state = await launch(['state', '--json']);
  expect(state).toMatchObject({ exitCode: 0, error: '' });
  expect(state.out).toMatch(/^\{.*\}\n$/);
  expect(await launch(['balances', 'nobody'])).toMatchObject({ exitCode: 1, out: '' });
  const wrong = await launch(['balnces', 'alice']);
  expect(wrong).toMatchObject({ exitCode: 2, out: '' });
  expect(wrong.error).toContain('Did you mean balances?');
  expect(await launch(['state', '--url', 'http://127.0.0.1:1'])).toMatchObject({ exitCode: 3 });
  expect((await launch(['serve', '--help'])).out).toContain('PORT');
});

test('a key without the operate permission is rejected', async () => {
  const { apiKey, apiSecret } = exchange.credential('alice');
  const { exitCode, error } = await runForTest(['state', '--url', exchange.baseUrl], {
    BUTTONWOOD_API_KEY: apiKey,
    BUTTONWOOD_API_SECRET: apiSecret,
  });
  expect(exitCode).toBe(1);
  expect(error).toContain('INSUFFICIENT_PERMISSIONS, HTTP 403');
});

test('faucet and accounts of the sandbox', async () => {
  expect(await say('sandbox', 'faucet', 'bob', 'btc')).toBe('Credited bob with 1 BTC.');
  expect(await say('balances', 'bob')).toMatch(/^BTC +101 /m);
  const wrong = await runForTest(['sandbox', 'faucet', 'bob', 'DOGE'], env);
  expect(wrong).toMatchObject({ exitCode: 2 });
  expect(await refused('sandbox', 'faucet', 'nobody', 'BTC')).toMatchObject({ code: 'NOT_FOUND' });

  const { apiKey, apiSecret, created } = JSON.parse(await json('sandbox', 'account', 'erin'));
  expect(created).toBe(true);
  const { json: balances } = await exchange.send(
    { apiKey, apiSecret },
    'GET',
    '/api/portfolio/balances',
  );
  expect(balances.data.balances).toContainEqual({
    asset: 'USDT',
    total: 1_000_000,
    available: 1_000_000,
    held: 0,
  });
  // A repetition creates another key, but credits nothing.
  expect(await say('sandbox', 'account', 'erin')).toMatch(/^Exists +erin$/m);
  expect(await say('balances', 'erin')).toMatch(/^BTC +100 /m);
});

test('verify reports the state that the node showed, and skip lets a stopped exchange continue', async () => {
  const order = (side: string) =>
    `{"symbol":"BTC/USDT","side":"${side}","type":"limit","amount":0.3,"price":45000}`;
  await exchange.send(exchange.credential('alice'), 'POST', '/api/orders', order('buy'));
  await exchange.send(exchange.credential('bob'), 'POST', '/api/orders', order('sell'));
  await exchange.send(exchange.credential('alice'), 'POST', '/api/orders', order('buy'));

  expect(await refused('verify')).toMatchObject({ code: 'IN_USE' });
  expect(await say('state')).toMatch(/^BTC +\S+ +0 +\S+ +\S+ +yes$/m);
  const text = await json('state');
  expect(text).toMatch(/"asset":"USDT","available":[0-9.]+,"held":13500,"fees":\d/);
  const shown = JSON.parse(text);
  expect((await exchange.stop()).exitCode).toBe(0);

  const { logPosition, stateHash, openOrders } = shown;
  const verified = JSON.parse(await json('verify'));
  expect(verified).toMatchObject({
    sound: true,
    logPosition,
    stateHash,
    openOrders: 1,
    accounts: 7,
  });
  expect(openOrders).toBe(1);
  expect(verified.snapshots).toContain(logPosition);
  expect(await say('verify')).toContain('the books balance');

  const log = await FileLog.open({
    storage: new DiskStorage(),
    directory: join(directory.path, 'log'),
  });
  await appendBatch(log, Date.now(), [{ kind: CommandKind.open, version: 1, sandbox: true }]);
  await log.close();
  const place = ['--sequence', `${logPosition + 1}`, '--index', '0'];
  const stopped = await launch(['start'], { PORT: '0' });
  expect(stopped.exitCode).toBe(1);
  expect(stopped.error).toContain(`buttonwood skip --data DIR ${place.join(' ')} --reason`);
  expect(await runForTest(['verify'], env)).toMatchObject({ exitCode: 1 });

  const skipped = await launch(['skip', ...place, '--reason', 'ticket 12']);
  expect(skipped).toMatchObject({ exitCode: 0, error: '' });
  exchange = await ExchangeProcess.start(directory.path);
  expect(JSON.parse(await json('state')).logPosition).toBe(logPosition + 2);
}, 60_000);
