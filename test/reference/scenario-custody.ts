import fc from 'fast-check';
import { type Command, CommandKind } from '../../src/engine/command.ts';
import {
  DepositStatus,
  type Resolution,
  WithdrawalStatus,
} from '../../src/engine/custody/statuses.ts';
import { exact } from '../../src/engine/numbers/exact.ts';
import { NONE } from '../../src/engine/terms.ts';
import type { NaiveCustody } from './naive-custody.ts';
import type { NaiveState } from './naive-state.ts';
import { weighted } from './scenario-parts.ts';
import { minimumNeed } from './scenario-world.ts';

/**
 * Moves of users, the custodian and operators about deposits and withdrawals. Few networks, addresses and transactions, so
 * that reports repeat, contradict each other and come in any order.
 */
export const custody = fc.record({
  kind: fc.constant('custody' as const),
  what: weighted<
    | 'network'
    | 'key'
    | 'request'
    | 'assign'
    | 'deposit'
    | 'resolve'
    | 'add'
    | 'remove'
    | 'withdraw'
    | 'cancel'
    | 'approve'
    | 'reject'
    | 'report'
    | 'acknowledge'
    | 'holdings'
  >(
    [4, 'network'],
    [1, 'key'],
    [3, 'request'],
    [5, 'assign'],
    [20, 'deposit'],
    [3, 'resolve'],
    [6, 'add'],
    [1, 'remove'],
    [14, 'withdraw'],
    [2, 'cancel'],
    [5, 'approve'],
    [1, 'reject'],
    [8, 'report'],
    [5, 'acknowledge'],
    [2, 'holdings'],
  ),
  account: fc.nat(7),
  network: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 9),
  /** Selects one of the existing records, or a little beyond. */
  which: fc.nat(),
  choice: fc.nat(3),
  report: fc.integer({ min: 1, max: 8 }),
  confirmations: fc.nat(3),
  reorganized: weighted([4, false], [1, true]),
  /** In parts of what an order of usual size needs. */
  parts: fc.constantFrom(0, 1, 1, 1, 2, 2, 5, 40, -1),
  clientId: weighted<string | null>([3, null], [1, 'a'], [1, 'b']),
  isOdd: weighted([15, false], [1, true]),
  on: weighted([5, true], [1, false]),
});
export type CustodyMove = typeof custody extends fc.Arbitrary<infer T> ? T : never;

/** Returns the command of a move; commands of operators and the custodian get their actor elsewhere. */
export function toCustody(
  what: CustodyMove,
  operator: { readonly account: number; readonly key: number },
  state: NaiveState,
): Command | undefined {
  if (state.version < 2) return undefined;
  const { custody: known } = state;
  const { network, isOdd } = what;
  const account = isOdd ? what.account : 1 + (what.account % (state.accounts.length - 1));
  const user = { account, key: what.choice === 3 && account > 0 ? account : NONE };
  const pick = toPick(what);
  const address = isOdd && what.on ? 'not an address' : `address-${what.which % 6}`;
  const takesMemo = known.networks[network]?.memo === 2 || isOdd;
  const memo = takesMemo ? `memo ${what.choice}` : '';
  const keyNumber = toKeyNumber(what, known);
  const part = usualAmount(network, state);
  switch (what.what) {
    case 'network':
      return toNetwork(what, operator, state);
    case 'key': {
      const publicKey = new Uint8Array(what.isOdd ? 31 : 32).fill(what.which % 256);
      return { kind: CommandKind.setCustodianKey, ...operator, publicKey };
    }
    case 'request':
      return { kind: CommandKind.requestAddress, ...user, network };
    case 'assign': {
      const owner = account;
      const place = { owner, network, address, memo };
      return { kind: CommandKind.assignAddress, ...operator, keyNumber, ...place };
    }
    case 'holdings': {
      const amount = exact(part * BigInt(what.parts) + (isOdd ? 1n : 0n));
      const terms = { keyNumber, network, amount, report: what.report };
      return { kind: CommandKind.reportHoldings, ...operator, ...terms };
    }
    case 'deposit': {
      const transaction = `transaction-${what.which % 5}-${Math.floor(known.nextId / 40)}`;
      const seen = [...known.openDeposits, ...known.endedDeposits].find(
        (each) => each.network === network && each.transaction === transaction,
      );
      const isKnown = known.payments.has(`${network} ${transaction}`);
      const isCredited = seen?.status === DepositStatus.credited;
      const addresses = known.addresses.filter((each) => each.network === network);
      const own = seen ?? (what.choice === 3 ? undefined : pick(addresses));
      const unit = known.networks[network]?.unit ?? 1n;
      const amount = what.which % 7 === 0 ? unit : part * BigInt(what.parts);
      return {
        kind: CommandKind.reportDeposit,
        ...operator,
        ...{ keyNumber, network, transaction, index: 0 },
        address: own === undefined || (isOdd && what.on) ? address : own.address,
        memo: own?.memo ?? memo,
        amount: exact((seen?.amount ?? amount) + (isOdd ? 1n : 0n)),
        confirmations: what.confirmations,
        report: seen === undefined ? what.report : seen.report + (what.report % 4),
        reorganized: what.reorganized || (isCredited && what.choice > 1),
        ...(isKnown || what.which % 4 === 0 ? {} : { searchedBelow: known.nextId }),
      };
    }
    case 'resolve': {
      const waiting = known.openDeposits.filter(({ status }) => status !== 0);
      const each = pick(waiting);
      const deposit = each?.id ?? what.which % 50;
      const isFrozen = each?.status === DepositStatus.frozen;
      const usual = isFrozen ? 2 + (what.choice % 2) : what.choice % 2;
      const resolution = (isOdd ? what.choice : usual) as Resolution;
      const owner = resolution === 0 ? account : NONE;
      return { kind: CommandKind.resolveDeposit, ...operator, deposit, resolution, owner };
    }
    case 'add':
      return { kind: CommandKind.addWithdrawalAddress, ...user, network, address, memo };
    case 'remove': {
      const entry = pick(known.book);
      const owner = isOdd ? account : (entry?.account ?? 1);
      const addressId = entry?.id ?? what.which % 50;
      return { kind: CommandKind.removeWithdrawalAddress, account: owner, key: NONE, addressId };
    }
    default:
      return toWithdrawal(what, operator, state);
  }
}

/** Returns the number of the custodian's key, 0 for the process itself, or one that does not exist. */
function toKeyNumber({ isOdd, choice, on }: CustodyMove, known: NaiveCustody): number {
  if (isOdd && choice === 0) return 99;
  return on ? known.keyNumber : 0;
}

function toNetwork(
  what: CustodyMove,
  operator: { readonly account: number; readonly key: number },
  state: NaiveState,
): Command {
  const { network, which, choice, isOdd } = what;
  const asset = Math.min(network, 2);
  const fewer = network > 1 ? 1 : 0;
  const decimals = Math.max(0, state.assets[asset]!.decimals - (isOdd ? which % 3 : fewer));
  const unit = 10n ** BigInt(Math.max(0, state.assets[asset]!.decimals - decimals));
  const part = (usualAmount(network, state) / unit) * unit;
  return {
    kind: CommandKind.setNetwork,
    ...operator,
    asset: isOdd && choice === 0 ? 9 : asset,
    name: isOdd && choice === 1 ? 'Not a name' : `network-${network}`,
    decimals,
    minDeposit: exact(part * BigInt(choice % 2)),
    minWithdrawal: exact(part * BigInt(choice % 3)),
    withdrawalFee: exact(which % 2 === 0 ? unit : 0n),
    dailyLimit: exact(which % 3 === 0 ? part * 6n : 0n),
    approvalAbove: exact(part * BigInt(choice)),
    confirmations: 1 + (which % 3),
    memo: which % 3 === 0 ? 2 : choice === 0 ? 1 : 0,
    deposits: what.on,
    withdrawals: what.on || choice > 0,
    hourlyCount: which % 4 === 0 ? 2 : 0,
    addressCoolingMs: which % 3 === 0 ? 5 : 0,
    newDeviceDelayMs: choice === 0 ? 0 : choice * 5,
  };
}

function toWithdrawal(
  what: CustodyMove,
  operator: { readonly account: number; readonly key: number },
  state: NaiveState,
): Command | undefined {
  const { custody: known } = state;
  const { withdrawals } = known;
  const pick = toPick(what);
  const keyNumber = toKeyNumber(what, known);
  switch (what.what) {
    case 'withdraw': {
      const entry = pick(known.book);
      if (entry === undefined) return undefined;
      const parts = usualAmount(entry.network, state) * BigInt(what.parts);
      const account = what.isOdd ? what.account : entry.account;
      return {
        kind: CommandKind.requestWithdrawal,
        ...{ account, key: NONE, addressId: entry.id, clientId: what.clientId },
        amount: exact(parts + (what.isOdd ? 1n : 0n)),
        isNewDevice: what.which % 4 === 0,
      };
    }
    case 'cancel': {
      const each = pick(withdrawals.filter(({ status }) => status < 2)) ?? pick(withdrawals);
      const account = each?.account ?? 1;
      const withdrawal = each?.id ?? what.which % 50;
      return { kind: CommandKind.cancelWithdrawal, account, key: NONE, withdrawal };
    }
    case 'approve': {
      const waiting = withdrawals.filter(
        ({ status }) => status === WithdrawalStatus.awaitingApproval,
      );
      const each = pick(waiting) ?? pick(withdrawals);
      const account = what.isOdd ? NONE : what.account;
      const withdrawal = each?.id ?? what.which % 50;
      return { kind: CommandKind.approveWithdrawal, account, key: NONE, withdrawal };
    }
    case 'reject': {
      const open = withdrawals.filter(({ status }) => status < 2);
      const withdrawal = (pick(open) ?? pick(withdrawals))?.id ?? what.which % 50;
      return { kind: CommandKind.rejectWithdrawal, ...operator, withdrawal, reason: 'risk' };
    }
    case 'report': {
      const sent = withdrawals.filter(({ instruction }) => instruction !== 0);
      const withdrawal = (pick(sent) ?? pick(withdrawals))?.id ?? what.which % 50;
      const reached = ([4, 4, 5, 6] as const)[what.choice]!;
      const transaction = what.isOdd ? '' : `transaction-${what.which % 5}`;
      const terms = { withdrawal, reached, transaction, reason: 'no reason', report: what.report };
      return { kind: CommandKind.reportWithdrawal, ...operator, keyNumber, ...terms };
    }
    default: {
      const { requests } = known;
      const approved = withdrawals.filter(({ status }) => status === WithdrawalStatus.approved);
      const ids = [...requests.map(({ id }) => id), ...approved.map((each) => each.instruction)];
      const instruction = pick(ids) ?? what.which % 50;
      return { kind: CommandKind.acknowledgeInstruction, ...operator, instruction };
    }
  }
}

/** Returns a function that selects one of a list, rarely none. */
function toPick({ which, isOdd, on }: CustodyMove): <T>(list: readonly T[]) => T | undefined {
  return (list) => (isOdd && on ? undefined : list[which % Math.max(1, list.length)]);
}

/** Returns a part of what an order of usual size needs of the network's asset, in minor units. */
function usualAmount(network: number, state: NaiveState): bigint {
  const known = state.custody.networks[network];
  const asset = known?.asset ?? Math.min(network, 2);
  const unit = known?.unit ?? 1n;
  const part = minimumNeed(state)(asset) / 10n;
  return part < unit ? unit : (part / unit) * unit;
}
