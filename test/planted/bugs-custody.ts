import type { Bug } from './bug.ts';

const DEPOSITS = 'src/engine/custody/deposits.ts';
const WITHDRAWALS = 'src/engine/custody/withdrawals.ts';
const WITHDRAWAL_DAY = 'src/engine/custody/withdrawal-day.ts';
const inEngine = (subject: 'deposits' | 'withdrawals' | 'holdings') => (test: string) => ({
  file: `src/engine/custody/${subject}.test.ts`,
  test,
});
const [deposit, withdrawal] = [inEngine('deposits'), inEngine('withdrawals')];
const HOLDINGS = 'src/engine/custody/holdings.ts';
const COVERAGE = 'src/engine/custody/coverage.ts';
const holding = inEngine('holdings');

const outbox = (test: string) => ({ file: 'test/http/custody-outbox.test.ts', test });

/** Deposits and withdrawals. */
export const custodyBugs: readonly Bug[] = [
  {
    name: 'an older report of holdings replaces a newer one',
    file: HOLDINGS,
    text: '? next.report > known.report',
    becomes: '? next.report !== known.report',
    catcher: holding('are those of the newest report'),
  },
  {
    name: 'a report of holdings that is too high blocks those of a new key',
    file: HOLDINGS,
    text: ': next.keyNumber > known.keyNumber',
    becomes: ': next.report > known.report',
    catcher: holding('are those of the newest key, whatever the numbers of its reports'),
  },
  {
    name: 'withdrawals in flight do not count as covered',
    file: COVERAGE,
    text: 'sum(held, inFlight) >= owed',
    becomes: 'held >= owed',
    catcher: holding('counts withdrawals that the custodian has'),
  },
  {
    name: 'the usual time of deposits is that of the oldest',
    file: 'src/archivist/deposit-times.ts',
    text: 'all.slice(-MAX_DEPOSITS)',
    becomes: 'all.slice(0, MAX_DEPOSITS)',
    catcher: {
      file: 'src/archivist/deposit-times.test.ts',
      test: 'deposits before the newest hundred do not count',
    },
  },
  {
    name: 'a transaction id may choose the host of its explorer',
    file: 'src/config/explorers.ts',
    text: 'url.origin === other?.origin',
    becomes: 'other !== null',
    catcher: {
      file: 'src/config/explorers.test.ts',
      test: 'a host that the transaction continues is rejected',
    },
  },
  {
    name: 'a deposit is credited again when its credit is reported again',
    file: 'src/engine/custody/custody-store.ts',
    text: 'status === DepositStatus.pending && rules.deposits && confirmations >= rules.confirmations',
    becomes:
      'status <= DepositStatus.credited && rules.deposits && confirmations >= rules.confirmations',
    catcher: 'simulator',
  },
  {
    name: 'an instruction is acknowledged although the custodian rejected it',
    file: 'src/gateway/custody/outbox.ts',
    text: '      this.pause(attempt.error);\n      return false;',
    becomes: '',
    catcher: outbox('leaves the outbox only after'),
  },
  {
    name: 'two nodes send instructions',
    file: 'src/gateway/custody/outbox.ts',
    text: 'return lease.isHeld;',
    becomes: 'return true;',
    catcher: outbox('waits while the custodian is down'),
  },
  {
    name: 'the signature of an instruction leaves out its body',
    file: 'src/gateway/custody/exchange-key.ts',
    text: 'signed, Buffer.from(body)',
    becomes: 'signed',
    catcher: outbox('is signed with the key'),
  },
  {
    name: 'an older report of a deposit is followed',
    file: DEPOSITS,
    text: 'command.report <= known.report || !FOLLOWED',
    becomes: 'command.report === known.report || !FOLLOWED',
    catcher: 'simulator',
  },
  {
    name: 'a reorganized deposit stays with the account',
    file: DEPOSITS,
    text: 'if (held > 0) ledger.hold(account, asset, held, deposit.id, EntryType.custodyHold);',
    becomes: '',
    catcher: 'simulator',
  },
  {
    name: 'an account that owes a reorganized deposit may withdraw',
    file: 'src/engine/custody/custody-store.ts',
    text: 'return held !== amount;',
    becomes: 'return held > amount;',
    catcher: deposit('of which less is left holds that'),
  },
  {
    name: 'one operator approves a withdrawal twice',
    file: WITHDRAWALS,
    text: 'if (known.approvals.some(isOwner)) {',
    becomes: 'if (known.approvals.length > 1) {',
    catcher: 'simulator',
  },
  {
    name: 'operators approve withdrawals of their own account',
    file: WITHDRAWALS,
    text: "if (isOwner(known.account)) return rejected(RejectionCode.approverNotAllowed, 'requester');",
    becomes: '',
    catcher: 'simulator',
  },
  {
    name: 'the fee of a withdrawal is not held',
    file: WITHDRAWALS,
    text: 'return sum(amount, fee);',
    becomes: 'return sum(amount, sum(fee, -fee as number));',
    catcher: 'simulator',
  },
  {
    name: 'a failed withdrawal is paid',
    file: WITHDRAWALS,
    text: 'if (changes.status === WithdrawalStatus.confirmed) this.pay(withdrawal);',
    becomes: 'if (changes.status !== WithdrawalStatus.canceled) this.pay(withdrawal);',
    catcher: 'simulator',
  },
  {
    name: 'an acknowledged instruction stays in the outbox',
    file: 'src/engine/custody/custody-store.ts',
    text: '} else if (instruction !== 0) this.outbox.delete(instruction);',
    becomes: '}',
    catcher: 'simulator',
  },
  {
    name: 'dust to an address of no account waits for an operator',
    file: DEPOSITS,
    text: 'if (amount < store.networks.get(network)!.minDeposit) {',
    becomes: 'if (account !== NONE && amount < store.networks.get(network)!.minDeposit) {',
    catcher: deposit('to an unknown address ends below the minimum'),
  },
  {
    name: 'deposits of no account take the capacity of all',
    file: DEPOSITS,
    text: '(account === NONE && unclaimedDeposits >= MAX_UNCLAIMED_DEPOSITS);',
    becomes: '(account === NONE && unclaimedDeposits > MAX_UNCLAIMED_DEPOSITS);',
    catcher: deposit('to an unknown address ends below the minimum'),
  },
  {
    name: 'a debited deposit that is mined again is never shown',
    file: DEPOSITS,
    text: '  DepositStatus.frozen,\n  DepositStatus.debited,\n',
    becomes: '  DepositStatus.frozen,\n',
    catcher: deposit('that is mined again after it was debited'),
  },
  {
    name: 'a debited deposit that is mined again is credited without an operator',
    file: DEPOSITS,
    text: 'deposit.creditedAt === 0 ? reversed : debited',
    becomes: 'deposit.creditedAt >= 0 ? reversed : debited',
    catcher: deposit('that is mined again after it was debited'),
  },
  {
    name: 'canceled withdrawals do not count for the hour',
    file: WITHDRAWALS,
    text: 'isPaid || each.status === WithdrawalStatus.canceled;',
    becomes: 'isPaid;',
    catcher: withdrawal('counts for the hour if the account canceled it'),
  },
  {
    name: 'canceled withdrawals are kept without a bound',
    file: 'src/engine/custody/custody-store.ts',
    text: 'if (isUnpaid(withdrawal)) this.forgetUnpaid(withdrawal.account);',
    becomes: '',
    catcher: withdrawal('counts for the hour if the account canceled it'),
  },
  {
    name: 'the daily limit of withdrawals takes the asset for the network',
    file: WITHDRAWAL_DAY,
    text: 'if (store.networks.get(each.network)!.asset !== asset) continue;',
    becomes: 'if (each.network !== asset) continue;',
    catcher: withdrawal('is limited by day over all networks of the asset'),
  },
  {
    name: 'a withdrawal in parts is approved by rule',
    file: WITHDRAWALS,
    text: 'this.approvedByRule(withdrawal) <= ',
    becomes: 'withdrawal.amount <= ',
    catcher: withdrawal('needs operators if it is one of several parts that are larger together'),
  },
  {
    name: 'withdrawals to an address that was removed are sent',
    file: WITHDRAWALS,
    text: 'if (isTo && isOpen(each)) this.end(',
    becomes: 'if (!isTo && isOpen(each)) this.end(',
    catcher: withdrawal('is canceled if its address is removed before it was approved'),
  },
  {
    name: 'a deposit that gets its account after its end stays in the list of no account',
    file: 'src/engine/custody/custody-store.ts',
    text: 'const before = this.getDeposit(id);',
    becomes: 'const before = this.openDeposits.get(id);',
    catcher: {
      file: 'src/engine/exchange.test.ts',
      test: 'the engine behaves like the reference model',
    },
  },
  {
    name: 'failed withdrawals count for the limits',
    file: WITHDRAWAL_DAY,
    text: 'return status <= WithdrawalStatus.confirmed;',
    becomes: 'return status <= WithdrawalStatus.failed;',
    catcher: withdrawal('is limited by hour and day, of which failed ones do not count'),
  },
  {
    name: 'a withdrawal of a frozen account is sent after its delay',
    file: 'src/engine/custody/custody-store.ts',
    text: 'if (this.state.accounts[account]!.isFrozen) return RejectionCode.accountFrozen;',
    becomes: '',
    catcher: withdrawal('waits after a new device'),
  },
  {
    name: 'one operator credits deposits although the policy asks for two',
    file: 'src/engine/operators/approval-policy.ts',
    text: 'return command.resolution === Resolution.credit || command.resolution === Resolution.release;',
    becomes: 'return command.resolution === Resolution.credit;',
    catcher: {
      file: 'src/engine/operators/approvals.test.ts',
      test: 'rules of networks and the custodian key wait',
    },
  },
  {
    name: 'a payment that the engine has dropped is credited again',
    file: 'src/replica/deposits.ts',
    text: 'return found === undefined || returns(found, command)',
    becomes: 'return found?.id !== 0',
    catcher: {
      file: 'test/http/custody.test.ts',
      test: 'show and credit every payment once',
    },
  },
  {
    name: 'a reversed payment that the engine has dropped is never credited',
    file: 'src/replica/deposits.ts',
    text: 'return found.status === DepositStatus.reversed && isLater;',
    becomes: 'return false;',
    catcher: {
      file: 'test/http/custody.test.ts',
      test: 'credit a payment that was reversed',
    },
  },
  {
    name: 'a late report credits a payment that the engine has dropped as reversed',
    file: 'src/replica/deposits.ts',
    text: 'command.report > found.report && isSame(found, command)',
    becomes: 'isSame(found, command)',
    catcher: {
      file: 'test/http/custody.test.ts',
      test: 'credit a payment that was reversed',
    },
  },
  {
    name: 'parts that waited for a day after a new device are judged one by one',
    file: WITHDRAWAL_DAY,
    text: 'time - Math.max(createdAt, waitsUntil) < WITHDRAWAL_WINDOW_MS',
    becomes: 'time - createdAt < WITHDRAWAL_WINDOW_MS',
    catcher: withdrawal('from a new device that waits a day'),
  },
  {
    name: 'history does not get the deposits that the engine drops',
    file: 'src/engine/custody/custody-store.ts',
    text: '    this.dropped.push(oldest!);\n',
    becomes: '',
    catcher: {
      file: 'test/http/custody.test.ts',
      test: 'show and credit every payment once',
    },
  },
  {
    name: 'a webhook gets one event of several changes of a batch',
    file: 'src/gateway/notifications/account-events.ts',
    text: 'const after = { changedIn: custodyBatch, changeIndex: custodyIndex };',
    becomes: 'const after = { changedIn: custodyBatch + 1, changeIndex: custodyIndex };',
    catcher: {
      file: 'test/http/webhooks.test.ts',
      test: 'gets every change of a deposit',
    },
    isSilence: true,
  },
  {
    name: 'operators of any role decide on deposits by a session',
    file: 'src/gateway/endpoints/custody/reviews.ts',
    text: 'const outcome = await executeConfirmed(call, command, body);',
    becomes: 'const outcome = await call.services.replica.execute(command);',
    catcher: {
      file: 'test/http/custody.test.ts',
      test: 'decide nothing without the permission and a confirmation',
    },
  },
  {
    name: 'the key of the custodian is not checked in the order of the log',
    file: 'src/engine/custody/custody.ts',
    text: 'return keyNumber === 0 || keyNumber === this.keyNumber',
    becomes: 'return keyNumber >= 0',
    catcher: 'simulator',
  },
];
