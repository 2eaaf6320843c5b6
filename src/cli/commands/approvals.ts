import type { ExactClient } from '../../client/exact-client.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { printable, table } from '../text.ts';

export const approvalCommands: readonly Command[] = [
  online({
    name: 'approvals list',
    positionals: [],
    options: [],
    summary: 'list the requests that wait for a second operator',
    run: list,
  }),
  online({
    name: 'approvals approve',
    positionals: ['REQUEST'],
    options: [],
    summary: 'approve a request of another account, which is carried out at once',
    run: approve,
  }),
  online({
    name: 'approvals reject',
    positionals: ['REQUEST'],
    options: [{ name: 'reason', value: 'TEXT', help: 'why', form: FORMS.reason }],
    summary: 'reject a request, or withdraw your own',
    run: reject,
  }),
  online({
    name: 'approvals policy',
    positionals: [],
    options: [],
    summary: 'show which actions need a second operator',
    run: showPolicy,
  }),
];

interface Request {
  readonly id: string;
  readonly action: string;
  readonly subject: string | null;
}

async function list(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listApprovals();
  if (data.pending.length === 0) return { data, text: 'No request waits for an approval.' };
  const rows = data.pending.map((each) => [
    each.id,
    each.action,
    each.subject ?? '',
    printable(each.user ?? each.account ?? ''),
    printable(each.reason),
    each.expiresAt,
  ]);
  const headings = ['REQUEST', 'ACTION', 'TARGET', 'ASKED BY', 'REASON', 'EXPIRES'];
  return { data, text: table(headings, rows) };
}

async function approve(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.approveRequest({ id: args.positional('REQUEST') });
  return { data, text: `Approved and carried out: ${describe(data.approval)}.` };
}

async function reject(args: Arguments, client: ExactClient): Promise<Result> {
  const reason = args.option('reason');
  const data = await client.rejectRequest({
    id: args.positional('REQUEST'),
    ...(reason === undefined ? {} : { reason }),
  });
  const { status } = data.approval;
  const verb = status === 'withdrawn' ? 'Withdrawn' : 'Rejected';
  return { data, text: `${verb}: ${describe(data.approval)}.` };
}

async function showPolicy(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getApprovalPolicy();
  const { actions, limits } = data.policy;
  if (actions.length === 0) return { data, text: 'No action needs a second operator.' };
  const rows = limits.map(({ asset, amount }) => [asset, amount]);
  const listed = `A second operator must approve: ${actions.join(', ')}.`;
  const text =
    rows.length === 0 ? listed : `${listed}\n\n${table(['ASSET', 'CREDITS ABOVE'], rows)}`;
  return { data, text };
}

function describe({ id, action, subject }: Request): string {
  return `request ${id}, ${action}${subject === null ? '' : ` of ${subject}`}`;
}
