import type { Bug } from './bug.ts';

const ADMINISTRATION = 'src/engine/operators/approval-administration.ts';
const byTest = (test: string) => ({ file: 'src/engine/operators/approvals.test.ts', test });

/** Approvals by a second operator. */
export const approvalBugs: readonly Bug[] = [
  {
    name: 'the requester approves with another key of the account',
    file: ADMINISTRATION,
    text: 'if (this.isSameOwner(account, command.account)) return',
    becomes: 'if (this.isSameOwner(account, command.account) && key === command.key) return',
    catcher: byTest('never approves'),
  },
  {
    name: 'a request outlives the key that made it',
    file: ADMINISTRATION,
    text: 'this.commands.authorize({ account, key }, request.command) !== undefined',
    becomes: 'this.commands.authorize(command, request.command) !== undefined',
    catcher: byTest('must still have the key'),
  },
  {
    name: 'any operator approves any command',
    file: ADMINISTRATION,
    text: `    const rejection = this.commands.authorize(command, request.command);
    if (rejection !== undefined) return rejection;
    if (this`,
    becomes: '    if (this',
    catcher: byTest('an approver needs the permission'),
  },
  {
    name: 'debits need no approval',
    file: 'src/engine/operators/approval-policy.ts',
    text: 'sum(recent, amount < 0 ? difference(0, amount) : amount)',
    becomes: 'sum(recent, amount)',
    catcher: byTest('a credit above its limit'),
  },
  {
    name: 'an operator splits a large credit into small ones',
    file: ADMINISTRATION,
    text: 'adjustmentTotals.add(owner, command.asset, command.amount);',
    becomes: '',
    catcher: byTest('holds for the sum of 24 hours'),
  },
  {
    name: 'a repeated credit needs an approval',
    file: ADMINISTRATION,
    text: 'if (this.state.transfers.get(command.reference) !== undefined) return undefined;',
    becomes: '',
    catcher: byTest('holds for the sum of 24 hours'),
  },
  {
    name: 'totals of adjustments look back less than 24 hours',
    file: 'src/engine/operators/adjustment-totals.ts',
    text: 'const HOURS_BEFORE = 24;',
    becomes: 'const HOURS_BEFORE = 23;',
    catcher: byTest('holds for the sum of 24 hours'),
  },
  {
    name: 'one operator grants withdrawals for a customer',
    file: 'src/engine/operators/approval-policy.ts',
    text: 'OPERATOR_PERMISSIONS | FUND_PERMISSIONS;',
    becomes: 'OPERATOR_PERMISSIONS | Permission.trade;',
    catcher: byTest('operators need a second one'),
  },
  {
    name: 'a request needs no reason',
    file: ADMINISTRATION,
    text: "if (reason.trim() === '' || reason.length",
    becomes: 'if (reason.length',
    catcher: byTest('a request needs a reason'),
  },
  {
    name: 'an approved grant is applied again',
    file: 'src/users/users.ts',
    text: "if ((await queries.run(insert, approval)) === 0) return 'repeated';",
    becomes: 'await queries.run(insert, approval);',
    catcher: {
      file: 'src/users/users.contract.test.ts',
      test: 'an approved grant is applied once',
    },
  },
];
