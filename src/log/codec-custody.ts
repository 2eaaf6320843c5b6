import { type Actor, CommandKind, type CustodyCommand } from '../engine/command.ts';
import { readNetworkRules, writeNetworkRules } from '../engine/custody/layouts.ts';
import type { Resolution, WithdrawalReport } from '../engine/custody/statuses.ts';
import type { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';

type Kind = CustodyCommand['kind'];
type Fields<C> = Omit<C, 'kind' | keyof Actor>;

type CustodyLayouts = {
  readonly [Each in Kind]: {
    encode(writer: ByteWriter, command: Extract<CustodyCommand, { readonly kind: Each }>): void;
    decode(reader: ByteReader): Fields<Extract<CustodyCommand, { readonly kind: Each }>>;
  };
};

const REORGANIZED = 1;
const HAS_SEARCHED_BELOW = 2;
const HAS_CLIENT_ID = 1;
const NEW_DEVICE = 2;

/** The layouts of the commands about deposits and withdrawals: the fields after kind, account and key. */
export const CUSTODY_LAYOUTS: CustodyLayouts = {
  [CommandKind.setNetwork]: {
    encode(writer, command) {
      writer.uint32(command.asset);
      writeNetworkRules(writer, command);
    },
    decode: (reader) => ({ asset: reader.uint32(), ...readNetworkRules(reader) }),
  },
  [CommandKind.setCustodianKey]: {
    encode: (writer, command) => writer.raw(command.publicKey),
    decode: (reader) => ({ publicKey: reader.raw() }),
  },
  [CommandKind.requestAddress]: {
    encode: (writer, command) => writer.uint32(command.network),
    decode: (reader) => ({ network: reader.uint32() }),
  },
  [CommandKind.assignAddress]: {
    encode(writer, command) {
      writer.uint32(command.keyNumber);
      writer.uint32(command.owner);
      encodePlace(writer, command);
    },
    decode: (reader) => ({
      keyNumber: reader.uint32(),
      owner: reader.uint32(),
      ...decodePlace(reader),
    }),
  },
  [CommandKind.reportDeposit]: {
    encode(writer, command) {
      const { searchedBelow } = command;
      writer.uint32(command.keyNumber);
      encodePlace(writer, command);
      writer.text(command.transaction);
      writer.uint32(command.index);
      writer.exact(command.amount);
      writer.number(command.confirmations);
      writer.number(command.report);
      writer.byte(
        (command.reorganized ? REORGANIZED : 0) |
          (searchedBelow === undefined ? 0 : HAS_SEARCHED_BELOW),
      );
      if (searchedBelow !== undefined) writer.number(searchedBelow);
    },
    decode(reader) {
      const report = {
        keyNumber: reader.uint32(),
        ...decodePlace(reader),
        transaction: reader.text(),
        index: reader.uint32(),
        amount: reader.exact(),
        confirmations: reader.number(),
        report: reader.number(),
      };
      const flags = reader.byte();
      const reorganized = (flags & REORGANIZED) !== 0;
      return (flags & HAS_SEARCHED_BELOW) === 0
        ? { ...report, reorganized }
        : { ...report, reorganized, searchedBelow: reader.number() };
    },
  },
  [CommandKind.resolveDeposit]: {
    encode(writer, command) {
      writer.number(command.deposit);
      writer.byte(command.resolution);
      writer.int32(command.owner);
    },
    decode: (reader) => ({
      deposit: reader.number(),
      resolution: reader.byte() as Resolution,
      owner: reader.int32(),
    }),
  },
  [CommandKind.addWithdrawalAddress]: { encode: encodePlace, decode: decodePlace },
  [CommandKind.removeWithdrawalAddress]: {
    encode: (writer, command) => writer.number(command.addressId),
    decode: (reader) => ({ addressId: reader.number() }),
  },
  [CommandKind.requestWithdrawal]: {
    encode(writer, command) {
      const { clientId } = command;
      writer.number(command.addressId);
      writer.exact(command.amount);
      writer.byte((clientId === null ? 0 : HAS_CLIENT_ID) | (command.isNewDevice ? NEW_DEVICE : 0));
      if (clientId !== null) writer.text(clientId);
    },
    decode(reader) {
      const request = { addressId: reader.number(), amount: reader.exact() };
      const flags = reader.byte();
      return {
        ...request,
        isNewDevice: (flags & NEW_DEVICE) !== 0,
        clientId: (flags & HAS_CLIENT_ID) === 0 ? null : reader.text(),
      };
    },
  },
  [CommandKind.cancelWithdrawal]: { encode: encodeWithdrawal, decode: decodeWithdrawal },
  [CommandKind.approveWithdrawal]: { encode: encodeWithdrawal, decode: decodeWithdrawal },
  [CommandKind.rejectWithdrawal]: {
    encode(writer, command) {
      encodeWithdrawal(writer, command);
      writer.text(command.reason);
    },
    decode: (reader) => ({ ...decodeWithdrawal(reader), reason: reader.text() }),
  },
  [CommandKind.reportWithdrawal]: {
    encode(writer, command) {
      writer.uint32(command.keyNumber);
      encodeWithdrawal(writer, command);
      writer.byte(command.reached);
      writer.text(command.transaction);
      writer.text(command.reason);
      writer.number(command.report);
    },
    decode: (reader) => ({
      keyNumber: reader.uint32(),
      ...decodeWithdrawal(reader),
      reached: reader.byte() as WithdrawalReport,
      transaction: reader.text(),
      reason: reader.text(),
      report: reader.number(),
    }),
  },
  [CommandKind.reportHoldings]: {
    encode(writer, command) {
      writer.uint32(command.keyNumber);
      writer.uint32(command.network);
      writer.exact(command.amount);
      writer.number(command.report);
    },
    decode: (reader) => ({
      keyNumber: reader.uint32(),
      network: reader.uint32(),
      amount: reader.exact(),
      report: reader.number(),
    }),
  },
  [CommandKind.acknowledgeInstruction]: {
    encode: (writer, command) => writer.number(command.instruction),
    decode: (reader) => ({ instruction: reader.number() }),
  },
};

interface Place {
  readonly network: number;
  readonly address: string;
  readonly memo: string;
}

function encodePlace(writer: ByteWriter, { network, address, memo }: Place): void {
  writer.uint32(network);
  writer.text(address);
  writer.text(memo);
}

function decodePlace(reader: ByteReader): Place {
  return { network: reader.uint32(), address: reader.text(), memo: reader.text() };
}

function encodeWithdrawal(writer: ByteWriter, { withdrawal }: { withdrawal: number }): void {
  writer.number(withdrawal);
}

function decodeWithdrawal(reader: ByteReader): { readonly withdrawal: number } {
  return { withdrawal: reader.number() };
}
