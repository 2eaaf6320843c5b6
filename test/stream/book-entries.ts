import type { OrderLevel } from '../../src/client/index.ts';
import { createCodec } from '../../src/client/numbers.ts';
import type { BookOrders, StreamMessage } from '../../src/client/stream/topics.ts';

/** One order of a book as a message writes it. */
export type Entry<N> = readonly [id: string, price: N, amount: N];

const { read } = createCodec(true);

/** Parses a message of `level3`, with numbers as texts. @param fields Its fields as JSON, without braces and `op` */
export function readLevel3(
  op: 'snapshot' | 'update',
  fields: string,
): StreamMessage<BookOrders<string>> {
  return read(`{"op":"${op}",${fields}}`) as StreamMessage<BookOrders<string>>;
}

/** Returns the orders of one side in one list. */
export function entries<N>(side: readonly OrderLevel<N>[]): Entry<N>[] {
  return side.flatMap(([price, orders]) =>
    [...orders].map(([id, amount]) => [id, price, amount] as const),
  );
}
