import type { Bug } from './bug.ts';

const AUCTIONS = 'src/engine/auction/auctions.test.ts';
const UNCROSSING = 'src/engine/auction/uncrossing.test.ts';
const REFERENCE = {
  file: 'src/engine/exchange.test.ts',
  test: 'the engine behaves like the reference model',
};

/** Auctions: price, allocation, holds, statuses and bands. */
export const auctionBugs: readonly Bug[] = [
  {
    name: 'of equally good auction prices the one furthest from the last price is taken',
    file: 'src/engine/auction/uncrossing.ts',
    text: 'return Math.abs(one.price - reference) < Math.abs(other.price - reference);',
    becomes: 'return Math.abs(one.price - reference) > Math.abs(other.price - reference);',
    catcher: { file: UNCROSSING, test: 'no price fills more' },
  },
  {
    name: 'the surplus does not decide the price of an auction',
    file: 'src/engine/auction/uncrossing.ts',
    text: 'if (surplus !== otherSurplus) return surplus < otherSurplus;',
    becomes: 'if (surplus === -1) return surplus < otherSurplus;',
    catcher: { file: UNCROSSING, test: 'no price fills more' },
  },
  {
    name: 'the price of an auction leaves out what icebergs hide',
    file: 'src/engine/auction/uncrossing.ts',
    text: 'total = sum(total, sum(book.levelTotal(level), book.levelHidden(level)));',
    becomes: 'total = sum(total, book.levelTotal(level));',
    catcher: REFERENCE,
  },
  {
    name: 'an auction fills only what icebergs show',
    file: 'src/engine/auction/auction-trades.ts',
    text: 'const quantity = Math.min(state.remaining(bid), state.remaining(ask));',
    becomes: 'const quantity = Math.min(orders.remaining(bid), orders.remaining(ask));',
    catcher: REFERENCE,
  },
  {
    name: 'an auction stops before the orders at its price',
    file: 'src/engine/auction/auction-trades.ts',
    text: 'if (orders.price(bid) < price || orders.price(ask) > price) return;',
    becomes: 'if (orders.price(bid) <= price || orders.price(ask) > price) return;',
    catcher: 'simulator',
  },
  {
    name: 'a buyer keeps the hold beyond the price of an auction',
    file: 'src/engine/auction/auction-trades.ts',
    text: 'if (limit > paidBelow) {',
    becomes: 'if (limit > paidBelow && buyer === taker) {',
    catcher: 'simulator',
  },
  {
    name: 'one side of an auction pays the taker fee',
    file: 'src/engine/auction/auction-trades.ts',
    text: 'Math.max(0, feeTiers.makerFee(takerAccount, market, time)),',
    becomes: 'Math.max(0, feeTiers.takerFee(takerAccount, market, time)),',
    catcher: { file: AUCTIONS, test: 'both orders of a trade pay the maker fee' },
  },
  {
    name: 'triggered stops run in the call phase of an auction',
    file: 'src/engine/orders/triggers/triggered-orders.ts',
    text: 'if (this.market(entry).status === MarketStatus.auction) continue;',
    becomes: 'if (this.market(entry).status === MarketStatus.delisted) continue;',
    catcher: {
      file: AUCTIONS,
      test: 'stops that were triggered before a halt run after the auction',
    },
  },
  {
    name: 'stops that wait for the end of an auction keep the exchange busy',
    file: 'src/engine/exchange.ts',
    text: '(triggered.size > 0 && triggered.isDue)',
    becomes: 'triggered.size > 0',
    catcher: {
      file: AUCTIONS,
      test: 'stops that were triggered before a halt run after the auction',
    },
  },
  {
    name: 'an operator who ends an auction leaves a crossed book',
    file: 'src/engine/auction/auction-endings.ts',
    text: 'if (MAY_BE_CROSSED.includes(status)) return;',
    becomes: 'if (status !== MarketStatus.online) return;',
    catcher: { file: AUCTIONS, test: 'end an auction by any status that trades' },
  },
  {
    name: 'delisting a market leaves its call phase',
    file: 'src/engine/auction/auctions.ts',
    text: 'this.remove(market.index);\n    setStatus(this.state, market, status);',
    becomes:
      'if (status !== MarketStatus.delisted) this.remove(market.index);\n    setStatus(this.state, market, status);',
    catcher: { file: AUCTIONS, test: 'delist a market in its call phase' },
  },
  {
    name: 'a trade on the far side of the bands halts nothing',
    file: 'src/engine/auction/bands.ts',
    text: 'return best !== undefined && best < lowest ? 0 : Math.min(limit, highest);',
    becomes: 'return Math.min(limit, highest);',
    catcher: { file: AUCTIONS, test: 'happens on the other side of the band too' },
  },
  {
    name: 'the static reference follows every trade of the day',
    file: 'src/engine/auction/auctions.ts',
    text: 'if (rules.staticBand === 0 || this.references.get(index)?.day === this.day) return;',
    becomes: 'if (rules.staticBand === 0) return;',
    catcher: 'simulator',
  },
  {
    name: 'a fill-or-kill order halts a market',
    file: 'src/engine/orders/endings/endings.ts',
    text: 'if (best === undefined || timeInForce === TimeInForce.fok) return false;',
    becomes: 'if (best === undefined) return false;',
    catcher: { file: AUCTIONS, test: 'is not caused by a fill-or-kill order' },
  },
  {
    name: 'a call phase is extended permanently',
    file: 'src/engine/auction/auction-endings.ts',
    text: 'call.cause === AuctionCause.volatility && !call.isExtended;',
    becomes: 'call.cause === AuctionCause.volatility;',
    catcher: { file: AUCTIONS, test: 'is extended once' },
  },
  {
    name: 'a snapshot forgets the call phases of auctions',
    file: 'src/engine/auction/auctions.ts',
    text: 'const calls = [...this.calls.values()].sort((a, b) => a.market - b.market);',
    becomes: 'const calls: AuctionCall[] = [];',
    catcher: { file: AUCTIONS, test: 'a snapshot of a crossed book continues' },
  },
];
