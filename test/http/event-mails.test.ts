import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Browser, PASSWORD } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** Mails about events, with a mail server that refuses some. */

const DAY_MS = 86_400_000;

let exchange: TestExchange;
let carol: Browser;
let refusals = 0;
let attempts = 0;

beforeAll(async () => {
  exchange = await TestExchange.open({
    onMail: () => {
      attempts++;
      if (refusals-- > 0) throw new Error('450 try later');
    },
  });
  carol = await Browser.signedUp(exchange);
  const account = (await carol.get()).data.profile.accountId;
  const credit = { account, asset: 'USDT', amount: 1000, reference: 'c', reason: 'test' };
  await exchange.send('operator', 'POST', '/api/admin/transfers', JSON.stringify(credit));
  await carol.send('PATCH', '/api/account/notifications', { mail: ['order.canceled'] });
});
afterAll(() => exchange.close());

async function cancelOrder(): Promise<void> {
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.001, price: 45000 };
  const { status } = await carol.send('POST', '/api/orders', order);
  expect(status).toBe(200);
  await carol.send('DELETE', '/api/orders?symbol=BTC/USDT');
}

const sent = () => exchange.mails.filter(({ subject }) => subject.includes('canceled')).length;

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(2);
}

test('a mail that the mail server refuses is sent again', async () => {
  refusals = 3;
  attempts = 0;
  await cancelOrder();
  await until(() => sent() === 1);
  expect(attempts).toBe(4);
});

test('a mail that is refused for a day is left out, and those after it are sent', async () => {
  refusals = Number.POSITIVE_INFINITY;
  attempts = 0;
  await cancelOrder();
  await until(() => attempts > 2);
  exchange.now += DAY_MS;
  const before = attempts;
  await until(() => attempts > before);
  refusals = 0;
  await carol.post('/sign-in', { email: 'carol@example.com', password: PASSWORD });
  await cancelOrder();
  await until(() => sent() === 2);
});
