import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, checkAsync } from '../../../../test/check.ts';
import { listCommands, scenario } from '../../../../test/reference/scenario.ts';
import { Exchange } from '../../../engine/exchange.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { Side } from '../../../engine/terms.ts';
import { L3_HEADER } from '../../../sandbox/recorded/csv-formats.ts';
import { RecordingError } from '../../../sandbox/recorded/errors.ts';
import { openRecording, type Recording } from '../../../sandbox/recorded/recording.ts';
import { InsufficientFundsError, playRecording } from '../../../testing/play-recording.ts';
import { RecordedFiles } from '../../../testing/recorded-files.ts';
import { OrderFlow } from './order-flow.ts';

setDefaultTimeout(CHECK_TIMEOUT_MS);

/** Plays rows as a sandbox does. @returns Its trades; undefined if their numbers do not fit a recorded market. */
async function play(rows: readonly string[]): Promise<string[] | undefined> {
  using files = new RecordedFiles();
  const path = files.write('rows.csv', `${[L3_HEADER, ...rows].join('\n')}\n`);
  const recording = await openRecording([`AAA/BBB=${path}`], files.spool).catch((error) => {
    if (error instanceof RecordingError) return undefined;
    throw error;
  });
  if (recording === undefined) return undefined;
  const trades = playOrSkip(recording);
  if (trades === undefined) return undefined;
  const { priceDecimals, amountDecimals } = recording.markets[0]!;
  return trades.map(({ takerSide, price, amount }) =>
    tradeText(takerSide, price, amount, { priceDecimals, amountDecimals }),
  );
}

/** Returns the trades of a recording; undefined if its accounts cannot pay for its numbers. */
function playOrSkip(recording: Recording) {
  try {
    return playRecording(recording);
  } catch (error) {
    if (error instanceof InsufficientFundsError) return undefined;
    throw error;
  }
}

function tradeText(
  takerSide: Side,
  price: number,
  amount: number,
  { priceDecimals, amountDecimals }: { priceDecimals: number; amountDecimals: number },
): string {
  const side = takerSide === Side.buy ? 'buy' : 'sell';
  return `${side} ${formatUnits(amount, amountDecimals)} at ${formatUnits(price, priceDecimals)}`;
}

test('a sandbox that plays the rows has the same trades in the same order', async () => {
  let played = 0;
  let unplayable = 0;
  const property = fc.asyncProperty(scenario(140), fc.nat(3), async (life, sessions) => {
    const exchange = new Exchange();
    const { state } = exchange;
    const flows: { flow: OrderFlow; rows: string[]; trades: string[] }[] = [];
    const commands = listCommands(life);
    const every = Math.ceil(commands.length / (sessions + 1));
    for (const [n, { command, time }] of commands.entries()) {
      exchange.apply(command, time);
      for (const market of state.markets) {
        const known = flows[market.index];
        if (known === undefined) {
          const rows: string[] = [];
          const flow = new OrderFlow(exchange, market, (row) => rows.push(row));
          flows.push({ flow, rows, trades: [] });
        }
        const { flow, trades } = flows[market.index]!;
        flow.note();
        for (const event of exchange.events) {
          if (event.kind !== 'trade' || event.market !== market.index) continue;
          // In an auction the maker is the older order, and the row of the maker comes first.
          trades.push(tradeText(event.takerSide, event.price, event.amount, market.rules));
        }
        // As at the end of a day.
        if (n % every !== every - 1) continue;
        flow.end(state.time);
        flow.begin(state.time);
      }
    }
    for (const { flow, rows, trades } of flows) {
      flow.end(state.time + 1);
      const ids = rows.map((row) => row.split(',')).filter(([, type]) => type === 'order');
      expect(new Set(ids.map(([, , id]) => id)).size).toBe(ids.length);
      if (rows.length === 0) continue;
      const found = await play(rows);
      if (found === undefined) unplayable++;
      else {
        expect(found).toEqual(trades);
        played += trades.length;
      }
    }
  });
  await checkAsync(property, 100);
  expect(played).toBeGreaterThan(50);
  expect(unplayable).toBeLessThan(played);
});
