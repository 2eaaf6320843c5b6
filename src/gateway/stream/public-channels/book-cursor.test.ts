import { expect, test } from 'bun:test';
import { ALICE, BOB, Fixture, limitOrder } from '../../../../test/fixture.ts';
import { CommandKind } from '../../../engine/command.ts';
import { OrderType, Side, TimeInForce } from '../../../engine/terms.ts';
import { isInBook } from './book-cursor.ts';

test('a leg that may match is not in the book before it runs', () => {
  const fixture = new Fixture({ collar: 100_000 });
  const order = { type: OrderType.limit, timeInForce: TimeInForce.gtc, price: 105 } as const;
  fixture.apply({
    kind: CommandKind.placeBracket,
    order: limitOrder(ALICE, Side.buy, 5, 100),
    attached: { takeProfit: null, stopLoss: null, oto: { side: Side.sell, amount: 5, order } },
  });
  const { state } = fixture.exchange;
  const shown = () =>
    fixture.events.flatMap((event) => (event.kind === 'order' ? isInBook(event, state) : []));
  expect(shown()).toEqual([true]);
  // Nothing is left of the portion, so that the leg runs in the next one.
  state.triggered.left = 0;
  fixture.sell(BOB, 5, 100);
  expect(shown()).toEqual([false, false, false]);
  fixture.wait(1);
  expect(shown()).toEqual([true]);
  expect(fixture.book()).toBe('| 5@105');
});
