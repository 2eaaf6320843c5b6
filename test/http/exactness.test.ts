import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { auditState } from '../../src/engine/audit/audit.ts';
import { CHECK_TIMEOUT_MS, checkAsync } from '../check.ts';
import { TestExchange } from './exchange.ts';

/**
 * Tests that numbers are exact in both directions. Decimals are integers in units of 10^-decimals here,
 * converted by plain string operations instead of the code under test.
 */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
  await enrich(exchange, 'alice');
});
afterAll(() => exchange.close());

setDefaultTimeout(CHECK_TIMEOUT_MS);

/** Credits an account with enough for any order: 4 × 10^16 of each asset. */
async function enrich(receiver: TestExchange, account: string): Promise<void> {
  for (const asset of ['USDT', 'BTC']) {
    const reference = `${account}-${asset}`;
    const body = `{"account":"${account}","asset":"${asset}","amount":4e16,"reference":"${reference}","reason":"test"}`;
    await receiver.send('operator', 'POST', '/api/admin/transfers', body);
  }
}

const RUNS = 250;
const AMOUNT_DECIMALS = 8;
const PRICE_DECIMALS = 2;
/** The decimals of the sandbox's BTC/USDT. */
const MAX_AMOUNT = 10_000_000n * 10n ** 8n;
const MAX_PRICE = 1_000_000_000n * 10n ** 2n;
const USDT_DECIMALS = 10;

/** Returns the canonical plain form. */
function plain(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return digits.slice(0, -decimals) + (fraction === '' ? '' : `.${fraction}`);
}

/** Returns the units of a plain decimal. */
function toUnits(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  expect(fraction.length).toBeLessThanOrEqual(decimals);
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Any notation of `units`: trailing zeros, the point anywhere, and an exponent to match. */
function makeLiteral(units: bigint, decimals: number): fc.Arbitrary<string> {
  return fc
    .record({
      zeros: fc.nat(6),
      point: fc.nat(12),
      sign: fc.constantFrom('', '+'),
      letter: fc.constantFrom('e', 'E'),
      exponentZeros: fc.nat(2),
    })
    .map(({ zeros, point, sign, letter, exponentZeros }) => {
      const digits = `${units}${'0'.repeat(zeros)}`;
      const whole = digits.slice(0, -point || undefined) || '0';
      const fraction = point === 0 ? '' : `.${digits.slice(-point).padStart(point, '0')}`;
      const exponent = point - zeros - decimals;
      const padding = '0'.repeat(exponentZeros);
      const power =
        exponent < 0 ? `${letter}-${padding}${-exponent}` : `${letter}${sign}${padding}${exponent}`;
      return `${whole}${fraction}${exponent === 0 ? '' : power}`;
    })
    .filter((literal) => literal.length <= 40);
}

const gridNumber = (max: bigint, decimals: number) =>
  fc
    .oneof(fc.bigInt(1n, max), fc.bigInt(1n, 100_000n))
    .chain((units) =>
      fc.record({ units: fc.constant(units), literal: makeLiteral(units, decimals) }),
    );

function order(side: string, amount: string, price: string): string {
  return `{"symbol":"BTC/USDT","side":"${side}","type":"limit","amount":${amount},"price":${price}}`;
}

/** Returns the literal of a field in a response's text. */
function field(text: string, name: string): string {
  return new RegExp(`"${name}":(-?[0-9.eE+-]+)`).exec(text)?.[1] ?? 'absent';
}

test('any notation of a number on the grid is returned in canonical form', async () => {
  const amounts = gridNumber(MAX_AMOUNT, AMOUNT_DECIMALS);
  const prices = gridNumber(MAX_PRICE, PRICE_DECIMALS);
  await checkAsync(
    fc.asyncProperty(amounts, prices, async (amount, price) => {
      // At least the minimum notional of 0.01 USDT.
      fc.pre(amount.units * price.units >= 10n ** 8n);
      const placed = await exchange.place('alice', order('buy', amount.literal, price.literal));
      expect(placed.text).toContain('"status":"open"');
      const expected = {
        amount: plain(amount.units, AMOUNT_DECIMALS),
        price: plain(price.units, PRICE_DECIMALS),
        remaining: plain(amount.units, AMOUNT_DECIMALS),
      };
      const id = placed.data.orderId;
      const listed = await exchange.send('alice', 'GET', '/api/orders?limit=1');
      const balances = await exchange.send('alice', 'GET', '/api/portfolio/balances');
      const canceled = await exchange.send('alice', 'DELETE', `/api/orders/${id}`);
      for (const { text } of [placed, listed, canceled]) {
        for (const [name, value] of Object.entries(expected)) expect(field(text, name)).toBe(value);
      }
      const held = plain(amount.units * price.units, USDT_DECIMALS);
      expect(field(balances.text, 'held')).toBe(held);
    }),
    RUNS,
  );
});

test('a number off the grid is rejected with the nearest one on it', async () => {
  await checkAsync(
    fc.asyncProperty(
      fc.bigInt(0n, MAX_AMOUNT),
      // Digits after the last decimal of the grid.
      fc.bigInt(1n, 10n ** 12n - 1n),
      fc.boolean(),
      async (units, excess, isPrice) => {
        const decimals = isPrice ? PRICE_DECIMALS : AMOUNT_DECIMALS;
        const max = isPrice ? MAX_PRICE : MAX_AMOUNT;
        const literal = plain(units * 10n ** 12n + excess, decimals + 12);
        fc.pre(literal.length <= 40);
        const text = isPrice ? order('buy', '1', literal) : order('sell', literal, '1000');
        const { digest } = exchange.state;
        const answer = await exchange.place('alice', text);
        expect(answer.code).toBe(isPrice ? 'INVALID_PRICE' : 'INVALID_AMOUNT');
        expect(exchange.state.digest).toBe(digest);
        const rounded = excess * 2n >= 10n ** 12n ? units + 1n : units;
        const nearest = rounded < 1n ? 1n : rounded > max ? max : rounded;
        expect(field(answer.text, 'nearest')).toBe(plain(nearest, decimals));
      },
    ),
    RUNS,
  );
});

test('the nearest number is accepted', async () => {
  for (const literal of ['0.000000001', '1.2345678949', '98765432.000000001', '1e-30', '1.5e-8']) {
    const refused = await exchange.place('alice', order('sell', literal, '900000000'));
    const nearest = field(refused.text, 'nearest');
    const taken = await exchange.place('alice', order('sell', nearest, '900000000'));
    expect(field(taken.text, 'amount')).toBe(nearest);
  }
});

test('INSUFFICIENT_BALANCE.required is exact at any size', async () => {
  const digits = (max: number) => fc.bigInt(1n, 10n ** BigInt(max));
  await checkAsync(
    fc.asyncProperty(digits(38), digits(38), fc.boolean(), async (amount, price, isBuy) => {
      const amountText = plain(amount, AMOUNT_DECIMALS);
      const priceText = plain(price, PRICE_DECIMALS);
      fc.pre(amountText.length <= 40 && priceText.length <= 40);
      const required = isBuy ? amount * price : amount * 10n ** 5n;
      // BTC has 13 decimals; bob has far less of either asset.
      fc.pre(required > 10n ** 20n);
      const side = isBuy ? 'buy' : 'sell';
      const answer = await exchange.place('bob', order(side, amountText, priceText));
      expect(answer.code).toBe('INSUFFICIENT_BALANCE');
      expect(field(answer.text, 'required')).toBe(plain(required, isBuy ? USDT_DECIMALS : 13));
      expect(field(answer.text, 'available')).toBe(isBuy ? '1000000' : '100');
    }),
    RUNS,
  );
});

const BALANCE = /"asset":"(\w+)","total":([\d.]+),"available":([\d.]+),"held":([\d.]+)/g;
const TOTALS = /"asset":"(\w+)",[^}]*"fees":([\d.]+),"external":-([\d.]+)/g;

test('after trades total = available + held, and only fees are missing', async () => {
  const own = await TestExchange.open();
  await enrich(own, 'alice');
  await enrich(own, 'bob');
  const trade = fc.record({
    name: fc.constantFrom('alice', 'bob'),
    side: fc.constantFrom('buy', 'sell'),
    amount: fc.bigInt(1000n, 10n ** 8n),
    price: fc.bigInt(9_999_990n, 10_000_010n),
  });
  await checkAsync(
    fc.asyncProperty(trade, async ({ name, side, amount, price }) => {
      const text = order(side, plain(amount, AMOUNT_DECIMALS), plain(price, PRICE_DECIMALS));
      expect((await own.place(name, text)).status).toBe(200);
    }),
    RUNS,
  );
  const sums = new Map<string, bigint>();
  for (const name of ['alice', 'bob']) {
    const { text } = await own.send(name, 'GET', '/api/portfolio/balances');
    for (const [, asset, total, available, held] of text.matchAll(BALANCE)) {
      const units = (decimal: string | undefined) => toUnits(decimal!, 13);
      expect(units(total)).toBe(units(available) + units(held));
      sums.set(asset!, (sums.get(asset!) ?? 0n) + units(total));
    }
  }
  const { text } = await own.send('operator', 'GET', '/api/admin/state');
  for (const [, asset, fees, external] of text.matchAll(TOTALS)) {
    expect(sums.get(asset!)! + toUnits(fees!, 13)).toBe(toUnits(external!, 13));
  }
  auditState(own.state);
  await own.close();
});
