import { expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseScenario, ScenarioFileError } from './scenario.ts';

/** Next to the library, so that its bots are found. */
const FILE = join(import.meta.dir, '../../scenarios/test.yaml');
const VALID = `title: Title
lesson: Lesson
duration: 30s
accounts:
  bot: { USDT: 1000.10 }
  maker: { BTC: 1 }
bot: { account: bot, module: ./bots/stop-limit.ts }
timeline:
  - at: 1s
    order: { account: maker, symbol: BTC/USDT, side: sell, type: limit, price: 118000.10, amount: 0.1 }
expect:
  - { balance: USDT, is: at least 1000.10 }
`;

/** Returns the message for a text that is not a scenario, without the path of the file. */
function fault(text: string): string {
  try {
    parseScenario(FILE, text);
  } catch (error) {
    if (error instanceof ScenarioFileError) return error.message.replaceAll(FILE, 'test.yaml');
    throw error;
  }
  throw new Error('the scenario is valid');
}

test('a scenario has exact numbers, times in milliseconds, and its defaults', () => {
  const { content, position } = parseScenario(FILE, VALID);
  expect(content.duration).toBe(30_000);
  expect(content.accounts.bot).toEqual({ USDT: '1000.10' });
  expect(content.timeline[0]!.order!.price).toBe('118000.10');
  expect(content.seed).toBe(1);
  expect(content.step).toBe(1000);
  expect(content.start).toBe(Date.UTC(2026, 0));
  expect(position(['timeline', 0, 'order', 'side'])).toBe(`${FILE}:10:54`);
});

test('JSON is read too', () => {
  const text = JSON.stringify({
    title: 'Title',
    lesson: 'Lesson',
    duration: '1m30s',
    accounts: { bot: {} },
    bot: { account: 'bot', command: ['true'] },
    expect: [{ fills: 0 }],
  });
  expect(parseScenario(FILE, text).content.duration).toBe(90_000);
});

test('a typo is reported with its place, the lines around it and the nearest name', () => {
  expect(fault(VALID.replace('symbol:', 'symbl:')).split('\n')).toEqual([
    'test.yaml:10:30: Unknown field "symbl". Did you mean "symbol"?',
    '   9 |   - at: 1s',
    '> 10 |     order: { account: maker, symbl: BTC/USDT, side: sell, type: limit, price: 118000.10, amount: 0.1 }',
    '     |                              ^^^^^',
    '  11 | expect:',
  ]);
});

/** Changes of the valid scenario → the messages about each, with the line and the column. */
const FAULTS: readonly (readonly [from: string, to: string, ...messages: string[]])[] = [
  ['title: Title\n', '', '1:1: "title" is missing.'],
  ['duration: 30s', 'duration: 30', '3:11: "duration" must be a duration such as'],
  ['duration: 30s', 'duration: 500ms', '3:11: "duration" must be at least one step.'],
  ['duration: 30s', 'duration:', '3:1: "duration" has no value.'],
  ['lesson: Lesson', 'lesson: Lesson\nlesson: Two', '3:1: Map keys must be unique.'],
  ['lesson: Lesson', 'lesson: Lesson\nseed: -1', '3:7: "seed" must be a whole number, not "-1".'],
  ['lesson: Lesson', 'lesson: Lesson\nstep: 1ms', '3:7: "step" must be at least 250ms.'],
  ['lesson: Lesson', 'lesson: Lesson\nstart: 2027-02-29T00:00:00Z', '3:8: "start" must be a time'],
  ['1000.10', '1e3', '5:16: "USDT" must be a decimal number such as 0.5, not "1e3".'],
  ['USDT: 1000', 'USDTT: 1000', '5:10: Unknown asset "USDTT". Did you mean "USDT"?'],
  [
    '  maker: {',
    '  alice: {',
    '6:3: The sandbox has an account alice.',
    '10:23: Unknown account "maker".',
  ],
  ['account: bot', 'account: bto', '7:17: Unknown account "bto". Did you mean "bot"?'],
  ['stop-limit', 'stop-limits', '7:30: There is no file ./bots/stop-limits.ts'],
  ['module: ./bots/stop-limit.ts', '', '7:1: "bot" needs either "module" or "command".'],
  ['at: 1s', 'at: 31s', '9:9: This is after the end of the scenario'],
  ['at: 1s', 'at: 1s\n    repeat: { every: 1s, times: 31 }', '10:5: This is after the end'],
  ['order:', 'orders:', '10:5: Unknown field "orders". Did you mean "order"?'],
  [
    '    order: {',
    '    clearFaults: true\n    order: {',
    '9:5: An action has only one of order and clearFaults',
  ],
  ['BTC/USDT', 'BTC/USD', '10:38: Unknown market "BTC/USD". Did you mean "BTC/USDT"?'],
  [
    'side: sell',
    'side: sel',
    '10:54: "side" must be one of buy, sell, not "sel". Did you mean "sell"?',
  ],
  ['amount: 0.1', 'amount: .1', 'must be a decimal number such as 0.5, not ".1".'],
  ['amount: 0.1', '', '10:5: An order needs either "amount" or "cost".'],
  ['at least', 'more than', '12:26: "is" must be a number, or "at least"'],
  ['at least 1000.10', '3 to 2', '12:26: "is" must be a number'],
  [', is: at least 1000.10', '', '12:7: "balance" needs "is"'],
  ['{ balance: USDT,', '{', '12:5: An expectation needs one of: balance'],
  ['USDT, is', 'USDT, side: buy, is', '12:22: "side" does not belong to "balance"'],
  [
    '{ balance: USDT, is: at least 1000.10 }',
    'fills: >= 3',
    '12:13: A text that begins with > or |',
  ],
  [
    '{ balance: USDT, is: at least 1000.10 }',
    '{ fills: 1, because: a, b }',
    '12:29: Unknown field "b".',
    'A text with a comma must be in quotes here.',
  ],
  [
    '{ balance: USDT, is: at least 1000.10 }',
    'check: bot.BTC / 2 > 1',
    '12:12: The expression cannot be read from "/ 2 > 1" on.',
  ],
  [
    '{ balance: USDT, is: at least 1000.10 }',
    'check: bto.BTC > 1',
    'Unknown account or market "bto". Did you mean "bot"?',
  ],
  ['title: Title', 'title: [Title', 'Flow sequence'],
  [
    'title: Title',
    'title: &a Title\nlesson2: *a',
    '2:10: Write the value here: aliases are not read.',
  ],
  ['title: Title', '---\ntitle: Title\n---\nx: 1', 'A file has one scenario'],
  ['title: Title', 'title: !!js/function x', 'Unresolved tag'],
];

test.each(FAULTS)('%s → %s is reported with its place', (from, to, ...messages) => {
  expect(VALID).toContain(from);
  const message = fault(VALID.replace(from, to));
  for (const text of messages) expect(message).toContain(text);
  expect(message).toMatch(/^test\.yaml:\d+:\d+: /);
});

test('the problems are listed for programs too', () => {
  try {
    parseScenario(FILE, VALID.replace('symbol:', 'symbl:').replace('at: 1s', 'at: soon'));
    expect.unreachable();
  } catch (error) {
    const { problems } = error as ScenarioFileError;
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [9, 9],
      [10, 30],
    ]);
  }
});

test('texts of any kind and size are answered with an error, not a crash', () => {
  expect(fault('')).toContain('The content is missing. It must be a mapping.');
  expect(fault('[1, 2]')).toContain('The content must be a mapping, not a list.');
  expect(fault('['.repeat(100_000))).toContain('nested too deeply');
  expect(fault(`a: ${'{x: '.repeat(30)}1${'}'.repeat(30)}`)).toContain('nested too deeply');
  expect(fault(`a: ${'x'.repeat(2_000_000)}`)).toContain('has 2000003 characters');
  const shown = fault('title: "\u001b[31m\n  \u202ered"\nx: 1');
  for (const character of '\u001b\u202e') expect(shown).not.toContain(character);
  const pieces = fc.constantFrom(
    ...VALID.split(/(?<=\W)/),
    '\t',
    '\0',
    '"',
    '- ',
    '&a ',
    '*a',
    '? ',
  );
  const broken = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(broken, (text) => expect(fault(text)).toMatch(/^test\.yaml/)),
    { numRuns: 2000 },
  );
});
