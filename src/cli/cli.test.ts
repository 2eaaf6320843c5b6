import { expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import { runForTest } from '../testing/test-cli.ts';
import { COMMANDS } from './commands/commands.ts';
import { readStart } from './start.ts';

test('help names every command, start and serve, and the exit codes', async () => {
  const { exitCode, out, error } = await runForTest(['help']);
  expect(exitCode).toBe(0);
  expect(error).toBe('');
  const lines = out.replaceAll(/\n {30,}/g, ' ');
  for (const { name, summary } of COMMANDS)
    expect(lines).toMatch(new RegExp(`^  ${name}\\b.*${summary}$`, 'm'));
  expect(out).toContain('start ');
  expect(out).toContain('3  no node answers');
  expect((await runForTest(['--help'])).out).toBe(out);
  expect((await runForTest(['-h'])).out).toBe(out);
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110);
});

test.each(COMMANDS.map(({ name }) => name))('help for %s, in three ways', async (name) => {
  const words = name.split(' ');
  const { exitCode, out } = await runForTest([...words, '--help']);
  expect(exitCode).toBe(0);
  expect(out).toStartWith(`Usage: buttonwood ${name}`);
  expect(out).toContain('--json');
  expect((await runForTest(['help', ...words])).out).toBe(out);
  const data = JSON.parse((await runForTest([...words, '--help', '--json'])).out);
  expect(data.commands[0].name).toBe(name);
});

test('help for a command group, and for start', async () => {
  expect((await runForTest(['account', '--help'])).out).toContain('account freeze ID');
  expect((await runForTest(['help', 'account'])).out).not.toContain('market');
  expect((await runForTest(['start', '--help'])).out).toContain('BUTTONWOOD_TLS_CERT');
  expect((await runForTest(['help', 'serve'])).out).toContain('BUTTONWOOD_TLS_CERT');
});

test.each([
  [['account', 'create', 'a', 'b'], 'account create'],
  [['accounts', 'create', 'a b'], 'account create'],
  [['users', 'invite', 'alice'], 'users invite'],
  [['state', '--colour'], 'state'],
  [['state', '--version'], 'state'],
  [['market', 'status', 'BTC/USDT', 'nope'], 'market status'],
])('%p points to the help of its command', async (argv, name) => {
  const { exitCode, error } = await runForTest(argv);
  expect(exitCode).toBe(2);
  expect(error).toEndWith(` Run "buttonwood help ${name}" for help.`);
  const help = await runForTest(['help', ...name.split(' ')]);
  expect(help.out).toStartWith(`Usage: buttonwood ${name}`);
});

test.each(['start', 'serve'] as const)('wrong usage of %s names it', (name) => {
  const isSandbox = name === 'start';
  expect(() => readStart(['extra'], {}, isSandbox)).toThrow(
    `Too many arguments for '${name}'. Expected 0 arguments but got 1. Run "buttonwood help ${name}" for help.`,
  );
  expect(() => readStart(['--zzzzzz'], {}, isSandbox)).toThrow(
    `Unknown option '--zzzzzz'. Run "buttonwood help ${name}" for help.`,
  );
});

test('help lists the version, the values of arguments and every status of a market', async () => {
  expect((await runForTest(['help'])).out).toMatch(/^ {2}--version +print the version$/m);
  const { out } = await runForTest(['help', 'market', 'status']);
  expect(out).toContain('online, post_only, limit_only, cancel_only, halted');
  expect(out).toContain('delisted');
  expect((await runForTest(['help', 'account', 'create'])).out).toMatch(/^ {2}ID +1 to 64 char/m);
});

test('a private key is never sent', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-'));
  try {
    const file = join(directory, 'key.pem');
    const { privateKey } = generateKeyPairSync('ed25519');
    for (const [text, message] of [
      [privateKey.export({ type: 'pkcs8', format: 'pem' }), 'has a private key'],
      ['nonsense', 'has no Ed25519 public key'],
    ] as const) {
      writeFileSync(file, text);
      const argv = ['key', 'create', 'a', '--permissions=read', '--public-key', file];
      const { exitCode, error } = await runForTest([...argv, '--url', 'http://127.0.0.1:1']);
      expect(exitCode).toBe(2);
      expect(error).toContain(`${file} ${message}`);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});

/** An API key that no account has. */
const API_KEY = `bwk_${'0'.repeat(32)}`;

test('--version', async () => {
  expect(await runForTest(['--version'])).toEqual({ exitCode: 0, out: version, error: '' });
  expect((await runForTest(['--version', '--json'])).out).toBe(`{"version":"${version}"}`);
});

test('without a command the help is shown and the exit code is not 0', async () => {
  const { exitCode, out } = await runForTest([]);
  expect(exitCode).toBe(2);
  expect(out).toBe((await runForTest(['help'])).out);
});

test.each([
  [['stat'], "Unknown command 'stat'. Did you mean one of start, state?"],
  [['acount', 'list'], 'Did you mean account?'],
  [['account', 'creat'], '"account" has no subcommand "creat". Use one of: create, list'],
  [['account'], '"account" needs a subcommand: create, list, freeze'],
  [['sevre'], 'Did you mean serve?'],
  [['zzzzzz'], 'Unknown command \'zzzzzz\'. Run "buttonwood help" for a list of commands.'],
  [['help', 'zzzzzz'], 'There is no command "zzzzzz".'],
  [['--url', 'x', 'state'], 'Options go after the command: --url.'],
  [['state', '--colour'], "Unknown option '--colour'."],
  [
    ['credit', 'alice', 'USDT', '-5', '--reason', 'x'],
    'AMOUNT must be a number above zero, such as 0.015, not',
  ],
  [
    ['credit', 'alice', 'USDT', '5 ', '--reason', 'x'],
    'AMOUNT must be a number above zero, such as 0.015, not',
  ],
  [['key', 'create', 'alice'], "Required option '--permissions <read,trade>' not specified"],
  [['order', 'cancel', 'alice', '--all', '--ids', '1'], 'Give exactly one of --symbol'],
  [['market', 'change', 'BTC/USDT'], 'Give at least one rule'],
  [
    ['fee', 'set', 'USDT', '--tier', '5:0.1'],
    '--tier must be VOLUME:MAKER:TAKER, a number and two rates',
  ],
  [
    ['account', 'fee-tier', 'alice', 'gold'],
    'TIER must be a whole number from 0 to 50, or "volume", not "gold".',
  ],
  [['balances', '..'], 'ACCOUNT must be 1 to 64 characters of'],
  [
    ['skip', '--sequence', '0', '--index', '0', '--reason', 'x'],
    '--sequence must be a whole number',
  ],
  [['skip', '--sequence', '1', '--index', '0', '--reason', 'x'.repeat(201)], '200 characters'],
  [['market', 'status', 'BTC/USDT', 'nope'], 'STATUS must be one of online, post_only,'],
  [['account', 'limit-class', 'alice', '0'], 'N must be a whole number from 1 to 1000, not "0".'],
  [['account', 'limit-class', 'alice', 'x'], 'N must be a whole number from 1 to 1000, not "x".'],
  [['account', 'create', 'a b'], 'ID must be 1 to 64 characters'],
  [['sandbox', 'account', 'x y'], 'NAME must be 1 to 50 characters'],
  [['sandbox', 'faucet', 'alice', 'DOGE'], 'COIN must be one of USDT, BTC, ETH, SOL, not "DOGE".'],
  [
    ['key', 'create', 'a', '--permissions', 'read', '--type', 'rsa'],
    '--type must be one of secret,',
  ],
  [['key', 'create', 'a', '--permissions', 'read', '--type', 'ed25519'], 'Give --public-key for'],
  [['key', 'change', 'a', API_KEY], 'Give --label, --address or --any-address.'],
  [['key', 'change', 'a', API_KEY, '--address=::1', '--any-address'], 'Give either --address or'],
  [
    ['key', 'change', 'a', API_KEY, ...Array(21).fill('--address=::1')],
    'Give at most 20 --address',
  ],
  [['key', 'create', 'a', '--permissions', 'operate', '--type', 'hmac'], 'of the type hmac cannot'],
  [
    ['key', 'create', 'a', '--permissions', 'read', ...Array(21).fill('--address=::1')],
    'Give at most 20 --address.',
  ],
  [['fee', 'set', 'USDT', ...Array(51).fill('--tier=1:0:0')], 'Give at most 50 --tier.'],
])('%p is wrong usage: exit code 2', async (argv, message) => {
  const plain = await runForTest(argv);
  expect(plain).toMatchObject({ exitCode: 2, out: '' });
  expect(plain.error).toStartWith('buttonwood: ');
  expect(plain.error).toContain(message);
  const json = await runForTest([...argv, '--json']);
  expect(json).toMatchObject({ exitCode: 2, out: '' });
  expect(JSON.parse(json.error).error.code).toBe('USAGE');
});
