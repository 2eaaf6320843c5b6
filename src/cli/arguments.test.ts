import { expect, test } from 'bun:test';
import { numberText } from '../client/exact-number.ts';
import { Arguments } from './arguments.ts';
import type { Command } from './command.ts';
import { CliError } from './failure.ts';

const command: Command = {
  name: 'order place',
  positionals: ['ACCOUNT', 'AMOUNT'],
  options: [
    { name: 'price', value: 'P', help: '', isRequired: true },
    { name: 'batch', value: 'N', help: '' },
    { name: 'tag', value: 'T', help: '', isRepeatable: true },
    { name: 'post-only', help: '' },
  ],
  summary: '',
  run: async () => ({ data: {}, text: '' }),
};

const read = (...argv: string[]) => new Arguments(command, argv);

test('reads positionals, options in either form, switches and repeated options', () => {
  const args = read('alice', '--price', '1.50', '2', '--tag=a', '--tag', 'b', '--post-only');
  expect(args.positional('ACCOUNT')).toBe('alice');
  expect(args.positional('AMOUNT')).toBe('2');
  expect(numberText(args.number('price'))).toBe('1.50');
  expect(args.optionalNumber('batch')).toBeUndefined();
  expect(args.all('tag')).toEqual(['a', 'b']);
  expect(args.has('post-only')).toBe(true);
  expect(args.option('batch')).toBeUndefined();
});

test('what begins with a dash is given behind an equals sign or behind --', () => {
  expect(read('--price=-x', '--', '-a', 'b').option('price')).toBe('-x');
  expect(read('--price=1', '--', '-a', 'b').positional('ACCOUNT')).toBe('-a');
});

test('help is asked for without the rest', () => {
  expect(read('--help').has('help')).toBe(true);
});

test.each([
  [['alice', '2'], '--price P is missing'],
  [['alice', '--price', '1'], 'AMOUNT is missing'],
  [['', '2', '--price', '1'], 'ACCOUNT is empty'],
  [['alice', '2', 'x', '--price', '1'], '"x" is one argument too many'],
  [['alice', '2', '--prise', '1'], 'There is no option --prise here. Did you mean --price?'],
  [['alice', '2', '--price'], '--price needs a value: --price P'],
  [['alice', '2', '--price', '--post-only'], '--price needs a value'],
  [['alice', '2', '--price='], '--price is empty'],
  [['alice', '2', '--price', '1', '--price', '2'], '--price was given twice'],
  [['alice', '2', '--post-only=yes', '--price', '1'], '--post-only takes no value'],
  [['alice', '2', '-p', '1'], 'There is no option -p'],
  [['alice', '-2', '--price', '1'], 'Write numbers without a sign'],
])('%p: %s', (argv, message) => {
  const thrown = catching(() => read(...argv));
  expect(thrown).toMatchObject({ exitCode: 2, code: 'USAGE' });
  expect((thrown as CliError).message).toContain(message);
});

test.each(['1e', 'abc', '-1', '1,5', '0x1', ' 1'])('--price=%s is no number', (text) => {
  const args = read('alice', '2', `--price=${text}`);
  expect(() => args.number('price')).toThrow(`--price is a number such as 0.015, not "${text}"`);
});

test.each(['0', '1.5', '-1', '9007199254740993', 'x'])('--batch=%s is no count', (text) => {
  const args = read('alice', '2', '--price=1', `--batch=${text}`);
  expect(() => args.whole('batch', 1)).toThrow('--batch is a whole number from 1 on');
});

test('a whole number is read', () => {
  expect(read('a', '2', '--price=1', '--batch=9007199254740991').whole('batch', 1)).toBe(
    Number.MAX_SAFE_INTEGER,
  );
});

test('a part of a path is encoded, and cannot lead elsewhere', () => {
  expect(read('a/b?c', '2', '--price=1').pathPart('ACCOUNT')).toBe('a%2Fb%3Fc');
  for (const dots of ['.', '..']) {
    expect(() => read(dots, '2', '--price=1').pathPart('ACCOUNT')).toThrow(CliError);
  }
});

function catching(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
