import { expect, test } from 'bun:test';
import { PassThrough } from 'node:stream';
import { runForTest } from '../testing/test-cli.ts';
import { Arguments } from './arguments.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands/commands.ts';
import { confirm } from './confirm.ts';
import { FORMS, type Form, POSITIONALS } from './forms.ts';
import { settingOptions } from './run-options.ts';

/** Every command rejects wrong usage with exit code 2, before it asks a node or opens a file. */

/** Values of settings that a node rejects. */
const WRONG_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  url: ['localhost', 'ftp://localhost', 'http://'],
  config: ['missing.json'],
  port: ['x', '-1', '65536'],
  log: ['nats:', 'http://localhost'],
  'log-stream': ['a b'],
  'log-replicas': ['0', '6'],
  database: ['mysql://localhost'],
  'rate-limits': ['none'],
};

/** A right value and wrong ones of every form. */
const VALUES: Record<keyof typeof FORMS, readonly [right: string, ...wrong: string[]]> = {
  accountId: ['alice', 'a b', '.', '..', '_a', 'ä', 'a/b', 'x'.repeat(65)],
  sandboxAccountId: ['alice', 'x y', '.', 'x'.repeat(51)],
  accountName: ['Grid bot', ' ', 'a\nb', 'x'.repeat(51)],
  recipient: ['dora@example.com', 'a b', '@x', '_a', 'x'.repeat(65)],
  limitClass: ['1000', '0', '1001', '1.5', 'x', '-1', '1e2'],
  feeTier: ['volume', '51', 'gold', '-1', '1.5'],
  asset: ['BTC', 'btc', 'B/C', 'ABCDEFGHIJKLM'],
  hash: ['0a'.repeat(32), '0a'.repeat(31), '0A'.repeat(32), 'x'],
  faucetAsset: ['btc', 'DOGE', 'BTC/USDT'],
  assetName: ['Bitcoin', 'x'.repeat(65)],
  assetDecimals: ['8', '23', '-1', '1.5', 'x'],
  symbol: ['BTC/USDT', 'BTC', 'btc/usdt', 'BTC/USDT/X', 'BTC-USDT', '/'],
  marketStatus: ['delisted', 'nope', 'Online', 'open'],
  positive: ['0.015', '0', '-1', '1,5', 'x', '1e31', '.5', '01', `1.${'0'.repeat(40)}`],
  notNegative: ['0', '-1', 'x', '+1'],
  fee: ['0.0008', '0.2', '0.0000001', '-0.1', 'x'],
  makerFee: ['-0.0002', '0.2', '-0.2', '--0.1', '-', 'x'],
  collar: ['0.1', '1.1', '-0.1', '0.0000001', 'x'],
  share: ['0.25', '1.1', '-0.1', '0.0000001', 'x'],
  auctionMs: ['120000', '0.5', '-1', '86400001', 'x'],
  tier: ['5:-0.1:0', '5', '5:0:-0.1', '5:0.1', '5:x:0.1', '5:0.2:0.1', '-5:0:0', '5:0:0:0', '::'],
  searchText: ['dora@example.com', 'x'.repeat(101)],
  noteText: ['Called back', 'x'.repeat(501)],
  title: ['New market', 'x'.repeat(101)],
  announcement: ['It opens today', 'x'.repeat(501)],
  severity: ['warning', 'high'],
  orderLimit: ['100', '0', '1000001', '1.5', 'x'],
  notionalLimit: ['USDT:1000000', 'USDT', 'USDT:0', 'usdt:1', 'USDT:1:2', 'USDT:-1'],
  permissions: ['read,trade', 'raed', 'read,', 'read trade', ','],
  keyType: ['secret', 'rsa', 'HMAC'],
  apiKey: [`bwk_${'0'.repeat(32)}`, 'x', 'bwk_', `bwk_${'g'.repeat(32)}`, `bws_${'0'.repeat(32)}`],
  label: ['bot ü', 'x'.repeat(65), 'a\u0007', 'a\u202eb', 'a\nb'],
  addressEntry: ['12', '0', '-1', '012', 'x', '1.5'],
  chainAddress: ['bc1qtheirs', 'a\nb', 'x'.repeat(129)],
  memo: ['12345', 'a\nb', 'x'.repeat(101)],
  address: ['10.0.0.0/8', '10.0.0.1/8', 'x', '1.2.3', '::1/129', 'fe80::1%eth0', 'localhost'],
  time: ['2099-01-31T00:00:00Z', 'now', '2027-01-31', '2027-01-31T00:00:00', '2027-02-30T00:00Z'],
  moment: ['2099-01-31T00:00:00Z', '0', '-1', '1.5', 'now', '2027-01-31', '2027-02-30T00:00Z'],
  month: ['last', 'Last', '2027-13', '2027-1', '2027-01-01', '0050-01'],
  path: ['out.capsule', 'x'.repeat(4097)],
  email: ['Dora@example.com', 'dora', 'dora@example', 'a b@example.com', '@example.com'],
  reason: ['why', 'x'.repeat(201)],
  reference: ['bank-1', 'a b', 'ä', 'x'.repeat(65)],
  custodyId: ['12', '0', 'x', '012', '-1'],
  orderStatus: ['closed', 'ended', 'Open'],
  timelineKind: ['keys', 'Keys', 'orders'],
  detector: ['spoofing', 'Spoofing', 'front_running'],
  caseStatus: ['assigned', 'done', 'Open'],
  surveillanceAlertId: ['marking_the_close-4127-0-0-3-4', 'spoofing', 'pa_1', 'spoofing-1-0-0-x'],
  networkName: ['bitcoin', 'Bitcoin', 'a b', '-a'],
  memoRule: ['required', 'maybe', 'None'],
  confirmations: ['3', '0', '10001', 'x'],
  hourlyCount: ['20', '1001', '-1', 'x'],
  custodyMs: ['60000', '-1', '2592000001', '1.5'],
  resolution: ['credit', 'Credit', 'approve'],
  requestId: ['3', '0', 'x', '03', '-1'],
  orderId: ['17', '0', 'x', '-1', '017', '1.5', '12345678901234567'],
  orderIds: ['17,18', '17,', 'x', '0', '1 2', Array(1001).fill('1').join()],
  auditAction: ['createAccount', 'create account', '1'],
  pageSize: ['1000', '0', '1001', 'ten', '1.5'],
  sequence: ['1', '0', 'x', '9007199254740993'],
  index: ['0', '-1', 'x', '0.5'],
  seed: ['0', '4294967296', '-1', 'x'],
  reportKind: ['ledger', 'Ledger', 'transfers'],
  exchangeReportKind: ['market_quality', 'fills', 'Volume'],
  listFormat: ['csv', 'html', 'CSV'],
  reportFormat: ['csv', 'pdf', 'CSV'],
  reportId: ['0123456789abcdef01234567', '0123', 'x'.repeat(24), '../../etc'],
  exportInterval: ['1m', '1M', '2m', '1w'],
  clockMode: ['frozen', 'warp', 'Frozen'],
  advanceMs: ['60000', '-1', '1.5', '31622400001', 'x'],
  onOff: ['on', 'yes', 'ON'],
  checkpoint: ['before-each', 'a b', 'a/b', '..', 'x'.repeat(65)],
  faultKind: ['delay', 'stream gap', 'Delay', ''],
  faultStatus: ['503', '404', '5xx'],
  pattern: ['POST /api/*', 'x'.repeat(101)],
  probability: ['0.25', '2', '-0.1', 'often'],
  signedMilliseconds: ['-250', '1.5', '1s', '1e3'],
  runs: ['20', '0', '1001', 'x'],
  alertDirection: ['above', 'up', 'Above'],
  alertId: [`pa_${'0'.repeat(24)}`, 'pa_0', `wh_${'0'.repeat(24)}`],
  webhookId: [`wh_${'0'.repeat(24)}`, 'wh_0', `pa_${'0'.repeat(24)}`],
  webhookUrl: ['https://example.com/hook', 'example.com', 'ftp://example.com/', 'https://a b'],
  event: ['order.*', 'order', 'Order.filled', '*.*', 'a.b.c'],
  nodeName: ['node-1', 'a b', 'a.b', 'x'.repeat(65)],
};
const NAMES = new Map(Object.entries(FORMS).map(([name, form]) => [form as Form, name]));

function findValues(form: Form): readonly string[] {
  return VALUES[NAMES.get(form) as keyof typeof FORMS];
}

/** Options whose value is a file, a directory or the address of a node. */
const FREE = ['url', 'credentials', 'public-key', 'to', 'from', 'file', 'bot', 'junit', 'capsules'];

/** Returns the words of a command with its arguments and required options, except one. */
function valid({ name, positionals, options }: Command, left?: string): string[] {
  const required = options.filter((option) => option.isRequired && option.name !== left);
  return [
    ...name.split(' '),
    ...positionals.map((each) => findValues(POSITIONALS[each])[0]!),
    ...required.flatMap(({ name: option, form }) => [
      `--${option}`,
      form === undefined ? '1' : findValues(form)[0]!,
    ]),
  ];
}

/** Returns wrong usages of a command, by what is wrong. */
function mistakes(command: Command): [what: string, argv: string[]][] {
  const words = command.name.split(' ');
  const whole = valid(command);
  const isOpen = command.positionals.at(-1)?.endsWith('...') === true;
  const found: [string, string[]][] = [
    ...(isOpen ? [] : [['an argument too many', [...whole, 'more']] as [string, string[]]]),
    ['an unknown option', [...whole, '--nope']],
    ['a value of --json', [...whole, '--json=1']],
  ];
  if (command.positionals.length > 0) {
    const rest = whole.slice(words.length + 1);
    found.push(
      ['an argument missing', [...words, ...rest]],
      ['an empty argument', [...words, '', ...rest]],
    );
  }
  command.positionals.forEach((name, index) => {
    for (const wrong of findValues(POSITIONALS[name]).slice(1)) {
      const argv = whole.with(words.length + index, wrong);
      const at = words.length;
      // After "--" a value may begin with a dash.
      const options = argv.slice(at + command.positionals.length);
      const values = argv.slice(at, at + command.positionals.length);
      found.push([`${name} ${wrong}`, [...words, ...options, '--', ...values]]);
    }
  });
  for (const { name, value, form, isRequired, isRepeatable } of command.options) {
    const others = valid(command, name);
    const flag = `--${name}`;
    if (isRequired) found.push([`no ${flag}`, others]);
    if (value === undefined) found.push([`a value of ${flag}`, [...others, `${flag}=x`]]);
    else
      found.push(
        [`no value of ${flag}`, [...others, flag]],
        [`an empty ${flag}`, [...others, `${flag}=`]],
      );
    if (value !== undefined && !isRepeatable) {
      found.push([
        `${flag} twice`,
        [...others, ...Array(2).fill(`${flag}=${form === undefined ? 1 : findValues(form)[0]}`)],
      ]);
    }
    const wrongs = form === undefined ? (WRONG_SETTINGS[name] ?? []) : findValues(form).slice(1);
    for (const wrong of wrongs) found.push([`${flag}=${wrong}`, [...others, `${flag}=${wrong}`]]);
  }
  return found;
}

test.each(COMMANDS.map((command) => [command.name, command] as const))(
  'every wrong usage of %s exits with 2 and says what to do',
  async (_, command) => {
    const found = mistakes(command);
    expect(found.length).toBeGreaterThan(2);
    for (const [what, argv] of found) {
      const { exitCode, out, error } = await runForTest([argv[0]!, '--json', ...argv.slice(1)]);
      expect({ what, argv, exitCode, out }).toEqual({ what, argv, exitCode: 2, out: '' });
      const { code, message } = JSON.parse(error).error;
      expect(['USAGE', 'CONFIG', 'INVALID_SCENARIO']).toContain(code);
      // A sentence about the option or argument that is wrong.
      expect(message).toMatch(/^[-A-Z"'].*[.?)]$/s);
    }
  },
);

test('every value of a command has a form, is a setting of a node, or names a file or a node', () => {
  const settings = settingOptions(true).map(({ name }) => name);
  const unchecked = COMMANDS.flatMap(({ options }) => options).filter(
    ({ name, value, form }) =>
      value !== undefined && form === undefined && ![...settings, ...FREE].includes(name),
  );
  expect(unchecked.map(({ name }) => name)).toEqual([]);
});

test.each(Object.entries(VALUES))('the values of the form %s', (name, [right, ...wrong]) => {
  const form: Form = FORMS[name as keyof typeof FORMS];
  expect(form.accepts(right)).toBe(true);
  expect(wrong.filter((text) => form.accepts(text))).toEqual([]);
});

test.each([
  ['y', true],
  ['YES', true],
  ['n', false],
  ['', false],
  ['yes please', false],
])('a question that is answered %p', async (answer, isConfirmed) => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  input.end(`${answer}\n`);
  const asking = confirm(new Arguments(new Map(), new Map()), 'All is deleted.', { input, output });
  if (isConfirmed) await asking;
  else await expect(asking).rejects.toThrow('Nothing was changed.');
  expect(`${output.read()}`).toContain('All is deleted. Continue? [y/N] ');
});

test('without a terminal there is no question: --yes is needed', async () => {
  const terminal = { input: new PassThrough(), output: new PassThrough() };
  const none = new Arguments(new Map(), new Map());
  const asking = confirm(none, 'All is deleted.', terminal);
  await expect(asking).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('--yes'),
  });
  await confirm(new Arguments(new Map(), new Map([['yes', []]])), 'All is deleted.', terminal);
  expect(terminal.output.read()).toBeNull();
});
