import type { Bug } from './bug.ts';

const user = (test: string) => ({ file: 'test/binance/user-data.test.ts', test });

/** What the Binance dialect answers and reports. */
export const binanceAnswerBugs: readonly Bug[] = [
  {
    name: 'a market order of the dialect shows the time in force of the engine',
    file: 'src/gateway/binance/orders/order-text.ts',
    text: "  if (!hasLimit(type)) return 'GTC';\n",
    becomes: '',
    catcher: user('orders without a limit price are GTC'),
  },
];
