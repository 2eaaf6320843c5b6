import type { Bug } from './bug.ts';

const user = (test: string) => ({ file: 'test/binance/user-data.test.ts', test });

const metrics = (test: string) => ({ file: 'test/binance/metrics.test.ts', test });
const walks = (test: string) => ({ file: 'test/binance/trade-walks.test.ts', test });
const fields = (test: string) => ({ file: 'test/binance/answer-fields.test.ts', test });
const units = (test: string) => ({ file: 'test/binance/time-unit.test.ts', test });

const values = (test: string) => ({ file: 'test/binance/values.test.ts', test });
const conditional = (test: string) => ({ file: 'test/binance/conditional-fields.test.ts', test });

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
    name: 'the time since which a stop follows the price is in milliseconds among microseconds',
    file: 'src/gateway/binance/time-unit.ts',
    text: 'workingTime|trailingTime|',
    becomes: 'workingTime|',
    catcher: units('orders that are placed and canceled'),
  },
  {
    name: 'the working time of a report is in milliseconds among microseconds',
    file: 'src/gateway/binance/time-unit.ts',
    text: 'E|T|t|O|C|W|D|u',
    becomes: 'E|T|t|O|C|D|u',
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
  {
    name: 'the next page of aggregated trades begins within the last one',
    file: 'src/gateway/binance/market-data/trades.ts',
    text: 'afterId: undefined, fromId, market: market.index',
    becomes: 'market: market.index',
    catcher: walks('aggTrades'),
  },
  {
    name: 'trades from an id on are those after it',
    file: 'src/gateway/binance/history-page.ts',
    text: 'afterId: fromId === undefined ? undefined : fromId - 1,',
    becomes: 'afterId: fromId,',
    catcher: walks('myTrades'),
  },
  {
    name: 'a key that only reads is shown as one that trades',
    file: 'src/gateway/binance/account/wallet.ts',
    text: 'has(Permission.trade)',
    becomes: 'has(Permission.read)',
    catcher: fields('answers about the wallet and the key'),
  },
  {
    name: 'an order that only decrements reports a prevented quantity of zero',
    file: 'src/gateway/binance/user-data/execution-report.ts',
    text: 'if (prevented > 0) text +=',
    becomes: 'if (prevented >= 0) text +=',
    catcher: user('the quantity that self-trade prevention expires'),
  },
  {
    name: 'an order that expired has a prevented quantity',
    file: 'src/gateway/binance/orders/order-text.ts',
    text: 'status === OrderStatus.expired && reason === OrderReason.selfTrade ? remaining : 0',
    becomes: 'status === OrderStatus.expired && reason > 0 ? remaining : 0',
    catcher: user('the quantity that self-trade prevention expires'),
  },
  {
    name: 'an event is counted once for all its subscribers',
    file: 'src/gateway/binance/streams/topics.ts',
    text: "this.metrics.noteEvent('market_data', text, sockets.size);",
    becomes: "this.metrics.noteEvent('market_data', text);",
    catcher: metrics('counted once for each subscriber'),
  },
  {
    name: 'a rejected request of the WebSocket API is counted as successful',
    file: 'src/gateway/binance/ws-api/ws-api.ts',
    text: 'this.metrics.noteResponse(method, toStatus(result));',
    becomes: 'this.metrics.noteResponse(method, 200);',
    catcher: metrics('by method and status'),
  },
  {
    name: 'a slow reader of the dialect is counted until its socket is closed',
    file: 'src/gateway/binance/sockets/open-sockets.ts',
    text: '      if (!open.isDropped) this.dropped.add();\n',
    becomes: '      this.dropped.add();\n',
    catcher: {
      file: 'test/binance/open-sockets.test.ts',
      test: 'a client that leaves too much unread',
    },
  },
  {
    name: 'a stop of the dialect has worked since it was placed',
    file: 'src/gateway/binance/orders/conditional-fields.ts',
    text: 'return triggeredAt ?? (lastFillAt > 0 ? lastFillAt : -1);',
    becomes: 'return triggeredAt === undefined ? -1 : createdAt;',
    catcher: conditional('a stop has worked since its trigger'),
  },
  {
    name: 'a stop that was rejected at its trigger has worked',
    file: 'src/gateway/binance/orders/conditional-fields.ts',
    text: 'if (status === PENDING_NEW || status === OrderStatus.rejected) return -1;',
    becomes: 'if (status === PENDING_NEW) return -1;',
    catcher: conditional('a stop that was canceled before its trigger'),
  },
  {
    name: 'a trailing stop of the dialect shows its trigger as its stop price',
    file: 'src/gateway/binance/orders/conditional-fields.ts',
    text: 'return trailing === undefined ? triggerPrice : trailing.activationPrice;',
    becomes: 'return triggerPrice;',
    catcher: conditional('a trailing stop has the stop price'),
  },
  {
    name: 'an answer does not name why its order expired',
    file: 'src/gateway/binance/orders/order-text.ts',
    text: "if (statusName(order) === 'EXPIRED')",
    becomes: "if (statusName(order) === 'EXPIRED_IN_MATCH')",
    catcher: conditional('an order that expires has its reason'),
  },
  {
    name: 'an account of the dialect was updated now',
    file: 'src/gateway/binance/account/account.ts',
    text: 'return items[0]?.time ?? call.account.createdAt;',
    becomes: 'return items.length === 0 ? call.account.createdAt : call.exchange.state.time;',
    catcher: values('an account was updated when one of its balances changed last'),
  },
  {
    name: 'the uid of an account is one digit of its hash',
    file: 'src/gateway/binance/account/account.ts',
    text: ", 'hex').slice(0, UID_DIGITS), 16);",
    becomes: ", 'hex').slice(0, 1), UID_DIGITS + 4);",
    catcher: values('the uid of an account'),
  },
  {
    name: 'the answer to an amendment has another execution id than its report',
    file: 'src/gateway/binance/user-data/user-data.ts',
    text: "type === 'REPLACED' ? this.amendmentId(order) : this.newExecutionId(),",
    becomes: "type === 'TRADE' ? this.amendmentId(order) : this.newExecutionId(),",
    catcher: values('each amendment has an execution id of its own'),
  },
  {
    name: 'zeros after the eighth decimal are too precise',
    file: 'src/gateway/binance/parameters.ts',
    text: 'const TOO_PRECISE = /\\.\\d{8}\\d*[1-9]/;',
    becomes: 'const TOO_PRECISE = /\\.\\d{9}/;',
    catcher: values('orders at the bounds are accepted'),
  },
  {
    name: 'the lowest strategy type is rejected',
    file: 'src/gateway/binance/orders/order-body.ts',
    text: 'type >= MIN_STRATEGY_TYPE',
    becomes: 'type > MIN_STRATEGY_TYPE',
    catcher: values('orders at the bounds are accepted'),
  },
  {
    name: 'an iceberg larger than its order is reported as another error',
    file: 'src/gateway/binance/errors.ts',
    text: "rule === 'amount' && field === 'displayAmount'",
    becomes: "rule === 'amount' && field === 'amount'",
    catcher: values('an order with'),
  },
  {
    name: 'a market that only cancels is reported as halted',
    file: 'src/gateway/binance/symbols.ts',
    text: "if (status === MarketStatus.cancelOnly) return 'CANCEL_ONLY';",
    becomes: '',
    catcher: values('a market that only cancels'),
  },
];
