import { z } from 'zod';
import { DAY_MS } from '../../../config/durations.ts';
import {
  type BehaviorChange,
  MAKER_MARKETS,
  type MarketMakers,
} from '../../../sandbox/makers/market-makers.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { checkBody, decimalBetween, integer, optional } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { boolean, fromZod, list, number, record } from '../../openapi/json-schema.ts';
import { symbol } from '../../openapi/market-schemas.ts';
import { findControl } from './clock.ts';

const MAKERS = record({
  makers: list(
    record({
      symbol,
      running: boolean('Whether they quote and trade.', true),
      spread: number('Multiplier of the distance between the best quotes.', 1),
      depth: number('Multiplier of the quoted amounts.', 1),
      volatility: number('Multiplier of the moves of the fair price.', 1),
      flow: number('Multiplier of the amounts that their taker trades.', 1),
      bias: number('Sides of the taker: -1 only sells, 0 as its inventory wants, 1 only buys.', 0),
    }),
  ),
});

/** GET /api/sandbox/makers: how the market makers behave. */
export function getMakers(call: Call): string {
  call.query([]);
  return makersText(findMakers(call));
}
getMakers.description = describe({
  operationId: 'getMakers',
  tag: 'Sandbox',
  summary: "The market makers' behavior",
  data: MAKERS,
  errors: ['NOT_FOUND'],
});

/** Zod would describe a schema that is used twice by a reference. */
const multiplier = () => decimalBetween(0, 1000);
const request = z.strictObject({
  symbol: optional(z.string(), 'The market; by default all.'),
  running: optional(
    z.boolean(),
    'Whether they quote and trade. If not, their orders are canceled.',
  ),
  spread: optional(multiplier(), 'Multiplier of the distance between the best quotes.'),
  depth: optional(multiplier(), 'Multiplier of the quoted amounts; 0 for no quotes.'),
  volatility: optional(multiplier(), 'Multiplier of the moves of the fair price.'),
  flow: optional(multiplier(), 'Multiplier of the amounts that their taker trades; 0 for none.'),
  bias: optional(decimalBetween(-1, 1), 'Sides of the taker: -1 only sells, 1 only buys.'),
  move: z
    .strictObject({ change: decimalBetween(-0.99, 100), durationMs: integer(0, DAY_MS) })
    .meta({
      description:
        'A steady move of the fair price by a fraction of it, such as -0.2, within a time.',
    })
    .optional(),
});

/** POST /api/sandbox/makers: changes how the market makers behave. Fields that are absent stay as they are. */
export async function changeMakers(call: Call): Promise<string> {
  const { symbol, ...given } = checkBody(request, call.body());
  const makers = findMakers(call);
  const indexes = [...MAKER_MARKETS.keys()].filter(
    (index) => symbol == null || MAKER_MARKETS[index]!.symbol === symbol,
  );
  if (indexes.length === 0) {
    const symbols = MAKER_MARKETS.map((market) => market.symbol).join(', ');
    throw invalid('symbol', 'unknown', `The market makers trade ${symbols}.`);
  }
  const change = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value != null),
  ) as BehaviorChange;
  await findControl(call).perform(() => {
    for (const index of indexes) makers.change(index, change, call.services.now());
  });
  return makersText(makers);
}
changeMakers.description = describe({
  operationId: 'changeMakers',
  tag: 'Sandbox',
  summary: "Change the market makers' behavior",
  notes: 'For rehearsals: a thin book, one-sided flow, a crash. The change takes effect at once.',
  body: {
    schema: fromZod(request),
    examples: { crash: { symbol: 'BTC/USDT', move: { change: -0.2, durationMs: 60_000 } } },
  },
  data: MAKERS,
  errors: ['NOT_FOUND'],
});

function findMakers(call: Call): MarketMakers {
  findControl(call);
  const { makers } = call.services.sandbox!;
  if (makers !== undefined) return makers;
  const message =
    'This sandbox has no market makers. Start it with --makers on, and without recorded markets.';
  throw invalid('makers', 'off', message);
}

function makersText(makers: MarketMakers): string {
  const rows = MAKER_MARKETS.map(({ symbol }, index) => {
    const { running, spread, depth, volatility, flow, bias } = makers.behavior(index);
    return JSON.stringify({ symbol, running, spread, depth, volatility, flow, bias });
  });
  return `{"makers":[${rows.join(',')}]}`;
}
