// @ts-nocheck: in the types of CCXT every field may be missing; the assertions check them.
// ccxt.binance on Node, REST and pro, with replaced URLs.
import assert from 'node:assert/strict';
import ccxt from 'ccxt';

const { EXCHANGE_URL, API_KEY, API_SECRET } = process.env;
const SYMBOL = 'BTC/USDT';
const AMOUNT = 0.01;
const TAKER_FEE = 0.001;

/** Replaces the host of every URL of Binance. */
function replaceUrls(urls) {
  if (typeof urls === 'object') {
    return Object.fromEntries(
      Object.entries(urls).map(([name, value]) => [name, replaceUrls(value)]),
    );
  }
  const [, scheme, path] = /^(\w+):\/\/[^/]*(.*)$/.exec(urls);
  const base = scheme.startsWith('ws') ? EXCHANGE_URL.replace('http', 'ws') : EXCHANGE_URL;
  return base + path;
}

const done = (part) => console.log(`done: ${part}`);
const round = (number) => Number(number.toFixed(8));

const bot = new ccxt.pro.binance({ apiKey: API_KEY, secret: API_SECRET });
bot.urls.api = replaceUrls(bot.urls.api);
// The library needs it for URLs without TLS.
await bot.loadHttpProxyAgent();

async function readMarkets() {
  const markets = await bot.loadMarkets();
  assert.deepEqual(Object.keys(markets).sort(), ['BTC/USDT', 'ETH/BTC', 'ETH/USDT', 'SOL/USDT']);
  assert.equal(markets[SYMBOL].precision.price, 0.01);
  const book = await bot.fetchOrderBook(SYMBOL, 10);
  assert.ok(book.bids[0][0] < book.asks[0][0]);
  const { low, last, high, bid, ask } = await bot.fetchTicker(SYMBOL);
  assert.ok(low <= last && last <= high && bid < ask);
  assert.equal((await bot.fetchTrades(SYMBOL, undefined, 10)).length, 10);
  const candles = await bot.fetchOHLCV(SYMBOL, '5m', undefined, 5);
  for (const [start, opened, top, bottom, closed] of candles) {
    assert.equal(start % 300_000, 0);
    assert.ok(bottom <= Math.min(opened, closed) && Math.max(opened, closed) <= top);
  }
  done('market data');
  return Number((bid * 0.9).toFixed(2));
}

async function trade(price) {
  const before = await bot.fetchBalance();
  const placed = await bot.createOrder(SYMBOL, 'limit', 'buy', AMOUNT, price);
  assert.deepEqual([placed.status, placed.price, placed.filled], ['open', price, 0]);
  const opened = await bot.fetchOpenOrders(SYMBOL);
  assert.deepEqual(
    opened.map(({ id }) => id),
    [placed.id],
  );
  const { USDT } = await bot.fetchBalance();
  assert.equal(round(USDT.used - before.USDT.used), round(price * AMOUNT));
  assert.equal((await bot.cancelOrder(placed.id, SYMBOL)).status, 'canceled');
  const bought = await bot.createOrder(SYMBOL, 'market', 'buy', AMOUNT);
  assert.deepEqual([bought.status, bought.filled], ['closed', AMOUNT]);
  const own = await bot.fetchMyTrades(SYMBOL, undefined, undefined, { orderId: bought.id });
  const cost = own.reduce((sum, each) => sum + each.cost, 0);
  // The dialect cuts off what lies beyond the eighth decimal of each fill.
  const isNear = (sum, whole) => Math.abs(whole - sum) < 1.5e-8 * own.length;
  assert(isNear(cost, bought.cost), `${cost} is not ${bought.cost}`);
  const fees = own.reduce((sum, each) => sum + each.fee.cost, 0);
  assert(isNear(fees, AMOUNT * TAKER_FEE), `${fees} is not the fee`);
  const after = await bot.fetchBalance();
  assert.equal(round(after.BTC.total - before.BTC.total), round(AMOUNT * (1 - TAKER_FEE)));
  await assert.rejects(bot.cancelOrder('987654321', SYMBOL), ccxt.OrderNotFound);
  await assert.rejects(
    bot.createOrder(SYMBOL, 'limit', 'buy', 90_000, price),
    ccxt.InsufficientFunds,
  );
  done('orders');
}

async function watch(price) {
  const seen = [];
  const collect = async () => {
    for (;;) for (const order of await bot.watchOrders(SYMBOL)) seen.push({ ...order });
  };
  collect().catch((error) => {
    if (!(error instanceof ccxt.ExchangeClosedByUser)) throw error;
  });
  const [trades, ticker, candles, book] = await Promise.all([
    bot.watchTrades(SYMBOL),
    bot.watchTicker(SYMBOL),
    bot.watchOHLCV(SYMBOL, '1m'),
    bot.watchOrderBook(SYMBOL),
  ]);
  assert.ok(trades[0].price > 0 && ['buy', 'sell'].includes(trades[0].side));
  assert.ok(ticker.low <= ticker.last && ticker.last <= ticker.high);
  assert.equal(candles.at(-1)[0] % 60_000, 0);
  assert.ok(book.bids[0][0] < book.asks[0][0]);
  done('streams');
  const placed = await bot.createOrderWs(SYMBOL, 'limit', 'buy', AMOUNT, price);
  assert.deepEqual([placed.status, placed.price], ['open', price]);
  await bot.cancelOrderWs(placed.id, SYMBOL);
  const statuses = () => seen.filter(({ id }) => id === placed.id).map(({ status }) => status);
  while (!statuses().includes('canceled')) await new Promise((next) => setTimeout(next, 10));
  assert.deepEqual(statuses(), ['open', 'canceled']);
  done('user data and orders over sockets');
}

try {
  const price = await readMarkets();
  await trade(price);
  await watch(price);
} finally {
  await bot.close();
}
