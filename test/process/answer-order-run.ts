import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnswerOrder, answerOrder, TRACED } from './answer-order.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { strace } from './strace.ts';

/** Text bytes that strace prints: more than the largest answer or batch of this load. */
const RETRY_MS = 100;
const MAX_TEXT_BYTES = 262_144;

/**
 * Places orders from a number of clients at an exchange under strace.
 * @param syncDelayMs Delay of each sync of the exchange, which makes early answers visible.
 */
export async function traceOrders(
  orders: number,
  clients: number,
  syncDelayMs: number,
  runtimeFlags: readonly string[] = [],
): Promise<AnswerOrder> {
  const directory = temporaryDirectory();
  const output = join(directory.path, 'calls');
  const watcher = strace(output, [
    '-y',
    '-s',
    `${MAX_TEXT_BYTES}`,
    '-e',
    `trace=${TRACED.join()}`,
    ...(syncDelayMs > 0 ? ['-e', `inject=fdatasync:delay_exit=${syncDelayMs}ms`] : []),
  ]);
  try {
    const data = join(directory.path, 'data');
    const exchange = await ExchangeProcess.start(data, {}, runtimeFlags, watcher);
    const ids = Array.from({ length: orders }, (_, n) => `order-${String(n).padStart(6, '0')}`);
    let next = 0;
    const client = async (): Promise<void> => {
      while (next < orders) {
        const n = next++;
        // Half of them trade.
        const side = n % 2 === 0 ? 'buy' : 'sell';
        const price = 100_000 + (n % 50);
        const order = { symbol: 'BTC/USDT', side, type: 'limit', amount: 0.0001, price };
        const body = JSON.stringify({ ...order, clientOrderId: ids[n] });
        const credential = exchange.credential(n % 2 === 0 ? 'alice' : 'bob');
        const send = () => exchange.send(credential, 'POST', '/api/orders', body);
        let answer = await send();
        // A traced exchange may be too slow on a busy machine: orders that it rejects do not count.
        for (; answer.status === 503; answer = await send()) await Bun.sleep(RETRY_MS);
        if (answer.status !== 200) throw new Error(`rejected: ${JSON.stringify(answer.json)}`);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    await exchange.kill();
    return answerOrder(readFileSync(output, 'latin1'), ids);
  } finally {
    directory.remove();
  }
}
