import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../test/check.ts';
import { ALICE, limitOrder } from '../../../test/fixture.ts';
import { CommandKind, type PlaceBracket, type PlaceOco, type PlaceOrder } from '../command.ts';
import { exact } from '../numbers/exact.ts';
import { NONE, Side } from '../terms.ts';
import { fingerprintBracket, fingerprintOco, fingerprintOrder } from './order-terms.ts';

const units = fc.maxSafeNat();
const price = fc.record({ price: units, triggerPrice: units });
const orders = fc.record({
  market: fc.nat(1_000),
  side: fc.constantFrom(Side.buy, Side.sell),
  type: fc.nat(5),
  timeInForce: fc.nat(3),
  postOnly: fc.boolean(),
  selfTradePrevention: fc.nat(3),
  price: units,
  amount: units,
  expiresAt: units,
  cost: fc.bigInt({ min: 0n, max: 10n ** 30n }).map(exact),
});
const order = orders.map((terms): PlaceOrder => ({ ...limitOrder(ALICE, 0, 0, 0), ...terms }));

/** Expects another fingerprint if any term changes. Actor and client order id do not count. */
function expectDistinct<T extends object>(
  commands: fc.Arbitrary<T>,
  terms: readonly (keyof T)[],
  fingerprint: (command: T) => number,
): void {
  const property = fc.property(commands, commands, (one, other) => {
    for (const term of terms) {
      if (Bun.deepEquals(one[term], other[term])) continue;
      expect(fingerprint({ ...one, [term]: other[term] })).not.toBe(fingerprint(one));
    }
    const again = { ...one, account: 7, key: 8, clientOrderId: 'again' };
    expect(fingerprint(again)).toBe(fingerprint(one));
  });
  check(property, 200);
}

test('the fingerprint of an order covers every term', () => {
  const terms = ['market', 'side', 'type', 'timeInForce', 'postOnly'] as const;
  const rest = ['selfTradePrevention', 'price', 'amount', 'expiresAt', 'cost'] as const;
  expectDistinct(order, [...terms, ...rest], fingerprintOrder);
});

test('the fingerprint of a stop covers every term', () => {
  const { placeStopOrder: kind } = CommandKind;
  const stop = fc
    .tuple(order, units)
    .map(([order, triggerPrice]) => ({ ...order, kind, triggerPrice }));
  expectDistinct(
    stop,
    ['market', 'side', 'type', 'price', 'amount', 'triggerPrice'],
    fingerprintOrder,
  );
});

test('the fingerprint of an OCO order covers every term', () => {
  const pair = fc.tuple(orders, price, price).map(([terms, takeProfit, stopLoss]): PlaceOco => {
    const { market, side, amount, expiresAt, selfTradePrevention } = terms;
    return {
      kind: CommandKind.placeOco,
      account: ALICE,
      key: NONE,
      clientOrderId: null,
      market,
      side,
      amount,
      expiresAt,
      selfTradePrevention,
      takeProfit,
      stopLoss,
    };
  });
  const terms = ['market', 'side', 'amount', 'expiresAt', 'selfTradePrevention'] as const;
  expectDistinct(pair, [...terms, 'takeProfit', 'stopLoss'], fingerprintOco);
});

test('the fingerprint of a bracket order covers every term', () => {
  const leg = fc.option(price, { nil: null });
  const attached = fc.record({ takeProfit: leg, stopLoss: leg });
  const placing = fc.record({ order, attached }).map(({ order, attached }): PlaceBracket => {
    return { kind: CommandKind.placeBracket, order, attached };
  });
  expectDistinct(placing, ['order', 'attached'], fingerprintBracket);
  const property = fc.property(placing, price, ({ order, ...command }, stopLoss) => {
    const of = (attached: PlaceBracket['attached']) =>
      fingerprintBracket({ ...command, order, attached });
    const other = { ...stopLoss, triggerPrice: stopLoss.triggerPrice + 1 };
    expect(of({ takeProfit: null, stopLoss })).not.toBe(
      of({ takeProfit: stopLoss, stopLoss: null }),
    );
    expect(of({ takeProfit: null, stopLoss })).not.toBe(of({ takeProfit: null, stopLoss: other }));
    expect(of({ takeProfit: null, stopLoss })).not.toBe(fingerprintOrder(order));
  });
  check(property, 200);
});
