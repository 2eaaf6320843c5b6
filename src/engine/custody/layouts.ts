import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import type {
  AddressRequest,
  DepositAddress,
  DepositRecord,
  Holding,
  WithdrawalAddress,
  WithdrawalRecord,
} from './custody-records.ts';
import { AMOUNTS, type Network, type NetworkRules } from './networks.ts';
import type { RecordLayout } from './records.ts';
import type { DepositStatus, MemoRule, WithdrawalStatus } from './statuses.ts';

/** The layouts of the records in snapshots. */

/** The part of the state that belongs to no record. */
export interface CustodyHead {
  /** Always 0. */
  readonly id: number;
  /** The custodian's Ed25519 public key; empty if none is set. */
  readonly publicKey: Uint8Array;
  /** Number of the key, from 1; 0 if none is set. */
  readonly keyNumber: number;
  /** The next id of a deposit, withdrawal, instruction or address. */
  readonly nextId: number;
  /** Only history may know deposits with lower ids. */
  readonly forgottenBelow: number;
}

export const headLayout: RecordLayout<CustodyHead> = {
  tag: 0,
  write(writer, head) {
    writer.raw(head.publicKey);
    writer.uint32(head.keyNumber);
    writer.number(head.nextId);
    writer.number(head.forgottenBelow);
  },
  read: (reader) => ({
    id: 0,
    publicKey: reader.raw(),
    keyNumber: reader.uint32(),
    nextId: reader.number(),
    forgottenBelow: reader.number(),
  }),
};

const DEPOSITS = 1;
const WITHDRAWALS = 2;

/** Writes the rules of a network, in commands too: the layout never changes. */
export function writeNetworkRules(writer: ByteWriter, rules: NetworkRules): void {
  writer.text(rules.name);
  writer.byte(rules.decimals);
  for (const name of AMOUNTS) writer.exact(rules[name]);
  writer.uint32(rules.confirmations);
  writer.byte(rules.memo);
  writer.byte((rules.deposits ? DEPOSITS : 0) | (rules.withdrawals ? WITHDRAWALS : 0));
  writer.uint32(rules.hourlyCount);
  writer.number(rules.addressCoolingMs);
  writer.number(rules.newDeviceDelayMs);
}

export function readNetworkRules(reader: ByteReader): NetworkRules {
  const name = reader.text();
  const decimals = reader.byte();
  const minDeposit = reader.exact();
  const minWithdrawal = reader.exact();
  const withdrawalFee = reader.exact();
  const dailyLimit = reader.exact();
  const approvalAbove = reader.exact();
  const confirmations = reader.uint32();
  const memo = reader.byte() as MemoRule;
  const flags = reader.byte();
  return {
    ...{ name, decimals, minDeposit, minWithdrawal, withdrawalFee, dailyLimit, approvalAbove },
    ...{ confirmations, memo },
    deposits: (flags & DEPOSITS) !== 0,
    withdrawals: (flags & WITHDRAWALS) !== 0,
    hourlyCount: reader.uint32(),
    addressCoolingMs: reader.number(),
    newDeviceDelayMs: reader.number(),
  };
}

export const networkLayout: RecordLayout<Network> = {
  tag: 1,
  write(writer, network) {
    writer.uint32(network.id);
    writer.uint32(network.asset);
    writer.exact(network.unit);
    writeNetworkRules(writer, network);
  },
  read(reader) {
    const place = { id: reader.uint32(), asset: reader.uint32(), unit: reader.exact() };
    return { ...place, ...readNetworkRules(reader) };
  },
};

export const addressLayout: RecordLayout<DepositAddress> = {
  tag: 2,
  write(writer, each) {
    writePlace(writer, each);
    writer.text(each.address);
    writer.text(each.memo);
    writer.number(each.createdAt);
  },
  read: (reader) => ({
    ...readPlace(reader),
    address: reader.text(),
    memo: reader.text(),
    createdAt: reader.number(),
  }),
};

export const requestLayout: RecordLayout<AddressRequest> = {
  tag: 3,
  write(writer, each) {
    writePlace(writer, each);
    writer.number(each.createdAt);
  },
  read: (reader) => ({ ...readPlace(reader), createdAt: reader.number() }),
};

export const bookLayout: RecordLayout<WithdrawalAddress> = {
  tag: 4,
  write(writer, each) {
    addressLayout.write(writer, each);
    writer.number(each.usableAt);
  },
  read: (reader) => ({ ...addressLayout.read(reader), usableAt: reader.number() }),
};

export const depositLayout: RecordLayout<DepositRecord> = {
  tag: 5,
  write(writer, each) {
    writePlace(writer, each);
    writer.text(each.transaction);
    writer.uint32(each.index);
    writer.text(each.address);
    writer.text(each.memo);
    writer.exact(each.amount);
    writer.number(each.confirmations);
    writer.byte(each.status);
    writer.number(each.report);
    writer.exact(each.held);
    writer.number(each.createdAt);
    writer.number(each.updatedAt);
    writer.number(each.creditedAt);
  },
  read: (reader) => ({
    kind: 'deposit',
    ...readPlace(reader),
    transaction: reader.text(),
    index: reader.uint32(),
    address: reader.text(),
    memo: reader.text(),
    amount: reader.exact(),
    confirmations: reader.number(),
    status: reader.byte() as DepositStatus,
    report: reader.number(),
    held: reader.exact(),
    createdAt: reader.number(),
    updatedAt: reader.number(),
    creditedAt: reader.number(),
  }),
};

export const withdrawalLayout: RecordLayout<WithdrawalRecord> = {
  tag: 6,
  write(writer, each) {
    writePlace(writer, each);
    writer.int32(each.key);
    writer.text(each.address);
    writer.text(each.memo);
    writer.exact(each.amount);
    writer.exact(each.fee);
    writer.byte(each.clientId === null ? 0 : 1);
    if (each.clientId !== null) writer.text(each.clientId);
    writer.byte(each.status);
    writer.number(each.waitsUntil);
    writer.byte(each.approvals.length);
    for (const account of each.approvals) writer.uint32(account);
    writer.number(each.instruction);
    writer.text(each.transaction);
    writer.text(each.reason);
    writer.number(each.report);
    writer.number(each.createdAt);
    writer.number(each.updatedAt);
  },
  read: (reader) => ({
    kind: 'withdrawal',
    ...readPlace(reader),
    key: reader.int32(),
    address: reader.text(),
    memo: reader.text(),
    amount: reader.exact(),
    fee: reader.exact(),
    clientId: reader.byte() === 0 ? null : reader.text(),
    status: reader.byte() as WithdrawalStatus,
    waitsUntil: reader.number(),
    approvals: Array.from({ length: reader.byte() }, () => reader.uint32()),
    instruction: reader.number(),
    transaction: reader.text(),
    reason: reader.text(),
    report: reader.number(),
    createdAt: reader.number(),
    updatedAt: reader.number(),
  }),
};

export const holdingLayout: RecordLayout<Holding> = {
  tag: 8,
  write(writer, each) {
    writer.uint32(each.id);
    writer.exact(each.amount);
    writer.uint32(each.keyNumber);
    writer.number(each.report);
    writer.number(each.reportedAt);
  },
  read: (reader) => ({
    id: reader.uint32(),
    amount: reader.exact(),
    keyNumber: reader.uint32(),
    report: reader.number(),
    reportedAt: reader.number(),
  }),
};

interface Place {
  readonly id: number;
  readonly account: number;
  readonly network: number;
}

function writePlace(writer: ByteWriter, { id, account, network }: Place): void {
  writer.number(id);
  writer.int32(account);
  writer.uint32(network);
}

function readPlace(reader: ByteReader): Place {
  return { id: reader.number(), account: reader.int32(), network: reader.uint32() };
}
