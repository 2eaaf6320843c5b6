import { expect, test } from 'bun:test';
import type { Arguments } from './arguments.ts';
import type { Command } from './command.ts';
import type { CliError } from './failure.ts';
import { FORMS } from './forms.ts';
import { parse } from './program.ts';

const command: Command = {
  name: 'order place',
  positionals: ['ACCOUNT', 'AMOUNT'],
  options: [
    { name: 'price', value: 'P', help: '', isRequired: true, form: FORMS.positive },
    { name: 'batch', value: 'N', help: '', form: FORMS.sequence },
    { name: 'tag', value: 'T', help: '', isRepeatable: true },
    { name: 'post-only', help: '' },
  ],
  summary: '',
  run: async () => ({ data: {}, text: '' }),
};

function read(...argv: string[]): Arguments {
  const parsed = parse([command], ['order', 'place', ...argv]);
  if ('text' in parsed) throw new Error('help was printed');
  return parsed.args;
}

test('reads positionals, options in either form, switches and repeated options', () => {
  const args = read('alice', '--price', '1.50', '2', '--tag=a', '--tag', 'b', '--post-only');
  expect(args.positional('ACCOUNT')).toBe('alice');
  expect(args.positional('AMOUNT')).toBe('2');
  expect(args.required('price')).toBe('1.50');
  expect(args.integer('batch')).toBeUndefined();
  expect(args.all('tag')).toEqual(['a', 'b']);
  expect(args.has('post-only')).toBe(true);
  expect(args.option('batch')).toBeUndefined();
});

test('a value that begins with a dash is given after an equals sign or after --', () => {
  expect(read('--tag=-x', '--price=1', 'a', '2').option('tag')).toBe('-x');
  expect(() => read('--price=1', '--', '-a', '2')).toThrow('ACCOUNT must be 1 to 64 characters');
});

test('help needs no arguments', () => {
  const parsed = parse([command], ['order', 'place', '--help']);
  expect(parsed).toMatchObject({ commands: [command] });
});

test.each([
  [['alice', '2'], "Required option '--price <P>' not specified"],
  [['alice', '--price', '1'], "Missing required argument 'AMOUNT'"],
  [['', '2', '--price', '1'], "for argument 'ACCOUNT'. It is empty"],
  [['alice', '2', 'x', '--price', '1'], 'Expected 2 arguments but got 3'],
  [['alice', '2', '--price=1', '--prise', '1'], "Unknown option '--prise'. Did you mean --price?"],
  [['alice', '2', '--price'], "Option '--price <P>' argument missing"],
  [['alice', '2', '--price', '--post-only'], 'Write --price=--post-only if that is the value'],
  [['alice', '2', '--price='], 'It is empty'],
  [['alice', '2', '--price', '1', '--price', '2'], 'The option was given twice'],
  [['alice', '2', '--price=1', '-p', '1'], "Unknown option '-p'"],
])('%p: %s', (argv, message) => {
  const thrown = catching(() => read(...argv));
  expect(thrown).toMatchObject({ exitCode: 2, code: 'USAGE' });
  expect((thrown as CliError).message).toContain(message);
});

test.each(['1e', 'abc', '-1', '1,5', '0x1', ' 1', '0', '1e31', '1e-400'])(
  '--price=%s is not a number above zero',
  (text) => {
    const thrown = catching(() => read('alice', '2', `--price=${text}`));
    expect((thrown as CliError).message).toBe(
      `--price must be a number above zero, such as 0.015, not "${text}". Run "buttonwood help order place" for help.`,
    );
  },
);

test.each(['0', '1.5', '-1', '9007199254740993', 'x'])(
  '--batch=%s is not a whole number',
  (text) => {
    expect(() => read('alice', '2', '--price=1', `--batch=${text}`)).toThrow(
      '--batch must be a whole number of at least 1',
    );
  },
);

test('a whole number is read', () => {
  expect(read('a', '2', '--price=1', '--batch=9007199254740991').integer('batch')).toBe(
    Number.MAX_SAFE_INTEGER,
  );
});

test('a value that is too long is not repeated', () => {
  const thrown = catching(() => read('a'.repeat(65), '2', '--price=1'));
  expect((thrown as CliError).message).toBe(
    'ACCOUNT must be 1 to 64 characters of A-Z a-z 0-9 _ . - that begin with a letter or digit. ' +
      'Run "buttonwood help order place" for help.',
  );
});

function catching(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
