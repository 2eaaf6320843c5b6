import type { ExactClient } from '../../client/exact-client.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { ExitCode } from '../failure.ts';
import { FORMS } from '../forms.ts';
import { fields } from '../text.ts';

type Clock = Awaited<ReturnType<ExactClient['getClock']>>;

export const clockCommands: readonly Command[] = [
  online({
    name: 'clock show',
    positionals: [],
    options: [],
    summary: "show a node's time and that of its machine; exits with 1 while they disagree",
    run: async (_args, client) => toResult(await client.getClock()),
  }),
  online({
    name: 'clock confirm',
    positionals: [],
    options: [
      {
        name: 'time',
        value: 'TIME',
        help: 'the right time, such as 2026-01-05T12:00:00Z (default: the time of this machine)',
        form: FORMS.time,
      },
    ],
    summary: "confirm that a node's machine has the right time after its clock jumped",
    run: confirm,
  }),
];

async function confirm(args: Arguments, client: ExactClient): Promise<Result> {
  const wallClock = args.option('time') ?? new Date().toISOString();
  return toResult(await client.confirmClock({ wallClock }));
}

function toResult(data: Clock): Result {
  const text = fields([
    ['Time of the node', data.timestamp],
    ['Wall clock', data.wallClock],
    ['Offset', `${data.offsetMs} ms`],
    ['Clock off', data.isOff ? 'YES' : 'no'],
  ]);
  return { data, text, exitCode: data.isOff ? ExitCode.failed : ExitCode.done };
}
