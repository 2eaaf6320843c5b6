import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { applyBatch } from '../../archivist/recovery.ts';
import { type Command, CommandKind } from '../../engine/command.ts';
import type { OrderRecord, Outcome } from '../../engine/event.ts';
import { Exchange } from '../../engine/exchange.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { State } from '../../engine/state.ts';
import { orderStatuses, orderTypes, sides } from '../../engine/terms.ts';
import type { Batch } from '../../log/log.ts';
import type { Progress } from '../../monitoring/progress.ts';
import type { Result } from '../command.ts';
import { fields, table } from '../text.ts';
import { cliError } from './finding.ts';
import { type SourcePlace, withSource } from './source.ts';

/** The fields of an order in a response, with those of its receipt. */
const answer = z.object({
  orderId: z.string(),
  symbol: z.string(),
  side: z.string(),
  type: z.string(),
  amount: z.number(),
  filled: z.number(),
  status: z.string(),
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

/** The effect of a command on the order of its receipt. */
type Action = 'placed' | 'amended' | 'canceled';

const ACTIONS: ReadonlyMap<Command['kind'], Action> = new Map([
  [CommandKind.placeOrder, 'placed'],
  [CommandKind.placeStopOrder, 'placed'],
  [CommandKind.placeBracket, 'placed'],
  [CommandKind.placeOco, 'placed'],
  [CommandKind.amendOrder, 'amended'],
  [CommandKind.cancelOrder, 'canceled'],
]);

/**
 * Checks that the log has what receipts say: the batch with that chain hash, and in it the command that placed, amended or
 * canceled the order of the response. Lists the commands in the order in which they were executed.
 * @throws CliError naming the file and what the log has instead
 */
export async function verifyReceipts(
  files: readonly string[],
  place: SourcePlace,
  progress: Progress,
): Promise<Result> {
  const receipted = files.flatMap(readAnswers);
  receipted.sort(
    ({ receipt: one }, { receipt: other }) =>
      one.position - other.position || one.index - other.index,
  );
  const last = receipted.at(-1)!.receipt.position;
  return withSource(place, { position: last }, progress, async (source) => {
    const exchange = new Exchange();
    const verified = new Map<Receipted, Action>();
    let hash = '';
    for await (const batch of source.read('replaying the log')) {
      const due = receipted.filter(({ receipt }) => receipt.position === batch.sequence);
      for (const each of due) checkBatch(each, batch);
      applyBatch(exchange, batch, source.skips, (_, index, command, outcome) => {
        for (const each of due) {
          if (each.receipt.index !== index) continue;
          verified.set(each, checkOutcome(each, command, outcome, exchange.state));
        }
      });
      hash = batch.hash.toHex();
    }
    const missing = receipted.find((each) => !verified.has(each));
    if (missing !== undefined) throw unproven(missing, 'That batch has no such command.');
    const orders = receipted.map((each) => ({ ...each, action: verified.get(each)! }));
    const rows = orders.map(({ receipt, action, orderId, symbol, side, file }) => {
      const place = `${receipt.position}.${receipt.index}`;
      return [place, receipt.timestamp, action, orderId, symbol, side, file];
    });
    const head = { position: last, logHash: hash };
    return {
      data: { valid: true, orders, log: head },
      text:
        'valid: the log has these requests, executed in this sequence.\n\n' +
        `${table(['PLACE', 'TIME', 'REQUEST', 'ORDER', 'MARKET', 'SIDE', 'FILE'], rows)}\n\n` +
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

/** @returns what the command did to the order. @throws CliError if it did something else */
function checkOutcome(each: Receipted, command: Command, outcome: Outcome, state: State): Action {
  const action = ACTIONS.get(innermost(command).kind);
  const orders =
    outcome.kind === 'order' ? [outcome.order] : outcome.kind === 'oco' ? outcome.orders : [];
  if (action === undefined || orders.length === 0) {
    throw unproven(each, 'That command placed, amended or canceled no order.');
  }
  const order = orders.find(({ id }) => String(id) === each.orderId) ?? orders[0]!;
  const found = describe(order, state);
  for (const name of COMPARED) {
    if (found[name] === each[name]) continue;
    throw unproven(each, `${name} is ${found[name]} in the log, not ${each[name]}.`);
  }
  return action;
}

const COMPARED = [
  ...(['orderId', 'symbol', 'side', 'type', 'amount', 'clientOrderId'] as const),
  ...(['status', 'filled'] as const),
];

/** Returns the command inside those that limit its time or name its connection. */
function innermost(command: Command): Command {
  return command.kind === CommandKind.executeBy || command.kind === CommandKind.placeOnConnection
    ? innermost(command.command)
    : command;
}

function describe(order: OrderRecord, state: State): Omit<Answer, 'receipt'> {
  const { symbol, rules } = state.markets[order.market]!;
  return {
    orderId: String(order.id),
    symbol,
    side: sides[order.side]!,
    type: orderTypes[order.type]!,
    amount: Number(formatUnits(order.amount, rules.amountDecimals)),
    filled: Number(formatUnits(order.amount - order.remaining, rules.amountDecimals)),
    status: orderStatuses[order.status]!,
    clientOrderId: order.clientOrderId,
  };
}

/**
 * Reads the orders of a response, or of its `data`: one order, those of an OCO order, or those orders of a batch that have a
 * receipt. @throws CliError
 */
function readAnswers(file: string): Receipted[] {
  const found = unwrap(parse(file));
  const { orders, results } = (found ?? {}) as { orders?: unknown; results?: unknown };
  const list = Array.isArray(orders) ? orders : Array.isArray(results) ? results : undefined;
  if (list === undefined) return [readAnswer(found, file)];
  const withReceipt = list
    .map(unwrap)
    // The orders of a batch ask for receipts one by one.
    .filter((each) => list === orders || 'receipt' in Object(each));
  if (withReceipt.length === 0) {
    throw cliError('INVALID_RECEIPT', `No order in ${file} has a receipt.`);
  }
  return withReceipt.map((each) => readAnswer(each, file));
}

function parse(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw cliError('NO_FILE', `Cannot read ${file}: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw cliError('INVALID_RECEIPT', `${file} is no JSON. Save the whole response again.`);
  }
}

/** Returns the data of a successful response, and anything else as it is. */
function unwrap(value: unknown): unknown {
  const { success, data } = (value ?? {}) as { success?: unknown; data?: unknown };
  return success === true ? data : value;
}

function readAnswer(value: unknown, file: string): Receipted {
  const parsed = answer.safeParse(value);
  if (parsed.success) return { file, ...parsed.data };
  const path = parsed.error.issues[0]!.path.join('.');
  throw cliError('INVALID_RECEIPT', `${file} is no order with a receipt: check ${path || 'it'}.`);
}

function unproven({ file, receipt }: Receipted, reason: string) {
  const place = `command ${receipt.index} of batch ${receipt.position}`;
  return cliError('INVALID_RECEIPT', `invalid: ${file} names ${place}. ${reason}`);
}
