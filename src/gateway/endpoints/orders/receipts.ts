import type { Command } from '../../../engine/command.ts';
import type { OrderRecord, Outcome } from '../../../engine/event.ts';
import type { Batch } from '../../../log/log.ts';
import type { Call } from '../../http/request/call.ts';
import { BOOLEAN_VALUES, type Query } from '../../http/request/query.ts';
import { timeText } from '../records.ts';

/** The parameters of requests without a body that may ask for a receipt. */
export const RECEIPT_PARAMETERS = ['returnReceipt'] as const;

/** Returns whether a query asks for a receipt. @throws ApiError INVALID_REQUEST */
export function wantsReceipt(query: Query): boolean {
  return query.choice('returnReceipt', BOOLEAN_VALUES) === 'true';
}

/** Returns the place of a command in the log as JSON; null if it is not in the log, because it is a repeated one. */
export function receiptText(batch?: Batch, index?: number): string {
  return batch === undefined
    ? 'null'
    : `{"position":${batch.sequence},"index":${index},"timestamp":${timeText(batch.time)},"logHash":"${batch.hash.toHex()}"}`;
}

/** Adds a receipt to an order as JSON. @param receipt As JSON. */
export function withReceipt(order: string, receipt: string): string {
  return `${order.slice(0, -1)},"receipt":${receipt}}`;
}

/** The outcome of a command, and the receipt of its place in the log as JSON. */
export interface Receipted {
  readonly outcome: Outcome;
  readonly receipt: string;
}

/** An order after a command, and the receipt of the place of that command in the log as JSON. */
export interface ReceiptedOrder {
  readonly order: OrderRecord;
  readonly receipt: string;
}

/** Executes a command whose outcome comes in one portion. */
export function executeForReceipt({ services }: Call, command: Command): Promise<Receipted> {
  return new Promise((resolve, reject) => {
    services.replica.submit(
      command,
      (outcome, batch, index) => resolve({ outcome, receipt: receiptText(batch, index) }),
      reject,
    );
  });
}
