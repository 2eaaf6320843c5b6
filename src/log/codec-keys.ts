import {
  type Actor,
  type ChangeKey,
  CommandKind,
  type CreateHmacKey,
  type CreateKey,
  type CreateSignedKey,
  type ResealKey,
  type RevokeKey,
  type UseSignature,
} from '../engine/command.ts';
import type { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';

type KeyCommand =
  | CreateKey
  | CreateSignedKey
  | CreateHmacKey
  | ResealKey
  | ChangeKey
  | UseSignature
  | RevokeKey;

type KeyLayouts = {
  readonly [Each in KeyCommand['kind']]: {
    encode(writer: ByteWriter, command: Extract<KeyCommand, { readonly kind: Each }>): void;
    decode(
      reader: ByteReader,
    ): Omit<Extract<KeyCommand, { readonly kind: Each }>, 'kind' | keyof Actor>;
  };
};

/** Flags of a change of a key. */
const HAS_LABEL = 1;
const HAS_ADDRESSES = 2;

/** The layouts of the commands about API keys: the fields after kind, account and key. */
export const KEY_LAYOUTS: KeyLayouts = {
  [CommandKind.createKey]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      writer.text(command.apiKey);
      writer.raw(command.secretHash);
      encodeKeyTerms(writer, command);
    },
    decode: (reader) => ({
      owner: reader.uint32(),
      apiKey: reader.text(),
      secretHash: reader.raw(),
      ...decodeKeyTerms(reader),
    }),
  },
  [CommandKind.createSignedKey]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      writer.text(command.apiKey);
      writer.raw(command.publicKey);
      encodeKeyTerms(writer, command);
    },
    decode: (reader) => ({
      owner: reader.uint32(),
      apiKey: reader.text(),
      publicKey: reader.raw(),
      ...decodeKeyTerms(reader),
    }),
  },
  [CommandKind.createHmacKey]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      writer.text(command.apiKey);
      writer.raw(command.sealedSecret);
      encodeKeyTerms(writer, command);
    },
    decode: (reader) => ({
      owner: reader.uint32(),
      apiKey: reader.text(),
      sealedSecret: reader.raw(),
      ...decodeKeyTerms(reader),
    }),
  },
  [CommandKind.resealKey]: {
    encode(writer, command) {
      writer.text(command.apiKey);
      writer.raw(command.sealedSecret);
    },
    decode: (reader) => ({ apiKey: reader.text(), sealedSecret: reader.raw() }),
  },
  [CommandKind.useSignature]: {
    encode(writer, command) {
      writer.raw(command.hash);
      writer.number(command.expiresAt);
    },
    decode: (reader) => ({ hash: reader.raw(), expiresAt: reader.number() }),
  },
  [CommandKind.changeKey]: {
    encode(writer, { apiKey, label, addresses }) {
      writer.text(apiKey);
      writer.byte((label === null ? 0 : HAS_LABEL) | (addresses === null ? 0 : HAS_ADDRESSES));
      if (label !== null) writer.text(label);
      if (addresses !== null) encodeAddresses(writer, addresses);
    },
    decode(reader) {
      const apiKey = reader.text();
      const flags = reader.byte();
      return {
        apiKey,
        label: (flags & HAS_LABEL) === 0 ? null : reader.text(),
        addresses: (flags & HAS_ADDRESSES) === 0 ? null : decodeAddresses(reader),
      };
    },
  },
  [CommandKind.revokeKey]: {
    encode: (writer, command) => writer.text(command.apiKey),
    decode: (reader) => ({ apiKey: reader.text() }),
  },
};

function encodeAddresses(writer: ByteWriter, addresses: readonly string[]): void {
  writer.uint32(addresses.length);
  for (const address of addresses) writer.text(address);
}

function decodeAddresses(reader: ByteReader): readonly string[] {
  return Array.from({ length: reader.uint32() }, () => reader.text());
}

type KeyTerms = Pick<CreateKey, 'permissions' | 'label' | 'addresses' | 'expiresAt'>;

function encodeKeyTerms(writer: ByteWriter, terms: KeyTerms): void {
  encodePermissions(writer, terms.permissions);
  writer.text(terms.label);
  encodeAddresses(writer, terms.addresses);
  writer.number(terms.expiresAt);
}

function decodeKeyTerms(reader: ByteReader): KeyTerms {
  return {
    permissions: decodePermissions(reader),
    label: reader.text(),
    addresses: decodeAddresses(reader),
    expiresAt: reader.number(),
  };
}

/** Set in a byte of permissions that is followed by another one. */
const HAS_MORE = 0x80;

/** Encodes seven permissions per byte, the first ones first. The sums up to 127 take one byte. */
export function encodePermissions(writer: ByteWriter, permissions: number): void {
  let rest = permissions;
  for (; rest >= HAS_MORE; rest >>>= 7) writer.byte((rest & 0x7f) | HAS_MORE);
  writer.byte(rest);
}

export function decodePermissions(reader: ByteReader): number {
  let permissions = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = reader.byte();
    permissions |= (byte & 0x7f) << shift;
    if (byte < HAS_MORE) return permissions;
  }
}
