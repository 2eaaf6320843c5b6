import type { Bug } from './bug.ts';

const fuzz = (test: string) => ({ file: 'test/fuzz/binance.test.ts', test });
const limits = (test: string) => ({ file: 'test/binance/limits.test.ts', test });
const lists = (test: string) => ({ file: 'test/binance/oto-lists.test.ts', test });
const late = (test: string) => ({ file: 'test/binance/late-requests.test.ts', test });
const RANDOM = 'random requests get an answer';
const TWIN = 'sequences of orders have the effects';

/** The Binance dialect. */
export const binanceBugs: readonly Bug[] = [
  {
    name: 'parameters after the signature are not signed',
    file: 'src/gateway/binance/rest.ts',
    text: 'const SIGNATURE = /(?:^|&)signature=[^&]*/;',
    becomes: 'const SIGNATURE = /(?:^|&)signature=.*/;',
    catcher: fuzz(RANDOM),
  },
  {
    name: 'a request of the dialect is valid for a minute unless it says otherwise',
    file: 'src/gateway/binance/security.ts',
    text: 'const DEFAULT_RECV_WINDOW_MS = 5000;',
    becomes: 'const DEFAULT_RECV_WINDOW_MS = 60_000;',
    catcher: fuzz(RANDOM),
  },
  {
    name: 'an order of the dialect waits in the queue beyond its window',
    file: 'src/gateway/binance/dialect.ts',
    text: '      call.deadline = { at: signed.expiresAt, names: FIELDS };\n',
    becomes: '',
    catcher: limits('that the log reaches after its window'),
  },
  {
    name: 'a request of a connection that is logged on needs no timestamp',
    file: 'src/gateway/binance/dialect.ts',
    text: 'call.deadline = this.security.readDeadline(call.given, call.skewMs);',
    becomes: 'call.given.ignore(...SIGNATURE_PARAMETERS);',
    catcher: late('requests of a connection that is logged on have a window'),
  },
  {
    name: 'an order of a connection that is logged on waits beyond its window',
    file: 'src/gateway/binance/dialect.ts',
    text: 'call.deadline = this.security.readDeadline(call.given, call.skewMs);',
    becomes: 'this.security.readDeadline(call.given, call.skewMs);',
    catcher: late('no order or cancellation of a connection that is logged on'),
  },
  {
    name: 'a cancellation of the dialect is executed after its window',
    file: 'src/gateway/binance/call.ts',
    text: 'limitsCancels = true;',
    becomes: 'limitsCancels = false;',
    catcher: late('no cancellation is executed after its window'),
  },
  {
    name: 'a cancellation of many orders is executed after its window',
    file: 'src/gateway/endpoints/orders/cancel-orders.ts',
    text: 'replica.execute(withCancelDeadline(call, command))',
    becomes: 'replica.execute(command)',
    catcher: late('no order or cancellation of a connection that is logged on'),
  },
  {
    name: 'a cancellation of the dialect ignores its restriction',
    file: 'src/gateway/binance/orders/orders.ts',
    text: 'return executeCancel(call, order.id, onlyIf);',
    becomes: 'return executeCancel(call, order.id);',
    catcher: late('a cancellation for unfilled orders'),
  },
  {
    name: 'an amendment in place of the dialect may increase an order',
    file: 'src/gateway/binance/orders/changes.ts',
    text: 'executeAmendment(call, order.id, body, { reduceOnly: true })',
    becomes: 'executeAmendment(call, order.id, body)',
    catcher: late('an amendment in place only reduces'),
  },
  {
    name: 'a copy of an order without an id is another order',
    file: 'src/gateway/binance/orders/orders.ts',
    text: "  return HASH.toString('base64url', 0, NAME_BYTES);",
    becomes: '  return randomName();',
    catcher: fuzz('a copy of a request never acts twice'),
  },
  {
    name: 'a dialect order has the other side',
    file: 'src/gateway/binance/orders/order-body.ts',
    text: 'body.side = side.toLowerCase();',
    becomes: "body.side = side === 'BUY' ? 'sell' : 'buy';",
    catcher: fuzz(TWIN),
  },
  {
    name: 'a dialect order has price and quantity swapped',
    file: 'src/gateway/binance/orders/order-body.ts',
    text: 'if (price !== undefined) body.price = new JsonNumber(price);',
    becomes: 'if (price !== undefined) body.price = new JsonNumber(quantity!);',
    catcher: fuzz(TWIN),
  },
  {
    name: 'a dialect order counts twice',
    file: 'src/gateway/binance/dialect.ts',
    text: 'this.limits.takeOrders(call.account, orders);',
    becomes: 'this.limits.takeOrders(call.account, 2 * orders);',
    catcher: limits('each order counts once'),
  },
  {
    name: 'a dialect order counts for the first account',
    file: 'src/gateway/binance/limits.ts',
    text: 'if (!orders.take(index, 0, limitClass, now, count)) {',
    becomes: 'if (!orders.take(0 * index, 0, limitClass, now, count)) {',
    catcher: limits('each order counts once'),
  },
  {
    name: 'a commission is named in the paid asset',
    file: 'src/gateway/binance/orders/orders.ts',
    text: 'const feeAsset = market.feeAsset(fill.side, fill.fee);',
    becomes: 'const feeAsset = market.feeAsset(fill.side, -1);',
    catcher: limits('a commission is in the asset that was received'),
  },
  {
    name: 'a commission is listed in the paid asset',
    file: 'src/gateway/binance/account/lists.ts',
    text: 'const feeAsset = market.feeAsset(fill.side, fill.fee);',
    becomes: 'const feeAsset = market.feeAsset(fill.side, -1);',
    catcher: limits('a commission is in the asset that was received'),
  },
  {
    name: 'a balance of the dialect is rounded up',
    file: 'src/gateway/binance/decimals.ts',
    text: ': text.slice(0, point + 1 + DECIMALS);',
    becomes: ': Number(text).toFixed(DECIMALS);',
    catcher: {
      file: 'src/gateway/binance/decimals.test.ts',
      test: 'every number has 8 decimals, and is never more than it was',
    },
  },
  {
    name: 'an order that waits in a list is not found by its id',
    file: 'src/gateway/binance/orders/find-order.ts',
    text: 'return findPending(exchange.state, account, orderId) ?? findOrder(call, orderId);',
    becomes: 'return findOrder(call, orderId);',
    catcher: lists('answers as in the documents, and is found everywhere'),
  },
  {
    name: 'a page of orders has waiting ones of earlier pages again',
    file: 'src/gateway/binance/account/lists.ts',
    text: '      id > afterId &&\n',
    becomes: '',
    catcher: lists('answers as in the documents, and is found everywhere'),
  },
  {
    name: 'an order that starts is reported as replaced',
    file: 'src/gateway/binance/user-data/executions.ts',
    text: 'if (this.waiting.delete(id)) {',
    becomes: 'if (this.waiting.delete(id) && order.parentId === 0) {',
    catcher: lists('a pending order starts when the working order is filled'),
  },
  {
    name: 'a cancel of a waiting order is rejected',
    file: 'src/gateway/binance/orders/orders.ts',
    text: 'await executeCancel(call, order.parentId);',
    becomes: 'await executeCancel(call, order.id);',
    catcher: lists('a cancel of a pending order cancels the whole list'),
  },
  {
    name: 'a list of three orders counts as one of two',
    file: 'src/gateway/binance/order-lists/find-list.ts',
    text: 'names.orders.slice(1).map(',
    becomes: 'names.orders.slice(1, 2).map(',
    catcher: lists('a cancel of the list cancels the whole list'),
  },
];
