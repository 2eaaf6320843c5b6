import { expect, test } from 'bun:test';
import { version } from '../../package.json';
import { runForTest } from '../testing/test-cli.ts';
import { COMMANDS } from './commands/commands.ts';

test('help names every command, start and serve, and the exit codes', async () => {
  const { exitCode, out, error } = await runForTest(['help']);
  expect(exitCode).toBe(0);
  expect(error).toBe('');
  for (const { name, summary } of COMMANDS)
    expect(out).toMatch(new RegExp(`^  ${name}\\b.*${summary}$`, 'm'));
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
  [['credit', 'alice', 'USDT', '-5', '--reason', 'x'], 'AMOUNT must be a number without a sign'],
  [['credit', 'alice', 'USDT', '5 ', '--reason', 'x'], 'AMOUNT must be a number without a sign'],
  [['key', 'create', 'alice'], "Required option '--permissions <read,trade>' not specified"],
  [['order', 'cancel', 'alice', '--all', '--ids', '1'], 'Give exactly one of --symbol'],
  [['market', 'change', 'BTC/USDT'], 'Give at least one rule'],
  [['fee', 'set', 'USDT', '--tier', '5:0.1'], '--tier must be VOLUME:MAKER:TAKER, not "5:0.1"'],
  [['account', 'fee-tier', 'alice', 'gold'], 'TIER must be a number of at least 0'],
  [['balances', '..'], 'ACCOUNT must not be ".."'],
  [
    ['skip', '--sequence', '0', '--index', '0', '--reason', 'x'],
    '--sequence must be a whole number',
  ],
  [['skip', '--sequence', '1', '--index', '0', '--reason', 'x'.repeat(201)], '200 characters'],
])('%p is wrong usage: exit code 2', async (argv, message) => {
  const plain = await runForTest(argv);
  expect(plain).toMatchObject({ exitCode: 2, out: '' });
  expect(plain.error).toStartWith('buttonwood: ');
  expect(plain.error).toContain(message);
  const json = await runForTest([...argv, '--json']);
  expect(json).toMatchObject({ exitCode: 2, out: '' });
  expect(JSON.parse(json.error).error.code).toBe('USAGE');
});
