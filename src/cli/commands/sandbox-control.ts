import type { ExactClient } from '../../client/exact-client.ts';
import type { ChangeMakersParameters, SetSandboxClockParameters } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Option, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { fields, table } from '../text.ts';

type Clock = Awaited<ReturnType<ExactClient['getSandboxClock']>>;
type Makers = Awaited<ReturnType<ExactClient['getMakers']>>['makers'];

const MULTIPLIERS = {
  spread: 'multiplier of the distance between the best quotes',
  depth: 'multiplier of the quoted amounts',
  volatility: 'multiplier of the moves of the fair price',
  flow: 'multiplier of the amounts that their taker trades',
} as const;

/** Commands that control the clock, the market makers and the checkpoints of a sandbox. */
export const sandboxControlCommands: readonly Command[] = [
  online({
    name: 'sandbox clock',
    positionals: [],
    options: [
      {
        name: 'mode',
        value: 'MODE',
        help: 'real, frozen, stepped or scaled',
        form: FORMS.clockMode,
      },
      { name: 'speed', value: 'N', help: 'speed of a scaled clock', form: FORMS.positive },
      { name: 'advance', value: 'MS', help: 'move the time on', form: FORMS.advanceMs },
      { name: 'until', value: 'TIME', help: 'move the time on to a time', form: FORMS.time },
    ],
    summary: "show, set and move a sandbox's clock",
    run: controlClock,
  }),
  online({
    name: 'sandbox makers',
    positionals: [],
    options: [
      { name: 'symbol', value: 'SYMBOL', help: 'only in this market', form: FORMS.symbol },
      { name: 'running', value: 'ON', help: 'whether they trade: on or off', form: FORMS.onOff },
      ...Object.entries(MULTIPLIERS).map(
        ([name, help]): Option => ({ name, value: 'N', help, form: FORMS.notNegative }),
      ),
    ],
    summary: "show and change the behavior of a sandbox's market makers",
    run: controlMakers,
  }),
  online({
    name: 'sandbox checkpoint',
    positionals: ['POINT'],
    options: [],
    summary: 'name the present moment of a sandbox',
    run: async (args, client) => {
      const data = await client.createCheckpoint({ name: args.positional('POINT') });
      return {
        data,
        text: `Created the checkpoint ${data.name} at batch ${data.position}.`,
      };
    },
  }),
  online({
    name: 'sandbox checkpoints',
    positionals: [],
    options: [],
    summary: 'list the checkpoints of a sandbox',
    run: listCheckpoints,
  }),
  online({
    name: 'sandbox restore',
    positionals: ['POINT'],
    options: [],
    summary: 'return a sandbox to a checkpoint; everything after it is gone',
    run: async (args, client) => {
      const data = await client.restoreCheckpoint({ name: args.positional('POINT') });
      return { data, text: `The sandbox is at ${data.name} again: ${data.timestamp}.` };
    },
  }),
];

async function controlClock(args: Arguments, client: ExactClient): Promise<Result> {
  const given = {
    mode: args.option('mode') as SetSandboxClockParameters['mode'],
    speed: args.option('speed'),
    advanceMs: args.integer('advance'),
    until: args.option('until'),
  };
  const isChange = Object.values(given).some((value) => value !== undefined);
  const data = isChange ? await client.setSandboxClock(given) : await client.getSandboxClock();
  return { data, text: clockText(data) };
}

function clockText({ mode, speed, stepMs, timestamp, nextEventAt }: Clock): string {
  return fields([
    ['Mode', mode],
    ['Speed', speed],
    ['Step (ms)', stepMs],
    ['Time', timestamp],
    ['Next event', nextEventAt ?? 'none'],
  ]);
}

async function controlMakers(args: Arguments, client: ExactClient): Promise<Result> {
  const running = args.option('running');
  const multipliers = Object.keys(MULTIPLIERS).map((name) => [name, args.option(name)]);
  const given = {
    running: running === undefined ? undefined : running === 'on',
    ...Object.fromEntries(multipliers),
  } as ChangeMakersParameters;
  const isChange = Object.values(given).some((value) => value !== undefined);
  const symbol = args.option('symbol');
  const { makers } = isChange
    ? await client.changeMakers({ ...given, symbol })
    : await client.getMakers();
  const shown = symbol === undefined ? makers : makers.filter((each) => each.symbol === symbol);
  return { data: { makers: shown }, text: makersText(shown) };
}

function makersText(makers: Makers): string {
  const head = ['MARKET', 'RUNNING', 'SPREAD', 'DEPTH', 'VOLATILITY', 'FLOW', 'BIAS'];
  const rows = makers.map(({ symbol, running, spread, depth, volatility, flow, bias }) => [
    symbol,
    running ? 'yes' : 'no',
    ...[spread, depth, volatility, flow, bias],
  ]);
  return table(head, rows);
}

async function listCheckpoints(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listCheckpoints();
  const rows = data.checkpoints.map(({ name, position, timestamp }) => [name, position, timestamp]);
  return { data, text: table(['NAME', 'BATCH', 'TIME'], rows) };
}
