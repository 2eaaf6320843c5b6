import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { applyBatch } from '../../archivist/recovery.ts';
import type { OrderRecord, Outcome } from '../../engine/event.ts';
import { Exchange } from '../../engine/exchange.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { State } from '../../engine/state.ts';
import { orderTypes, sides } from '../../engine/terms.ts';
import type { Batch } from '../../log/log.ts';
import type { Progress } from '../../monitoring/progress.ts';
import type { Result } from '../command.ts';
import { fields, table } from '../text.ts';
import { cliError } from './finding.ts';
import { type SourcePlace, withSource } from './source.ts';

/** The fields of the response that placed an order, with those of its receipt. */
const answer = z.object({
  orderId: z.string(),
  symbol: z.string(),
  side: z.string(),
  type: z.string(),
  amount: z.number(),
  clientOrderId: z.string().nullable(),
  receipt: z.object({
    position: z.int().min(1),
    index: z.int().min(0),
    timestamp: z.string(),
    logHash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
});

type Answer = z.infer<typeof answer>;

interface Receipted extends Answer {
  readonly file: string;
}

/**
 * Checks that the log has what receipts say: the batch with that chain hash, and in it the command that placed the order of the
 * response. Lists the orders in the order in which they were executed.
 * @throws CliError naming the file and what the log has instead
 */
export async function verifyReceipts(
  files: readonly string[],
  place: SourcePlace,
  progress: Progress,
): Promise<Result> {
  const receipted = files.map(readAnswer);
  receipted.sort(
    ({ receipt: one }, { receipt: other }) =>
      one.position - other.position || one.index - other.index,
  );
  const last = receipted.at(-1)!.receipt.position;
  return withSource(place, { position: last }, progress, async (source) => {
    const exchange = new Exchange();
    const verified = new Set<Receipted>();
    let hash = '';
    for await (const batch of source.read('replaying the log')) {
      const due = receipted.filter(({ receipt }) => receipt.position === batch.sequence);
      for (const each of due) checkBatch(each, batch);
      applyBatch(exchange, batch, source.skips, (_, index, __, outcome) => {
        for (const each of due) {
          if (each.receipt.index !== index) continue;
          checkOutcome(each, outcome, exchange.state);
          verified.add(each);
        }
      });
      hash = batch.hash.toHex();
    }
    const missing = receipted.find((each) => !verified.has(each));
    if (missing !== undefined) throw unproven(missing, 'That batch has no such command.');
    const rows = receipted.map(({ receipt, orderId, symbol, side, file }) => [
      ...[`${receipt.position}.${receipt.index}`, receipt.timestamp, orderId, symbol, side, file],
    ]);
    const head = { position: last, logHash: hash };
    return {
      data: { valid: true, orders: receipted, log: head },
      text:
        'valid: the log has these orders, executed in this sequence.\n\n' +
        `${table(['PLACE', 'TIME', 'ORDER', 'MARKET', 'SIDE', 'FILE'], rows)}\n\n` +
        fields([
          ['Log position', last],
          ['Log hash', hash],
        ]),
    };
  });
}

function checkBatch(each: Receipted, batch: Batch): void {
  const { logHash, timestamp } = each.receipt;
  const found = batch.hash.toHex();
  if (found !== logHash)
    throw unproven(each, `That batch has the chain hash ${found} in this log.`);
  const time = new Date(batch.time).toISOString();
  if (time !== timestamp) throw unproven(each, `That batch is of ${time}.`);
}

function checkOutcome(each: Receipted, outcome: Outcome, state: State): void {
  if (outcome.kind !== 'order')
    throw unproven(each, `That command placed no order: ${outcome.kind}.`);
  const found = describe(outcome.order, state);
  for (const name of ['orderId', 'symbol', 'side', 'type', 'amount', 'clientOrderId'] as const) {
    if (found[name] === each[name]) continue;
    throw unproven(each, `${name} is ${found[name]} in the log, not ${each[name]}.`);
  }
}

function describe(order: OrderRecord, state: State): Omit<Answer, 'receipt'> {
  const { symbol, rules } = state.markets[order.market]!;
  return {
    orderId: String(order.id),
    symbol,
    side: sides[order.side]!,
    type: orderTypes[order.type]!,
    amount: Number(formatUnits(order.amount, rules.amountDecimals)),
    clientOrderId: order.clientOrderId,
  };
}

/** Reads the response that placed an order, or its `data`. @throws CliError */
function readAnswer(file: string): Receipted {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw cliError('NO_FILE', `Cannot read ${file}: ${(error as Error).message}`);
  }
  const { success, data } = (value ?? {}) as { success?: unknown; data?: unknown };
  const parsed = answer.safeParse(success === true ? data : value);
  if (parsed.success) return { file, ...parsed.data };
  const path = parsed.error.issues[0]!.path.join('.');
  throw cliError('INVALID_RECEIPT', `${file} is no order with a receipt: check ${path || 'it'}.`);
}

function unproven({ file, receipt }: Receipted, reason: string) {
  const place = `command ${receipt.index} of batch ${receipt.position}`;
  return cliError('INVALID_RECEIPT', `invalid: ${file} names ${place}. ${reason}`);
}
