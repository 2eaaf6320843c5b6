import { afterAll, beforeAll, expect, test } from 'bun:test';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { TestCustodian } from './custodian.ts';
import { TestExchange } from './exchange.ts';

/** The commands with which users deposit and withdraw, with a key of their own. */

let exchange: TestExchange;
let custodian: TestCustodian;
let server: ReturnType<typeof listen>;
let env: Record<string, string>;

beforeAll(async () => {
  exchange = await TestExchange.open();
  custodian = await TestCustodian.open(exchange);
  const streams = new Streams(exchange.services, exchange.authorization);
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'off', trustedProxies: [] } as const;
  server = listen(exchange.gateway, config, streams);
  const terms = { addresses: ['127.0.0.1'] };
  const key = await exchange.addKey('payer', 'alice', ['read', 'trade', 'withdraw'], terms);
  // Withdrawals of a new key wait.
  exchange.now += 60_000;
  env = {
    BUTTONWOOD_URL: `http://127.0.0.1:${server.port}`,
    BUTTONWOOD_API_KEY: key.apiKey,
    BUTTONWOOD_API_SECRET: key.apiSecret,
  };
});
afterAll(async () => {
  await server.stop();
  await exchange.close();
});

/** Runs a command. @returns What it printed; of a failed one the error, after its exit code. */
async function run(...argv: string[]): Promise<string> {
  const { exitCode, out, error } = await runForTest(argv, env);
  return exitCode === 0 ? out : `${exitCode} ${error}`;
}

test('a deposit address is asked for, and deposits to it are listed', async () => {
  expect(await run('wallet', 'deposits')).toBe('No deposits.');
  expect(await run('wallet', 'deposit-address', 'BTC', 'bitcoin')).toBe(
    'The custodian has been asked for an address. Repeat the command to see it.',
  );
  const place = { asset: 'BTC', network: 'bitcoin', address: 'bc1qown' };
  await custodian.report('/addresses', { ...place, account: 'alice' });
  expect(await run('wallet', 'deposit-address', 'BTC', 'bitcoin')).toMatch(/^Address +bc1qown$/m);
  const payment = { ...place, transaction: 'tx-1', index: 0, amount: 0.5, confirmations: 2 };
  await custodian.report('/deposits', { ...payment, report: 1 });
  expect((await run('wallet', 'deposits')).split('\n')[1]).toMatch(
    /^\d+ +confirming +0\.5 BTC +bitcoin +2 of 3 +tx-1 +2026-/,
  );
  expect(await run('wallet', 'deposit-address', 'BTC', 'nowhere')).toMatch(/^1 .*nowhere/);
});

test('an address is added, and withdrawals to it are made once, listed and canceled', async () => {
  const place = ['BTC', 'bitcoin', 'bc1qtheirs'];
  expect(await run('wallet', 'address-book')).toBe('The address book is empty.');
  const added = await run('wallet', 'add-address', ...place);
  const entry = /^Added entry (\d+) of the address book, usable from /.exec(added)![1]!;
  const named = await run('wallet', 'add-address', ...place, '--label', 'Cold wallet');
  expect(named).toContain('already');
  expect((await run('wallet', 'address-book')).split('\n')[1]).toMatch(
    new RegExp(`^${entry} +BTC +bitcoin +Cold wallet +bc1qtheirs +- +2026-`),
  );
  const request = ['wallet', 'withdraw', entry, '0.25', '--client-id', 'payroll-7'];
  const made = await run(...request);
  expect(made).toMatch(/^Amount +0\.25 BTC$/m);
  expect(made).toMatch(/^Status +approved$/m);
  expect(await run(...request)).toStartWith('This client ID was already used');
  const large = await run('wallet', 'withdraw', entry, '1.5');
  const id = /^Withdrawal +(\d+)$/m.exec(large)![1]!;
  expect(large).toMatch(/^Status +awaiting_approval$/m);
  expect(await run('wallet', 'cancel', id)).toBe(
    `Withdrawal ${id} is canceled; its hold is released.`,
  );
  const listed = (await run('wallet', 'withdrawals')).split('\n').slice(1);
  expect(listed.map((line) => line.split(/ +/)[1])).toEqual(['canceled', 'approved']);
  expect((await run('wallet', 'withdrawals', '--limit', '1')).split('\n').at(-1)).toBe(
    'There are older ones. Use --limit to see more.',
  );
  expect(await run('wallet', 'remove-address', entry)).toBe(
    `Removed entry ${entry} of the address book.`,
  );
  expect(await run('wallet', 'withdraw', entry, '0.25')).toMatch(/^1 /);
  expect(await run('wallet', 'withdraw', entry, '-1')).toMatch(/^2 .*AMOUNT must be/);
});
