import type { Bug } from './bug.ts';

const FILE = 'src/engine/sub-accounts/sub-account-administration.ts';
const unit = (test: string) => ({ file: 'src/engine/sub-accounts/sub-accounts.test.ts', test });

const closing = (test: string) => ({ file: 'src/engine/sub-accounts/closing.test.ts', test });
const stream = (test: string) => ({ file: 'test/stream/sub-accounts.test.ts', test });
const http = (test: string) => ({ file: 'test/http/sub-accounts.test.ts', test });

/** Sub-accounts and transfers between accounts. */
export const subAccountBugs: readonly Bug[] = [
  {
    name: 'accounts of a group trade with each other',
    file: 'src/engine/book/order-store.ts',
    text: 'return main === 0 ? account : main - 1;',
    becomes: 'return account;',
    catcher: 'simulator',
  },
  {
    name: 'a user moves the money of others',
    file: FILE,
    text: 'if (source === undefined || (source !== actor && source.main !== actor)) {',
    becomes: 'if (source === undefined) {',
    catcher: unit('transfers leave only accounts of the group'),
  },
  {
    name: 'a sub-account opens sub-accounts',
    file: FILE,
    text: 'if (main.main !== undefined) return rejected(RejectionCode.mainAccountOnly);',
    becomes: '',
    catcher: unit('a sub-account cannot open sub-accounts'),
  },
  {
    name: 'a sub-account takes over the account of another user',
    file: FILE,
    text: 'if (accountsById.has(accountId)) {',
    becomes: 'if (accountId === main.id) {',
    catcher: unit('a sub-account cannot open sub-accounts'),
  },
  {
    name: 'a negative internal transfer takes money',
    file: FILE,
    text: 'if (amount <= 0) return',
    becomes: 'if (amount === 0) return',
    catcher: unit('transfers leave only accounts of the group'),
  },
  {
    name: 'a sub-account trades while its main account is frozen',
    file: 'src/engine/ledger/accounts.ts',
    text: 'return this.frozen || this.main?.frozen === true;',
    becomes: 'return this.frozen;',
    catcher: unit('a frozen main account freezes'),
  },
  {
    name: 'an operator approves their own request with a sub-account',
    file: 'src/engine/operators/approval-administration.ts',
    text: 'return findOwner(accounts, requester) === findOwner(accounts, decider);',
    becomes: 'return accounts[requester] === accounts[decider];',
    catcher: unit('no one approves their own request'),
  },
  {
    name: 'a sub-account is closed with money on hold for an order',
    file: FILE,
    text: 'if (account.openOrders > 0) return',
    becomes: 'if (account.openOrders > 1) return',
    catcher: closing('with an order that holds everything'),
  },
  {
    name: 'closed sub-accounts count towards the limit',
    file: FILE,
    text: 'return subAccounts.filter(({ isClosed }) => !isClosed).length;',
    becomes: 'return subAccounts.length;',
    catcher: closing('the limit counts open sub-accounts'),
  },
  {
    name: 'a closed sub-account gets new deposit addresses',
    file: 'src/engine/custody/addresses.ts',
    text: 'if (store.state.accounts[account]!.isClosed) return',
    becomes: 'if (store.state.accounts[account]!.isFrozen) return',
    catcher: closing('to a closed sub-account is possible only at the addresses'),
  },
  {
    name: 'a closed sub-account keeps its keys',
    file: FILE,
    text: 'return this.parts.keyAdministration.revokeAccountKeys(account);',
    becomes: 'return undefined;',
    catcher: closing('a closed sub-account has no keys'),
  },
  {
    name: 'a session selects the account of another user',
    file: 'src/gateway/auth/identities.ts',
    text: 'account === main || (account !== undefined && account.main === main)',
    becomes: 'account !== undefined',
    catcher: http('and no other, whether or not it exists'),
  },
  {
    name: 'a key acts for its account although the request selects another',
    file: 'src/gateway/auth/identities.ts',
    text: 'selected === null || selected === id ? undefined',
    becomes: 'selected !== id ? undefined',
    catcher: http('for balances, orders and keys'),
  },
  {
    name: 'a session sends money to another user without the password',
    file: 'src/gateway/endpoints/sub-accounts/internal-transfers.ts',
    text: 'if (named?.owner !== from.owner) await',
    becomes: 'if (named === from) await',
    catcher: http('to another user need the password'),
  },
  {
    name: 'a session downloads the reports of other users',
    file: 'src/gateway/endpoints/reports.ts',
    text: 'if (!accessibleAccounts(call).some(({ index }) => index === account)) {',
    becomes: 'if (accessibleAccounts(call).length === 0) {',
    catcher: http('and downloads the reports of the group by a link'),
  },
  {
    name: 'a socket selects the account of another user',
    file: 'src/gateway/auth/stream-authorization.ts',
    text: '    if (selected instanceof ApiError) throw selected;\n    return selected;',
    becomes:
      '    return selected instanceof ApiError ? { ...caller, account: this.services.replica.exchange.state.accountsById.get(account) ?? caller.account } : selected;',
    catcher: stream('a user can select no account of others'),
  },
  {
    name: 'a socket ignores the account that it selects',
    file: 'src/gateway/auth/stream-authorization.ts',
    text: '    if (account === undefined) return caller;',
    becomes: '    if (account !== caller.account.id) return caller;',
    catcher: stream('a socket receives the private events of the account'),
  },
  {
    name: 'operations of a session count for the account that it selects',
    file: 'src/gateway/limits/windows.ts',
    text: 'const { id, limitClass } = account.owner;',
    becomes: 'const { id, limitClass } = account;',
    catcher: stream('sockets of a session share the limits'),
  },
  {
    name: 'an internal transfer is never forgotten',
    file: 'src/engine/sub-accounts/sub-accounts.ts',
    text: '    if (count === 0) this.counts.delete(owner);\n    else this.counts.set(owner, count);',
    becomes: '    if (count < 0) this.counts.delete(owner);',
    catcher: unit('a client id moves money once'),
  },
];
