import { CommandKind, type CustodyCommand, type SetNetwork } from '../../src/engine/command.ts';
import type {
  AddressRequest,
  DepositAddress,
  DepositRecord,
  Holding,
  WithdrawalAddress,
  WithdrawalRecord,
} from '../../src/engine/custody/custody-records.ts';
import {
  MAX_ADDRESS_REQUESTS,
  MAX_ASSET_TOTAL,
  MAX_DEPOSIT_ADDRESSES,
  MAX_NETWORKS,
  MAX_WITHDRAWAL_ADDRESSES_PER_ACCOUNT,
} from '../../src/engine/limits.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import { reject } from './naive-administration.ts';
import { reportDeposit, resolveDeposit } from './naive-deposits.ts';
import { isClosed, isFrozen } from './naive-owners.ts';
import type { NaiveState } from './naive-state.ts';
import {
  acknowledge,
  approveWithdrawal,
  cancelTo,
  cancelWithdrawal,
  rejectWithdrawal,
  reportWithdrawal,
  requestWithdrawal,
} from './naive-withdrawals.ts';

/** Deposits and withdrawals in their simplest form: records in arrays, money as bigints. */

type Rules = Omit<SetNetwork, 'kind' | 'account' | 'key' | 'asset'>;
type RuleMoney = 'minDeposit' | 'minWithdrawal' | 'withdrawalFee' | 'dailyLimit' | 'approvalAbove';

export type NaiveNetwork = Omit<Rules, RuleMoney> &
  Readonly<Record<RuleMoney | 'unit', bigint>> & { readonly id: number; readonly asset: number };

type Plain<T, Money extends keyof T> = {
  -readonly [Field in keyof Omit<T, Money>]: T[Field];
} & Record<Money, bigint>;
export type NaiveDeposit = Plain<DepositRecord, 'amount' | 'held'>;
export type NaiveWithdrawal = Plain<WithdrawalRecord, 'amount' | 'fee'>;

export type NaiveHolding = Plain<Holding, 'amount'>;

export class NaiveCustody {
  publicKey = '';
  keyNumber = 0;
  nextId = 1;
  forgottenBelow = 0;
  networks: NaiveNetwork[] = [];
  addresses: DepositAddress[] = [];
  requests: AddressRequest[] = [];
  book: WithdrawalAddress[] = [];
  /** The deposits that have not ended, and the remembered others in the order in which they ended. */
  openDeposits: NaiveDeposit[] = [];
  endedDeposits: NaiveDeposit[] = [];
  withdrawals: NaiveWithdrawal[] = [];
  /** The newest report of each network, in the order of the first reports. */
  holdings: NaiveHolding[] = [];
  /** Every payment that was ever reported, as history would know it. */
  readonly payments = new Set<string>();

  takeId(): number {
    return this.nextId++;
  }
}

export type NaiveCustodyOutcome =
  | Rejection
  | { readonly kind: 'done' }
  | { readonly kind: 'network'; readonly network: NaiveNetwork; readonly created: boolean }
  | { readonly kind: 'depositAddress'; readonly address: DepositAddress | null }
  | {
      readonly kind: 'withdrawalAddress';
      readonly entry: WithdrawalAddress;
      readonly created: boolean;
    }
  | { readonly kind: 'deposit'; readonly deposit: NaiveDeposit; readonly changed: boolean }
  | { readonly kind: 'holding'; readonly holding: NaiveHolding; readonly changed: boolean }
  | {
      readonly kind: 'withdrawal';
      readonly withdrawal: NaiveWithdrawal;
      readonly changed: boolean;
    };

export function applyCustody(state: NaiveState, command: CustodyCommand): NaiveCustodyOutcome {
  const { custody } = state;
  if (state.version < 2) return reject(RejectionCode.unknownNetwork);
  if ('keyNumber' in command && ![0, custody.keyNumber].includes(command.keyNumber)) {
    return reject(RejectionCode.unauthorized);
  }
  switch (command.kind) {
    case CommandKind.setNetwork:
      return setNetwork(state, command);
    case CommandKind.setCustodianKey:
      if (command.publicKey.length !== 32) return reject(RejectionCode.invalidRules);
      custody.publicKey = command.publicKey.toHex();
      custody.keyNumber++;
      return { kind: 'done' };
    case CommandKind.assignAddress:
      return assignAddress(state, command);
    case CommandKind.reportDeposit:
      return reportDeposit(state, command);
    case CommandKind.resolveDeposit:
      return resolveDeposit(state, command);
    case CommandKind.approveWithdrawal:
      return approveWithdrawal(state, command);
    case CommandKind.rejectWithdrawal:
      return rejectWithdrawal(state, command);
    case CommandKind.reportWithdrawal:
      return reportWithdrawal(state, command);
    case CommandKind.reportHoldings:
      return reportHoldings(state, command);
    case CommandKind.acknowledgeInstruction:
      custody.requests = custody.requests.filter(({ id }) => id !== command.instruction);
      acknowledge(state, command.instruction);
      return { kind: 'done' };
  }
  if (state.accounts[command.account] === undefined) return reject(RejectionCode.unknownAccount);
  switch (command.kind) {
    case CommandKind.requestAddress:
      return requestAddress(state, command);
    case CommandKind.addWithdrawalAddress:
      return addToBook(state, command);
    case CommandKind.removeWithdrawalAddress: {
      const entry = custody.book.find(({ id }) => id === command.addressId);
      if (entry?.account !== command.account) return reject(RejectionCode.unknownAddress);
      custody.book = custody.book.filter((each) => each !== entry);
      cancelTo(state, entry);
      return { kind: 'withdrawalAddress', entry, created: false };
    }
    case CommandKind.requestWithdrawal:
      return requestWithdrawal(state, command);
    case CommandKind.cancelWithdrawal:
      return cancelWithdrawal(state, command);
  }
}

type Named<Kind> = Extract<CustodyCommand, { readonly kind: Kind }>;

function setNetwork(state: NaiveState, command: SetNetwork): NaiveCustodyOutcome {
  const { custody } = state;
  const { kind, account, key, asset: index, ...rules } = command;
  const asset = state.assets[index];
  if (asset === undefined) return reject(RejectionCode.unknownAsset);
  const unit = 10n ** BigInt(Math.max(0, asset.decimals - rules.decimals));
  const money = {
    minDeposit: BigInt(rules.minDeposit),
    minWithdrawal: BigInt(rules.minWithdrawal),
    withdrawalFee: BigInt(rules.withdrawalFee),
    dailyLimit: BigInt(rules.dailyLimit),
    approvalAbove: BigInt(rules.approvalAbove),
  };
  const month = 30 * 24 * 60 * 60 * 1000;
  const isValid =
    /^[a-z0-9][a-z0-9-]{0,31}$/.test(rules.name) &&
    rules.decimals <= asset.decimals &&
    rules.confirmations >= 1 &&
    rules.confirmations <= 10_000 &&
    rules.hourlyCount <= 1000 &&
    rules.memo <= 2 &&
    rules.addressCoolingMs <= month &&
    rules.newDeviceDelayMs <= month &&
    Object.values(money).every(
      (each) => each >= 0n && each < MAX_ASSET_TOTAL && each % unit === 0n,
    );
  if (!isValid) return reject(RejectionCode.invalidRules);
  const known = custody.networks.find((each) => each.asset === index && each.name === rules.name);
  if (known === undefined && custody.networks.length >= MAX_NETWORKS) {
    return reject(RejectionCode.limitReached);
  }
  if (known !== undefined && known.decimals !== rules.decimals) {
    return reject(RejectionCode.invalidRules);
  }
  const id = known?.id ?? custody.networks.length;
  const network: NaiveNetwork = { ...rules, ...money, id, asset: index, unit };
  custody.networks[id] = network;
  return { kind: 'network', network, created: known === undefined };
}

function requestAddress(
  state: NaiveState,
  { account, network }: Named<typeof CommandKind.requestAddress>,
): NaiveCustodyOutcome {
  const { custody, time } = state;
  const rules = custody.networks[network];
  if (rules === undefined) return reject(RejectionCode.unknownNetwork);
  const isOwn = (each: { account: number; network: number }) =>
    each.account === account && each.network === network;
  const address = custody.addresses.find(isOwn);
  if (address !== undefined) return { kind: 'depositAddress', address };
  if (!rules.deposits) return reject(RejectionCode.networkUnavailable);
  if (!custody.requests.some(isOwn)) {
    if (isClosed(state, account)) return reject(RejectionCode.accountClosed);
    const { requests, addresses } = custody;
    if (
      requests.length >= MAX_ADDRESS_REQUESTS ||
      requests.length + addresses.length >= MAX_DEPOSIT_ADDRESSES
    ) {
      return reject(RejectionCode.limitReached);
    }
    custody.requests.push({ id: custody.takeId(), account, network, createdAt: time });
  }
  return { kind: 'depositAddress', address: null };
}

function assignAddress(
  state: NaiveState,
  { owner, network, address, memo }: Named<typeof CommandKind.assignAddress>,
): NaiveCustodyOutcome {
  const { custody } = state;
  if (custody.networks[network] === undefined) return reject(RejectionCode.unknownNetwork);
  if (state.accounts[owner] === undefined) return reject(RejectionCode.unknownAccount);
  const isOwn = (each: { account: number; network: number }) =>
    each.account === owner && each.network === network;
  const own = custody.addresses.find(isOwn);
  if (own !== undefined) {
    return own.address === address && own.memo === memo
      ? { kind: 'depositAddress', address: own }
      : reject(RejectionCode.alreadyExists);
  }
  if (!isPayable(custody, network, address, memo)) return reject(RejectionCode.invalidAddress);
  const isTaken = custody.addresses.some(
    (each) => each.network === network && each.address === address && each.memo === memo,
  );
  if (isTaken) return reject(RejectionCode.alreadyExists);
  const isPromised = custody.requests.some(isOwn);
  if (!isPromised && custody.addresses.length >= MAX_DEPOSIT_ADDRESSES) {
    return reject(RejectionCode.limitReached);
  }
  custody.requests = custody.requests.filter((each) => !isOwn(each));
  const id = custody.takeId();
  const added = { id, account: owner, network, address, memo, createdAt: state.time };
  custody.addresses.push(added);
  return { kind: 'depositAddress', address: added };
}

function addToBook(
  state: NaiveState,
  { account, network, address, memo }: Named<typeof CommandKind.addWithdrawalAddress>,
): NaiveCustodyOutcome {
  const { custody, time } = state;
  const rules = custody.networks[network];
  if (rules === undefined) return reject(RejectionCode.unknownNetwork);
  if (isFrozen(state, account)) return reject(RejectionCode.accountFrozen);
  if (!isPayable(custody, network, address, memo)) return reject(RejectionCode.invalidAddress);
  const own = custody.book.filter((each) => each.account === account);
  const known = own.find(
    (each) => each.network === network && each.address === address && each.memo === memo,
  );
  if (known !== undefined) return { kind: 'withdrawalAddress', entry: known, created: false };
  if (own.length >= MAX_WITHDRAWAL_ADDRESSES_PER_ACCOUNT) {
    return reject(RejectionCode.limitReached);
  }
  const id = custody.takeId();
  const usableAt = time + rules.addressCoolingMs;
  const entry = { id, account, network, address, memo, createdAt: time, usableAt };
  custody.book.push(entry);
  return { kind: 'withdrawalAddress', entry, created: true };
}

function reportHoldings(
  { custody, time }: NaiveState,
  { network, amount: reported, keyNumber, report }: Named<typeof CommandKind.reportHoldings>,
): NaiveCustodyOutcome {
  const amount = BigInt(reported);
  const rules = custody.networks[network];
  if (rules === undefined) return reject(RejectionCode.unknownNetwork);
  if (amount < 0n || amount >= MAX_ASSET_TOTAL || amount % rules.unit !== 0n) {
    return reject(RejectionCode.amountOutOfBounds);
  }
  const known = custody.holdings.find(({ id }) => id === network);
  if (known !== undefined) {
    const isLate = known.keyNumber === keyNumber && known.report >= report;
    if (isLate || known.keyNumber > keyNumber) {
      return { kind: 'holding', holding: known, changed: false };
    }
  }
  const holding = { id: network, amount, keyNumber, report, reportedAt: time };
  const place = known === undefined ? custody.holdings.length : custody.holdings.indexOf(known);
  custody.holdings[place] = holding;
  return { kind: 'holding', holding, changed: true };
}

/** Returns whether an address and a memo fit a network. */
function isPayable(
  { networks }: NaiveCustody,
  network: number,
  address: string,
  memo: string,
): boolean {
  const rule = networks[network]!.memo;
  const isText = /^[!-~]{1,128}$/.test(address) && /^([!-~]([ -~]{0,98}[!-~])?)?$/.test(memo);
  return isText && (memo === '' ? rule !== 2 : rule !== 0);
}
