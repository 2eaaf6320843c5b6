import { expect, test } from 'bun:test';
import { PassThrough } from 'node:stream';
import { runForTest } from '../testing/test-cli.ts';
import { Arguments } from './arguments.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands/commands.ts';
import { confirm } from './confirm.ts';

/** Every command rejects wrong usage with exit code 2, before it asks a node or opens a file. */

/** Values that an option of that name never has. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  url: ['localhost', 'ftp://localhost', 'http://'],
  config: ['missing.json'],
  port: ['x', '-1', '65536'],
  log: ['nats:', 'http://localhost'],
  'log-stream': ['a b'],
  'log-replicas': ['0', '6'],
  database: ['mysql://localhost'],
  'rate-limits': ['none'],
  limit: ['0', '1001', 'ten', '1.5'],
  permissions: ['raed', 'read,', 'read trade'],
  expires: ['soon', '2027-01-31'],
  time: ['now', '2027-01-31T00:00:00'],
  tier: ['5', '5:0.1', '5:x:0.1'],
  decimals: ['x', '-1'],
  'limit-class': ['x', '-1'],
  sequence: ['0', 'x'],
  index: ['-1', 'x'],
};

/** Returns the words of a command with its arguments and required options, except one. */
function valid({ name, positionals, options }: Command, left?: string): string[] {
  const required = options.filter((option) => option.isRequired && option.name !== left);
  return [
    ...name.split(' '),
    ...positionals.map(() => '1'),
    ...required.flatMap((option) => [
      `--${option.name}`,
      option.name === 'permissions' ? 'read' : '1',
    ]),
  ];
}

/** Returns wrong usages of a command, by what is wrong. */
function mistakes(command: Command): [what: string, argv: string[]][] {
  const words = command.name.split(' ');
  const whole = valid(command);
  const found: [string, string[]][] = [
    ['an argument too many', [...whole, 'more']],
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
  for (const { name, value, isRequired, isRepeatable } of command.options) {
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
      found.push([`${flag} twice`, [...others, flag, '1', flag, '1']]);
    }
    for (const wrong of WRONG[name] ?? [])
      found.push([`${flag}=${wrong}`, [...others, `${flag}=${wrong}`]]);
  }
  return found;
}

test.each(COMMANDS.map((command) => [command.name, command] as const))(
  'every wrong usage of %s exits with 2 and says what to do',
  async (_, command) => {
    const found = mistakes(command);
    expect(found.length).toBeGreaterThan(2);
    for (const [what, argv] of found) {
      const { exitCode, out, error } = await runForTest([...argv, '--json']);
      expect({ what, argv, exitCode, out }).toEqual({ what, argv, exitCode: 2, out: '' });
      const { code, message } = JSON.parse(error).error;
      expect(['USAGE', 'CONFIG']).toContain(code);
      // A sentence about the option or argument that is wrong.
      expect(message).toMatch(/^[-A-Z"'].*[.?)]$/s);
    }
  },
);

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
