import { readFileSync } from 'node:fs';
import type { ExactClient } from '../../client/exact-client.ts';
import { exactNumber } from '../../client/exact-number.ts';
import type { AddFaultsParameters } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Option, Result } from '../command.ts';
import { online } from '../connection.ts';
import { usageError } from '../failure.ts';
import { FORMS } from '../forms.ts';
import { table } from '../text.ts';

type Listed = Awaited<ReturnType<ExactClient['listFaults']>>;

/** The options of one fault, by the field that they set. */
const FIELDS = {
  probability: {
    value: 'P',
    help: 'how often it happens, from 0 to 1 (default: 1)',
    form: FORMS.probability,
  },
  count: { value: 'N', help: 'maximum number of times', form: FORMS.sequence },
  ms: {
    value: 'MS',
    help: 'milliseconds of delay, slow_fill, market_halt or clock_skew',
    form: FORMS.signedMilliseconds,
  },
  jitter: { value: 'MS', help: 'maximum random addition to a delay', form: FORMS.index },
  status: { value: 'CODE', help: 'HTTP status', form: FORMS.faultStatus },
} as const satisfies Readonly<Record<string, Omit<Option, 'name'>>>;
const PERIODS = {
  every: { value: 'MS', help: 'length of a period; once in each', form: FORMS.sequence },
  for: {
    value: 'MS',
    help: 'happen throughout the first part of each period',
    form: FORMS.sequence,
  },
} as const satisfies Readonly<Record<string, Omit<Option, 'name'>>>;

export const sandboxFaultCommands: readonly Command[] = [
  online({
    name: 'sandbox fault add',
    positionals: [],
    options: [
      { name: 'file', value: 'FILE', help: 'JSON file with a script; other options add to it' },
      {
        name: 'kind',
        value: 'KIND',
        help: 'the fault, such as answer_lost_after_commit',
        form: FORMS.faultKind,
      },
      { name: 'key', value: 'KEY', help: 'only for this API key', form: FORMS.apiKey },
      { name: 'account', value: 'ID', help: 'only for this account', form: FORMS.accountId },
      { name: 'seed', value: 'N', help: "seed (default: of the sandbox's)", form: FORMS.seed },
      ...Object.entries(FIELDS).map(([name, option]) => ({ name, ...option })),
      { name: 'before', help: 'delay the request instead of the answer' },
      { name: 'symbol', value: 'SYMBOL', help: 'the market to halt', form: FORMS.symbol },
      {
        name: 'endpoint',
        value: 'PATTERN',
        help: "where it happens, such as 'POST /api/orders' or 'channel trades' (repeatable)",
        form: FORMS.pattern,
        isRepeatable: true,
      },
      { name: 'from', value: 'TIME', help: 'when it begins', form: FORMS.time },
      { name: 'until', value: 'TIME', help: 'when it ends', form: FORMS.time },
      ...Object.entries(PERIODS).map(([name, option]) => ({ name, ...option })),
    ],
    summary: 'inject faults into a sandbox',
    run: add,
  }),
  online({
    name: 'sandbox fault list',
    positionals: [],
    options: [{ name: 'limit', value: 'N', help: 'maximum faults shown', form: FORMS.pageSize }],
    summary: 'show the scripts of faults, and the faults that have happened',
    run: async (args, client) => {
      const limit = args.integer('limit');
      const data = await client.listFaults(limit === undefined ? {} : { limit });
      return { data, text: toText(data) };
    },
  }),
  online({
    name: 'sandbox fault clear',
    positionals: [],
    options: [
      {
        name: 'id',
        value: 'ID',
        help: 'the script to remove (default: all)',
        form: FORMS.reference,
      },
    ],
    summary: 'remove a script of faults, or all',
    run: async (args, client) => {
      const id = args.option('id');
      const data = await client.removeFaults(id === undefined ? {} : { id });
      return { data, text: `Removed ${data.removed} script${data.removed === 1 ? '' : 's'}.` };
    },
  }),
];

async function add(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.addFaults(readScript(args));
  const kinds = data.script.faults.map(({ kind }) => kind).join(', ');
  return { data, text: `Installed ${data.script.id}: ${kinds}.` };
}

/** @throws CliError USAGE */
function readScript(args: Arguments): AddFaultsParameters {
  const file = args.option('file');
  const script = file === undefined ? { faults: [] } : readFile(file);
  const fault = readFault(args);
  if (fault === undefined && file === undefined) {
    throw usageError('Give a fault with --kind, or a script with --file.');
  }
  const [apiKey, account, seed] = [
    args.option('key'),
    args.option('account'),
    args.integer('seed'),
  ];
  return {
    ...script,
    ...(apiKey !== undefined && { apiKey }),
    ...(account !== undefined && { account }),
    ...(seed !== undefined && { seed }),
    faults: [...(script.faults ?? []), ...(fault === undefined ? [] : [fault])],
  };
}

/** @throws CliError USAGE if the file cannot be read or is not a JSON object */
function readFile(path: string): AddFaultsParameters {
  try {
    const script = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof script === 'object' && script !== null && !Array.isArray(script)) return script;
  } catch (error) {
    throw usageError(`Cannot read ${path}: ${(error as Error).message}.`);
  }
  throw usageError(`${path} must be a JSON object with "faults".`);
}

/** Returns the fault of the options; undefined if they have none. */
function readFault(args: Arguments): AddFaultsParameters['faults'][number] | undefined {
  const kind = args.option('kind');
  if (kind === undefined) return undefined;
  const fault: Record<string, unknown> = { kind };
  for (const name of Object.keys(FIELDS)) {
    const value = args.option(name);
    if (value !== undefined) fault[name] = exactNumber(value);
  }
  if (args.has('before')) fault.before = true;
  const symbol = args.option('symbol');
  if (symbol !== undefined) fault.symbol = symbol;
  const endpoints = args.all('endpoint');
  if (endpoints.length > 0) fault.endpoints = endpoints;
  const schedule = {
    ...(args.has('from') && { from: args.required('from') }),
    ...(args.has('until') && { until: args.required('until') }),
    ...(args.has('every') && { everyMs: args.integer('every') }),
    ...(args.has('for') && { forMs: args.integer('for') }),
  };
  if (Object.keys(schedule).length > 0) fault.schedule = schedule;
  return fault as unknown as AddFaultsParameters['faults'][number];
}

function toText({ scripts, injected, happened: count }: Listed): string {
  const installed = scripts.flatMap(({ id, apiKey, account, faults }) =>
    faults.map((fault) => [
      id,
      fault.kind,
      apiKey ?? account ?? 'everything',
      fault.probability,
      `${fault.injected}`,
    ]),
  );
  const happened = injected.map((each) => [
    each.number,
    each.timestamp,
    each.kind,
    each.endpoint,
    each.account,
    each.position,
    each.requestId,
  ]);
  const scriptTable =
    installed.length === 0
      ? 'No scripts.'
      : table(['Script', 'Fault', 'For', 'Probability', 'Happened'], installed);
  if (happened.length === 0) return scriptTable;
  const heads = ['No.', 'Time', 'Fault', 'Endpoint', 'Account', 'Position', 'Request'];
  return `${scriptTable}\n\n${table(heads, happened)}\n\n${happened.length} of ${count} faults.`;
}
