import type { Actor, Approve, SetApprovalPolicy } from '../engine/command.ts';
import type { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';

/** Layouts of the commands about approvals. They never change. */

export function encodePolicy(writer: ByteWriter, { actions, limits }: SetApprovalPolicy): void {
  writer.uint32(actions);
  writer.uint32(limits.length);
  for (const { asset, amount } of limits) {
    writer.uint32(asset);
    writer.exact(amount);
  }
}

export function decodePolicy(reader: ByteReader): Omit<SetApprovalPolicy, 'kind' | keyof Actor> {
  return {
    actions: reader.uint32(),
    limits: Array.from({ length: reader.uint32() }, () => {
      return { asset: reader.uint32(), amount: reader.exact() };
    }),
  };
}

const HAS_SEARCHED_BELOW = 1;

export function encodeApproval(writer: ByteWriter, command: Approve): void {
  const { id, user, searchedBelow } = command;
  writer.number(id);
  writer.text(user);
  writer.byte(searchedBelow === undefined ? 0 : HAS_SEARCHED_BELOW);
  if (searchedBelow !== undefined) writer.number(searchedBelow);
}

export function decodeApproval(reader: ByteReader): Omit<Approve, 'kind' | keyof Actor> {
  const id = reader.number();
  const user = reader.text();
  return (reader.byte() & HAS_SEARCHED_BELOW) === 0
    ? { id, user }
    : { id, user, searchedBelow: reader.number() };
}
