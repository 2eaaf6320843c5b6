import { type Actor, CommandKind, type SubAccountCommand } from '../engine/command.ts';
import type { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';

type Kind = SubAccountCommand['kind'];

type SubAccountLayouts = {
  readonly [Each in Kind]: {
    encode(writer: ByteWriter, command: Extract<SubAccountCommand, { readonly kind: Each }>): void;
    decode(
      reader: ByteReader,
    ): Omit<Extract<SubAccountCommand, { readonly kind: Each }>, 'kind' | keyof Actor>;
  };
};

const HAS_CLIENT_ID = 1;

/** The layouts of the commands about sub-accounts: the fields after kind, account and key. */
export const SUB_ACCOUNT_LAYOUTS: SubAccountLayouts = {
  [CommandKind.createSubAccount]: {
    encode(writer, command) {
      writer.text(command.accountId);
      writer.text(command.name);
    },
    decode: (reader) => ({ accountId: reader.text(), name: reader.text() }),
  },
  [CommandKind.renameSubAccount]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      writer.text(command.name);
    },
    decode: (reader) => ({ owner: reader.uint32(), name: reader.text() }),
  },
  [CommandKind.closeSubAccount]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      writer.byte(command.isClosed ? 1 : 0);
    },
    decode: (reader) => ({ owner: reader.uint32(), isClosed: reader.byte() === 1 }),
  },
  [CommandKind.internalTransfer]: {
    encode(writer, command) {
      const { clientId } = command;
      writer.uint32(command.from);
      writer.uint32(command.to);
      writer.uint32(command.asset);
      writer.exact(command.amount);
      writer.byte(clientId === null ? 0 : HAS_CLIENT_ID);
      if (clientId !== null) writer.text(clientId);
    },
    decode: (reader) => ({
      from: reader.uint32(),
      to: reader.uint32(),
      asset: reader.uint32(),
      amount: reader.exact(),
      clientId: reader.byte() === 0 ? null : reader.text(),
    }),
  },
};
