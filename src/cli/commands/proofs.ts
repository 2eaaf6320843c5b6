import type { ExactClient } from '../../client/exact-client.ts';
import { withProgress } from '../../monitoring/progress.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { fields, table } from '../text.ts';
import { FILE_LOG, readArchive, readDataDirectory } from './offline.ts';

const AT = {
  name: 'at',
  value: 'MOMENT',
  help: 'log position or time (default: the present)',
  form: FORMS.moment,
};

/** Proofs of liabilities. */
export const proofCommands: readonly Command[] = [
  online({
    name: 'proof create',
    positionals: [],
    options: [AT],
    summary: 'make and publish a proof of liabilities',
    run: createProof,
  }),
  online({
    name: 'proof list',
    positionals: [],
    options: [],
    summary: 'list the published proofs of liabilities',
    run: listProofs,
  }),
  {
    name: 'liabilities',
    positionals: [],
    options: [...FILE_LOG, AT],
    summary: "list every account's balances in a proof, for an auditor; the node may run",
    run: async (args, env) => {
      const path = readDataDirectory(args, env, 'liabilities');
      const place = { path, archive: readArchive(args, env) };
      const { listLiabilities } = await import('../offline/liabilities.ts');
      const { parseMoment } = await import('../offline/source.ts');
      const at = parseMoment(args.option('at'));
      return withProgress((progress) => listLiabilities(place, at, progress));
    },
  },
  {
    name: 'verify-liabilities',
    positionals: ['FILE...'],
    options: [
      {
        name: 'root',
        value: 'HASH',
        help: 'the published root, which every file must have',
        form: FORMS.hash,
      },
    ],
    summary: 'check files of proofs of liabilities, without an exchange',
    run: async (args) => {
      const { verifyLiabilities } = await import('../offline/liabilities.ts');
      return verifyLiabilities(args.allPositionals('FILE...'), args.option('root'));
    },
  },
  {
    name: 'verify-receipt',
    positionals: ['FILE...'],
    options: FILE_LOG,
    summary: 'check receipts of orders against the log; the node may run',
    run: async (args, env) => {
      const path = readDataDirectory(args, env, 'verify-receipt');
      const place = { path, archive: readArchive(args, env) };
      const { verifyReceipts } = await import('../offline/receipts.ts');
      const files = args.allPositionals('FILE...');
      return withProgress((progress) => verifyReceipts(files, place, progress));
    },
  },
];

async function createProof(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.makeProof({ at: args.option('at') ?? null });
  const text = fields([
    ['Proof', data.id],
    ['Time', data.timestamp],
    ['Log hash', data.logHash],
    ['Root', data.root],
  ]);
  return { data, text: `Published a proof of liabilities.\n\n${text}` };
}

async function listProofs(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listProofs();
  const rows = data.proofs.map(({ id, timestamp, root }) => [id, timestamp, root]);
  const text = rows.length > 0 ? table(['PROOF', 'TIME', 'ROOT'], rows) : 'No proofs yet.';
  return { data, text };
}
