import type { Exchange } from '../exchange.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import type { State } from '../state.ts';

/** Writes transfers and client order ids, which prevent duplicates. */
export function writeDeduplication(writer: ByteWriter, state: State): void {
  writeTransfers(writer, state);
  if (state.version < 2) writeClientOrderQueue(writer, state);
  else writeClientOrderIds(writer, state);
}

export function readDeduplication(
  reader: ByteReader,
  exchange: Exchange,
  isVersion1: boolean,
): void {
  readTransfers(reader, exchange);
  if (isVersion1) readClientOrderQueue(reader, exchange.state);
  else readClientOrderIds(reader, exchange.state);
}

function writeTransfers(writer: ByteWriter, state: State): void {
  writer.uint32(state.transfers.size);
  for (const transfer of state.transfers.values()) {
    writer.number(transfer.id);
    writer.uint32(transfer.account);
    writer.uint32(transfer.asset);
    writer.exact(transfer.amount);
    writer.text(transfer.reference);
    writer.number(transfer.time);
  }
}

function readTransfers(reader: ByteReader, { administration }: Exchange): void {
  for (let left = reader.uint32(); left > 0; left--) {
    administration.addTransfer({
      id: reader.number(),
      account: reader.uint32(),
      asset: reader.uint32(),
      amount: reader.exact(),
      reference: reader.text(),
      time: reader.number(),
    });
  }
}

function writeClientOrderQueue(writer: ByteWriter, state: State): void {
  const remembered = state.clientOrderQueue.all();
  writer.uint32(remembered.length);
  for (const order of remembered) {
    writer.uint32(order.account.index);
    writer.text(order.clientOrderId);
    writer.number(order.orderId);
    writer.int32(order.fingerprint);
    writer.number(order.forgetAt);
  }
}

function readClientOrderQueue(reader: ByteReader, state: State): void {
  for (let left = reader.uint32(); left > 0; left--) {
    const account = state.accounts[reader.uint32()]!;
    state.clientOrderQueue.add({
      account,
      clientOrderId: reader.text(),
      orderId: reader.number(),
      fingerprint: reader.int32(),
      forgetAt: reader.number(),
    });
  }
}

function writeClientOrderIds(writer: ByteWriter, { accounts, clientOrderIds }: State): void {
  const remembering = accounts.filter(({ recentIds }) => recentIds?.isWorthKeeping === true);
  writer.uint32(clientOrderIds.sweptAccount);
  writer.uint32(remembering.length);
  for (const { index, recentIds } of remembering) {
    writer.uint32(index);
    writer.number(recentIds!.droppedOrderId);
    writer.uint32(recentIds!.droppedSecond);
    writer.raw(recentIds!.toBytes());
  }
}

function readClientOrderIds(reader: ByteReader, { accounts, clientOrderIds }: State): void {
  clientOrderIds.sweptAccount = reader.uint32();
  for (let left = reader.uint32(); left > 0; left--) {
    const account = accounts[reader.uint32()]!;
    const droppedOrderId = reader.number();
    clientOrderIds.restore(account, droppedOrderId, reader.uint32(), reader.raw());
  }
}
