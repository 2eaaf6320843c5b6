import { z } from 'zod';
import { Side } from '../../engine/terms.ts';
import type { RowParser } from './csv-formats.ts';
import { parsePositive, RowError } from './decimal.ts';
import { parseOrderId, timeParser } from './fields.ts';

const LINE = /^(\d+) (\w+) (\{.*\})$/;

const ORDER = z.object({
  id: z.number().int(),
  order_type: z.union([z.literal(0), z.literal(1)]),
  price: z.string(),
  amount: z.string(),
});

/**
 * Parses lines `timestamp_ms event {json}` of Bitstamp's live order feed. `order_created` is an order, `order_deleted` a
 * cancel. The other events are results that the engine produces itself: `order_changed`, `order_book`, `trade`.
 */
export function bitstampParser(): RowParser {
  const parseTime = timeParser();
  return (line) => {
    const [, timeText = '', event, json = ''] = LINE.exec(line) ?? [];
    if (event === undefined) throw new RowError('it is not `timestamp_ms event {json}`');
    const time = parseTime(timeText);
    const value = parseJson(json);
    if (['order_changed', 'order_book', 'trade'].includes(event)) return [];
    if (event !== 'order_created' && event !== 'order_deleted') {
      throw new RowError(`event ${event.slice(0, 40)} is unknown`);
    }
    const order = ORDER.safeParse(value);
    if (!order.success) {
      const [issue] = order.error.issues;
      throw new RowError(`${issue!.path.join('.')}: ${issue!.message}`);
    }
    const { order_type: type, price, amount } = order.data;
    const id = parseOrderId(`${order.data.id}`);
    if (event === 'order_deleted') return [{ kind: 'cancel', time, id }];
    return [
      {
        kind: 'order',
        time,
        id,
        side: type === 0 ? Side.buy : Side.sell,
        price: parsePositive(price, 'price'),
        amount: parsePositive(amount, 'amount'),
      },
    ];
  };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new RowError('its JSON is invalid');
  }
}
