import type { Bug } from './bug.ts';

const user = (test: string) => ({ file: 'test/binance/user-data.test.ts', test });

const units = (test: string) => ({ file: 'test/binance/time-unit.test.ts', test });

/** The answers and reports of the Binance dialect. */
export const binanceAnswerBugs: readonly Bug[] = [
  {
    name: 'a market order of the dialect shows the time in force of the engine',
    file: 'src/gateway/binance/orders/order-text.ts',
    text: "  if (!hasLimit(type)) return 'GTC';\n",
    becomes: '',
    catcher: user('orders without a limit price are GTC'),
  },
  {
    name: 'the working time of a report is in milliseconds among microseconds',
    file: 'src/gateway/binance/time-unit.ts',
    text: 'E|T|t|O|C|W|u',
    becomes: 'E|T|t|O|C|u',
    catcher: units('user data and the WebSocket API'),
  },
  {
    name: 'the end of a candle is in milliseconds among microseconds',
    file: 'src/gateway/binance/time-unit.ts',
    text: '$<texts>$<end>000,',
    becomes: '$<texts>$<end>,',
    catcher: units('klines'),
  },
  {
    name: 'an unknown unit of time counts as milliseconds',
    file: 'src/gateway/binance/time-unit.ts',
    text: 'if (Object.hasOwn(UNITS, unit)) return UNITS[unit]!;',
    becomes: 'if (unit !== null) return UNITS[unit] ?? false;',
    catcher: units('a unit that is none is rejected'),
  },
];
