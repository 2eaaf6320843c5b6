import {
  type ExactNumber,
  isExactNumber,
  type JsonObject,
  type JsonValue,
} from '../client/exact-number.ts';
import type { RestClient } from '../client/rest-client.ts';
import type { Arguments } from './arguments.ts';
import { type AssetTotals, assetTable } from './asset-table.ts';
import type { Command, Result } from './command.ts';
import { online } from './connection.ts';
import { ExitCode } from './failure.ts';
import { type Cell, fields, table } from './text.ts';

interface Versions {
  readonly engineVersion: ExactNumber;
  readonly newestEngineVersion: ExactNumber;
}

interface State extends Versions {
  readonly logPosition: ExactNumber;
  readonly stateHash: string;
  readonly archivistLagMs: ExactNumber;
  readonly openOrders: ExactNumber;
  readonly assets: readonly (AssetTotals & { readonly balances: boolean })[];
}

export const stateCommands: readonly Command[] = [
  online({
    name: 'state',
    positionals: [],
    options: [],
    summary: 'show the log position, the state hash and that the books balance',
    run: state,
  }),
  online({
    name: 'upgrade',
    positionals: [],
    options: [],
    summary: "raise the engine's version, once every node runs the new release",
    run: upgrade,
  }),
  online({
    name: 'audit',
    positionals: [],
    options: [
      { name: 'account', value: 'ID', help: 'what this account asked for' },
      { name: 'action', value: 'NAME', help: 'commands of this name, such as createAccount' },
      { name: 'limit', value: 'N', help: 'how many entries, the newest first (100)' },
    ],
    summary: 'show who did what, and when',
    run: audit,
  }),
];

async function state(_args: Arguments, client: RestClient): Promise<Result> {
  const data = await client.request<State>('GET', '/api/admin/state');
  const text = [
    fields([
      ['Engine version', versionText(data)],
      ['Log position', data.logPosition],
      ['State hash', data.stateHash],
      ['Open orders', data.openOrders],
      ['Archivist lag', `${data.archivistLagMs.rawJSON} ms`],
    ]),
    assetTable(data.assets, 'BALANCES', ({ balances }) => (balances ? 'yes' : 'NO')),
  ].join('\n\n');
  const isSound = data.assets.every(({ balances }) => balances);
  return { data, text, exitCode: isSound ? ExitCode.done : ExitCode.failed };
}

async function upgrade(_args: Arguments, client: RestClient): Promise<Result> {
  const data = await client.request<Versions>('POST', '/api/admin/upgrade', { body: {} });
  return { data, text: `The engine is at version ${versionText(data)}.` };
}

function versionText({ engineVersion, newestEngineVersion }: Versions): string {
  const [version, newest] = [engineVersion.rawJSON, newestEngineVersion.rawJSON];
  return version === newest
    ? version
    : `${version}; this node knows ${newest}: see "buttonwood upgrade"`;
}

async function audit(args: Arguments, client: RestClient): Promise<Result> {
  const asked = ['account', 'action', 'limit'].flatMap((name) => {
    const value = args.option(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const data = await client.request<{ entries: JsonObject[]; nextCursor: string | null }>(
    'GET',
    '/api/admin/audit',
    { query: Object.fromEntries(asked) },
  );
  const names = [...new Set(data.entries.flatMap((entry) => Object.keys(entry)))];
  const rows = data.entries.map((entry) => names.map((name) => cellOf(entry[name])));
  const headings = names.map((name) => name.toUpperCase());
  const more =
    data.nextCursor === null ? '' : '\n\nThere are older entries: see more with --limit.';
  return { data, text: rows.length > 0 ? table(headings, rows) + more : 'Nothing was done yet.' };
}

/** What was done differs in its parts; what is not a word or a number stays JSON. */
function cellOf(value: JsonValue | undefined): Cell {
  const isPlain = value == null || typeof value === 'string' || isExactNumber(value);
  return isPlain ? value : JSON.stringify(value);
}
