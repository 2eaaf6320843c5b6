import type { Bug } from './bug.ts';

const byCost = (test: string) => ({ file: 'test/web/orders-by-cost.test.ts', test });

/** The pages: how they are sent, and the sums of the order form. */
export const pageBugs: readonly Bug[] = [
  {
    name: 'the API documentation is sent without compression',
    file: 'src/gateway/pages/page-routes.ts',
    text: '(await encodings()).serve(headers, acceptedEncoding(request)),',
    becomes: '(await encodings()).serve(headers, null),',
    catcher: { file: 'test/http/pages.test.ts', test: 'is compressed' },
  },
  {
    name: 'the form lets a sell by cost use more than the balance',
    file: 'web/trade/order-estimate.ts',
    text: 'if (found.amount.lte(capacity)) return found;',
    becomes: 'if (found.amount.lte(max)) return found;',
    catcher: byCost('the preview and the faults'),
  },
  {
    name: 'the form needs the whole sell by cost at the best bid, rounded up',
    file: 'web/trade/order-estimate.ts',
    text: 'return divide(cost, price.times(step), 0, Big.roundDown).times(step);',
    becomes: 'return divide(cost, price.times(step), 0, Big.roundUp).times(step);',
    catcher: byCost('the preview and the faults'),
  },
  {
    name: 'a share of the balance is sold at the last price',
    file: 'web/trade/order-estimate.ts',
    text: 'return isByCost(draft) ? toCost(walkBook(bids, { amount }).cost) : amount;',
    becomes: 'return isByCost(draft) ? toCost(amount.times(context.last)) : amount;',
    catcher: byCost('a share of the balance'),
  },
];
