import {
  type Actor,
  type AddNote,
  type Approve,
  type Command,
  CommandKind,
  type GrantAccess,
  type RejectApproval,
  type RemoveNote,
  type RequestApproval,
  type ReviewAlert,
  type SetApprovalPolicy,
} from '../../src/engine/command.ts';
import {
  APPROVAL_LIFETIME_MS,
  MAX_ALERT_ID_LENGTH,
  MAX_CLOSED_APPROVALS,
  MAX_NOTE_LENGTH,
  MAX_NOTES_PER_ACCOUNT,
  MAX_PENDING_APPROVALS,
  MAX_PENDING_APPROVALS_PER_ACCOUNT,
  MAX_REASON_LENGTH,
} from '../../src/engine/limits.ts';
import type { Exact } from '../../src/engine/numbers/exact.ts';
import type { ApprovalRequest, Note } from '../../src/engine/operators/records.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import { Permission } from '../../src/engine/terms.ts';
import { reject } from './naive-administration.ts';
import type { NaiveOutcome } from './naive-exchange.ts';
import { findOwner } from './naive-owners.ts';
import type { NaiveState } from './naive-state.ts';

/** Approvals by a second operator, and notes. */

export interface NaiveApproval {
  readonly kind: 'approval';
  readonly approval: ApprovalRequest;
  readonly outcome?: NaiveOutcome;
}
export interface NaiveNoted {
  readonly kind: 'note';
  readonly note: Note;
}

/** The parts of the exchange that approvals need. */
export interface NaiveOperators {
  authorize(actor: Actor, permission: number): Rejection | undefined;
  administer(command: RequestApproval['command']): NaiveOutcome;
}

const { trade, withdraw, transfer, operate, support, markets, treasury, compliance, audit } =
  Permission;
const HOUR_MS = 3_600_000;
const ANY_OPERATOR = operate + support + markets + treasury + compliance + audit;

/** The permissions of which a key needs one, by kind of command; `operate` where there is none. */
const NEEDED: Readonly<Record<number, number>> = {
  [CommandKind.createAsset]: markets,
  [CommandKind.listMarket]: markets,
  [CommandKind.setTradingStatus]: markets,
  [CommandKind.scheduleMaintenance]: markets,
  [CommandKind.cancelMaintenance]: markets,
  [CommandKind.announce]: support | markets,
  [CommandKind.withdrawAnnouncement]: support | markets,
  [CommandKind.bustTrade]: markets,
  [CommandKind.setTradingLimits]: markets + compliance,
  [CommandKind.setMarketStatus]: markets,
  [CommandKind.changeMarketRules]: markets,
  [CommandKind.delistMarket]: markets,
  [CommandKind.setFeeTiers]: markets,
  [CommandKind.setAccountFeeTier]: markets,
  [CommandKind.setFeeDiscount]: markets,
  [CommandKind.setReferralShare]: markets,
  [CommandKind.setReferrer]: support,
  [CommandKind.createAccount]: support,
  [CommandKind.setAccountStatus]: support + compliance,
  [CommandKind.setAccountLimitClass]: support,
  [CommandKind.cancelOrdersOf]: support + markets,
  [CommandKind.transfer]: treasury,
  [CommandKind.addNote]: support + compliance,
  [CommandKind.removeNote]: support + compliance,
  [CommandKind.reviewAlert]: compliance,
  [CommandKind.revokeKey]: support + compliance,
  [CommandKind.requestApproval]: ANY_OPERATOR,
  [CommandKind.approve]: ANY_OPERATOR,
  [CommandKind.rejectApproval]: ANY_OPERATOR,
};

export function neededPermission({ kind }: Command): number {
  return (NEEDED[kind] ?? 0) | operate;
}

/** Returns whether a command needs a second operator. */
export function needsSecond(state: NaiveState, command: Command & Actor): boolean {
  const { policy, version } = state;
  if (version < 2 || command.account === -1) return false;
  const has = (bit: number) => Math.floor(policy.actions / bit) % 2 === 1;
  switch (command.kind) {
    case CommandKind.setApprovalPolicy:
    case CommandKind.bustTrade:
      return true;
    case CommandKind.transfer: {
      const limit = policy.limits.find(({ asset }) => asset === command.asset)?.amount ?? 0;
      const remembered = state.transfers.slice(state.forgottenTransfers);
      if (remembered.some(({ reference }) => reference === command.reference)) return false;
      let total = magnitude(command.amount);
      for (const { account, asset, amount, time } of state.adjustments) {
        const hours = Math.floor(state.time / HOUR_MS) - Math.floor(time / HOUR_MS);
        const isOwn = findOwner(state, account) === findOwner(state, command.account);
        if (isOwn && asset === command.asset && hours <= 24) total += amount;
      }
      return has(1) && total > BigInt(limit);
    }
    case CommandKind.setNetwork:
    case CommandKind.setCustodianKey:
      return has(2);
    case CommandKind.resolveDeposit:
      return has(2) && [0, 3].includes(command.resolution);
    case CommandKind.changeMarketRules:
    case CommandKind.setFeeTiers:
    case CommandKind.setAccountFeeTier:
    case CommandKind.setFeeDiscount:
    case CommandKind.setReferralShare:
    case CommandKind.setReferrer:
    case CommandKind.setTradingLimits:
      return has(4);
    case CommandKind.createKey:
    case CommandKind.createSignedKey:
    case CommandKind.createHmacKey:
    case CommandKind.grantAccess:
      return has(8) && isSensitive(command);
    case CommandKind.changeKey: {
      const key = state.keys.find((each) => each?.apiKey === command.apiKey);
      const { addresses } = command;
      const isMoved =
        key !== undefined && addresses !== null && key.addresses.join() !== addresses.join();
      return has(8) && isMoved && isSensitive({ ...key, account: command.account });
    }
    case CommandKind.delistMarket:
      return has(16);
    default:
      return false;
  }
}

/** Returns whether permissions are those of operators, or let one use the funds of another account. */
function isSensitive({ account, owner, permissions }: Omit<GrantAccess, 'kind' | 'key' | 'user'>) {
  const isForeign = owner !== account && (permissions & (trade + withdraw + transfer)) !== 0;
  return (permissions & ANY_OPERATOR) !== 0 || isForeign;
}

function magnitude(amount: Exact): bigint {
  return amount < 0 ? -BigInt(amount) : BigInt(amount);
}

/** Remembers a credit or debit that needed no second operator. */
export function rememberAdjustment(
  state: NaiveState,
  command: Command & Actor,
  outcome: NaiveOutcome,
): void {
  const isNew = outcome.kind === 'transfer' && outcome.created;
  if (command.kind !== CommandKind.transfer || command.account === -1 || !isNew) return;
  if (state.policy.actions % 2 === 0) return;
  const { account, asset, amount } = command;
  state.adjustments.push({ account, asset, amount: magnitude(amount), time: state.time });
}

export function setPolicy(state: NaiveState, command: SetApprovalPolicy): NaiveOutcome {
  const { actions, limits } = command;
  if (state.version < 2 || actions < 0 || actions > 127) return reject(RejectionCode.invalidRules);
  const used = actions === 0 ? [] : limits;
  for (const [place, { asset, amount }] of used.entries()) {
    if (state.assets[asset] === undefined) return reject(RejectionCode.unknownAsset);
    const isRepeated = used.slice(0, place).some((each) => each.asset === asset);
    if (amount < 0 || isRepeated) return reject(RejectionCode.invalidRules);
  }
  if (actions % 2 === 0) state.adjustments = [];
  // Grants and changes of the policy are in every policy.
  state.policy = { actions: actions === 0 ? 0 : actions | 8 | 64, limits: used };
  return { kind: 'done' };
}

export function request(
  state: NaiveState,
  command: RequestApproval,
  operators: NaiveOperators,
): NaiveOutcome {
  const { account, key, user, reason, command: inner } = command;
  if (state.version < 2) return reject(RejectionCode.invalidRules);
  if (inner.account !== account || inner.key !== key) return reject(RejectionCode.invalidRules);
  if (state.accounts[account] === undefined) return reject(RejectionCode.unknownAccount);
  const rejection = operators.authorize(command, neededPermission(inner));
  if (rejection !== undefined) return rejection;
  if (reason.trim() === '' || reason.length > MAX_REASON_LENGTH) {
    return reject(RejectionCode.invalidRules);
  }
  const own = state.approvals.filter((each) => each.command.account === account);
  if (
    state.approvals.length >= MAX_PENDING_APPROVALS ||
    own.length >= MAX_PENDING_APPROVALS_PER_ACCOUNT
  ) {
    return reject(RejectionCode.limitReached);
  }
  const id = state.nextApprovalId++;
  const terms = { id, user, reason, command: inner, requestedAt: state.time };
  const approval: ApprovalRequest = { ...terms, status: 'pending' };
  state.approvals.push(approval);
  return { kind: 'approval', approval };
}

export function approve(
  state: NaiveState,
  command: Approve,
  operators: NaiveOperators,
): NaiveOutcome {
  const request = state.approvals.find(({ id }) => id === command.id);
  if (request === undefined) return reject(RejectionCode.unknownApproval);
  const { command: inner } = request;
  if (findOwner(state, inner.account) === findOwner(state, command.account))
    return reject(RejectionCode.ownApproval);
  const needed = neededPermission(inner);
  const rejection = operators.authorize(command, needed);
  if (rejection !== undefined) return rejection;
  if (operators.authorize(inner, needed) !== undefined) {
    return reject(RejectionCode.requesterUnauthorized);
  }
  const { searchedBelow, account, key, user } = command;
  const outcome = operators.administer(
    searchedBelow === undefined
      ? inner
      : ({ ...inner, searchedBelow } as RequestApproval['command']),
  );
  if (outcome.kind === 'rejected') return outcome;
  const approval = close(state, request, 'approved', { account, key, user, reason: '' });
  return { kind: 'approval', approval, outcome };
}

export function rejectApproval(
  state: NaiveState,
  command: RejectApproval,
  operators: NaiveOperators,
): NaiveOutcome {
  const request = state.approvals.find(({ id }) => id === command.id);
  if (request === undefined) return reject(RejectionCode.unknownApproval);
  const rejection = operators.authorize(command, neededPermission(request.command));
  if (rejection !== undefined) return rejection;
  const { account, key, user, reason } = command;
  if (reason.length > MAX_REASON_LENGTH) return reject(RejectionCode.invalidRules);
  const isOwn = findOwner(state, request.command.account) === findOwner(state, account);
  const status = isOwn ? 'withdrawn' : 'rejected';
  const approval = close(state, request, status, { account, key, user, reason });
  return { kind: 'approval', approval };
}

function close(
  state: NaiveState,
  request: ApprovalRequest,
  status: ApprovalRequest['status'],
  by: Omit<NonNullable<ApprovalRequest['decision']>, 'time'>,
): ApprovalRequest {
  const closed = { ...request, status, decision: { ...by, time: state.time } };
  state.approvals = state.approvals.filter((each) => each !== request);
  state.closedApprovals = [...state.closedApprovals, closed].slice(-MAX_CLOSED_APPROVALS);
  return closed;
}

/** Returns when the oldest request expires. */
export function nextExpiry({ approvals: [oldest] }: NaiveState): number {
  return oldest === undefined
    ? Number.POSITIVE_INFINITY
    : oldest.requestedAt + APPROVAL_LIFETIME_MS;
}

export function expireOldest(state: NaiveState): void {
  const by = { account: -1, key: -1, user: '', reason: '' };
  const request = close(state, state.approvals[0]!, 'expired', by);
  state.events.push({ kind: 'approvalExpired', account: request.command.account, request });
}

export function grantAccess(state: NaiveState, { owner }: GrantAccess): NaiveOutcome {
  const account = state.accounts[owner];
  if (state.version < 2) return reject(RejectionCode.invalidRules);
  if (account === undefined) return reject(RejectionCode.unknownAccount);
  return { kind: 'account', account, created: false };
}

export function addNote(state: NaiveState, command: AddNote): NaiveOutcome {
  const { owner, account, key, user, text } = command;
  if (state.version < 2) return reject(RejectionCode.invalidRules);
  if (state.accounts[owner] === undefined) return reject(RejectionCode.unknownAccount);
  if (text === '' || text.length > MAX_NOTE_LENGTH) return reject(RejectionCode.invalidRules);
  if (state.notes.filter((each) => each.owner === owner).length >= MAX_NOTES_PER_ACCOUNT) {
    return reject(RejectionCode.limitReached);
  }
  const note = { id: state.nextNoteId++, owner, account, key, user, text, time: state.time };
  state.notes.push(note);
  return { kind: 'note', note };
}

export function removeNote(state: NaiveState, { id }: RemoveNote): NaiveOutcome {
  const note = state.notes.find((each) => each.id === id);
  if (note === undefined) return reject(RejectionCode.unknownNote);
  state.notes = state.notes.filter((each) => each !== note);
  return { kind: 'note', note };
}

export function reviewAlert(state: NaiveState, command: ReviewAlert): NaiveOutcome {
  const { alert, assignee, isClosed, note } = command;
  const isIdValid = alert !== '' && alert.length <= MAX_ALERT_ID_LENGTH;
  if (state.version < 2 || !isIdValid) return reject(RejectionCode.invalidRules);
  if (assignee >= state.accounts.length) return reject(RejectionCode.unknownAccount);
  const isNoteValid = note.length <= MAX_NOTE_LENGTH && (!isClosed || note.trim() !== '');
  return isNoteValid ? { kind: 'done' } : reject(RejectionCode.invalidRules);
}
