import type { ExactClient } from '../../client/exact-client.ts';
import { isExactNumber } from '../../client/exact-number.ts';
import type { AuditEntry, LogArchive } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { ExitCode } from '../failure.ts';
import { FORMS } from '../forms.ts';
import { type Cell, fields, table } from '../text.ts';
import { assetTable } from './asset-table.ts';

type Versions = Awaited<ReturnType<ExactClient['upgrade']>>;

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
      {
        name: 'account',
        value: 'ID',
        help: 'only actions of this account',
        form: FORMS.accountId,
      },
      {
        name: 'action',
        value: 'NAME',
        help: 'only this action, such as createAccount',
        form: FORMS.auditAction,
      },
      {
        name: 'limit',
        value: 'N',
        help: 'number of entries, newest first (default 100)',
        form: FORMS.pageSize,
      },
    ],
    summary: 'show the audit trail',
    run: audit,
  }),
];

async function state(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getState();
  const text = [
    fields([
      ['Engine version', versionText(data)],
      ['Log position', data.logPosition],
      ['State hash', data.stateHash],
      ['Open orders', data.openOrders],
      ['History lag', `${data.archivistLagMs} ms`],
      ['Log archive', archiveText(data.archive)],
    ]),
    assetTable(data.assets, 'BALANCES', ({ balances }) => (balances ? 'yes' : 'NO')),
  ].join('\n\n');
  const isSound = data.assets.every(({ balances }) => balances);
  return { data, text, exitCode: isSound ? ExitCode.done : ExitCode.failed };
}

function archiveText(archive: LogArchive | null | undefined): string | null {
  if (archive == null) return null;
  const { url, position, error } = archive;
  return `${url}, up to batch ${position}${error === null ? '' : `; ${error}`}`;
}

async function upgrade(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.upgrade();
  return { data, text: `The engine is at version ${versionText(data)}.` };
}

function versionText({ engineVersion, newestEngineVersion }: Versions): string {
  return engineVersion === newestEngineVersion
    ? `${engineVersion}`
    : `${engineVersion}; this node supports ${newestEngineVersion}, see "buttonwood upgrade"`;
}

async function audit(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getAudit({
    account: args.option('account'),
    action: args.option('action'),
    limit: args.integer('limit'),
  });
  const keys = data.entries.flatMap((entry) => Object.keys(entry) as (keyof AuditEntry)[]);
  // Names of accounts would need a column of JSON; `--json` has them.
  const names = [...new Set(keys)].filter((key) => key !== 'accounts');
  const rows = data.entries.map((entry) => names.map((name) => toCell(entry[name])));
  const headings = names.map((name) => name.toUpperCase());
  const more =
    data.nextCursor === null ? '' : '\n\nThere are older entries. Use --limit to see more.';
  return { data, text: rows.length > 0 ? table(headings, rows) + more : 'No entries yet.' };
}

/** Returns text and numbers as they are, other values as JSON. */
function toCell(value: unknown): Cell {
  if (value == null || isExactNumber(value)) return value;
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}
