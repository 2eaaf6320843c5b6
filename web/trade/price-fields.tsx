import { useSignal } from '@preact/signals';
import Big from 'big.js';
import { GroupedNumberField } from '../components/grouped-number-field.tsx';
import { localNumber, plainNumber } from '../components/typed-number.ts';
import { decimal, divide, toGrid } from '../decimal.ts';
import { t } from '../i18n/index.ts';
import { book, bookFrame } from './feed.ts';
import { lastPrice, market, nearestTick, priceDecimals, symbol } from './markets.ts';
import { draft, edit, parsedDraft, touch } from './order-draft.ts';

/** Buttons that put the best bid, the middle or the last price into the price field. */
export function PriceButtons() {
  const pick = (price: string | undefined) => {
    if (price !== undefined) edit({ price: plainPrice(price) });
  };
  return (
    <span class="price-buttons">
      <button type="button" class="link-button" onClick={() => pick(book.bids[0]?.[0])}>
        {t('Bid')}
      </button>
      <button type="button" class="link-button" onClick={() => pick(middle())}>
        {t('Mid')}
      </button>
      <button type="button" class="link-button" onClick={() => pick(book.asks[0]?.[0])}>
        {t('Ask')}
      </button>
      <button type="button" class="link-button" onClick={() => pick(lastPrice.peek())}>
        {t('Last')}
      </button>
    </span>
  );
}

/** Returns a price with the decimals of the market, as the form has it. */
export function plainPrice(price: string): string {
  return new Big(price).toFixed(priceDecimals.peek(), Big.roundHalfUp);
}

/** Returns the tick nearest to the middle of the best bid and ask. */
function middle(): string | undefined {
  void bookFrame.peek();
  const [bid, ask] = [book.bids[0]?.[0], book.asks[0]?.[0]];
  if (bid === undefined || ask === undefined) return bid ?? ask;
  return nearestTick((Number(bid) + Number(ask)) / 2, symbol.peek());
}

/** The value of an order in the quote asset: it follows the amount, and sets the amount when the user types it. */
export function TotalField({ quote }: { quote: string }) {
  const typed = useSignal<Readonly<Record<'text' | 'amount' | 'price', string>> | undefined>(
    undefined,
  );
  const now = parsedDraft.value;
  const price = decimal(now.price);
  const amount = decimal(now.amount);
  const isTyped =
    typed.value?.amount === draft.value.amount && typed.value.price === draft.value.price;
  const exact = price === undefined || amount === undefined ? undefined : price.times(amount);
  const onInput = (text: string) => {
    const total = decimal(plainNumber(text));
    const step = market.value?.stepSize;
    if (total === undefined || price === undefined || price.lte(0) || step === undefined) {
      typed.value = { text, amount: draft.value.amount, price: draft.value.price };
      return;
    }
    const wanted = toGrid(divide(total, price, 18, Big.roundDown), new Big(step), Big.roundDown);
    const next = wanted.eq(0) ? '' : wanted.toFixed();
    edit({ amount: next });
    typed.value = { text, amount: draft.peek().amount, price: draft.peek().price };
  };
  return (
    <GroupedNumberField
      label={t('Total')}
      unit={quote}
      value={isTyped ? typed.value!.text : exact === undefined ? '' : localNumber(exact.toFixed())}
      input={{ name: 'total', maxLength: 40, onBlur: () => touch('amount') }}
      onInput={onInput}
    />
  );
}
