import {
  type ExactNumber,
  isExactNumber,
  type JsonObject,
  type JsonValue,
} from '../../client/exact-number.ts';
import type { RestClient } from '../../client/rest-client.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { ExitCode } from '../failure.ts';
import { type Cell, fields, table } from '../text.ts';
import { type AssetTotals, assetTable } from './asset-table.ts';

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
    summary: 'show log position, state hash and whether the books balance',
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
      { name: 'account', value: 'ID', help: 'only actions of this account' },
      { name: 'action', value: 'NAME', help: 'only this action, such as createAccount' },
      { name: 'limit', value: 'N', help: 'number of entries, newest first (default 100)' },
    ],
    summary: 'show the audit trail',
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
      ['History lag', `${data.archivistLagMs.rawJSON} ms`],
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
    : `${version}; this node supports ${newest}, see "buttonwood upgrade"`;
}

async function audit(args: Arguments, client: RestClient): Promise<Result> {
  const filters = ['account', 'action', 'limit'].flatMap((name) => {
    const value = args.option(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const data = await client.request<{ entries: JsonObject[]; nextCursor: string | null }>(
    'GET',
    '/api/admin/audit',
    { query: Object.fromEntries(filters) },
  );
  const names = [...new Set(data.entries.flatMap((entry) => Object.keys(entry)))];
  const rows = data.entries.map((entry) => names.map((name) => toCell(entry[name])));
  const headings = names.map((name) => name.toUpperCase());
  const more =
    data.nextCursor === null ? '' : '\n\nThere are older entries. Use --limit to see more.';
  return { data, text: rows.length > 0 ? table(headings, rows) + more : 'No entries yet.' };
}

/** Returns the details of an action as `name=value`; values that are neither text nor number stay JSON. */
function toCell(value: JsonValue | undefined): Cell {
  const isPlain = value == null || typeof value === 'string' || isExactNumber(value);
  return isPlain ? value : JSON.stringify(value);
}
