import type { Bug } from './bug.ts';

/** Trailing stops and icebergs. */
export const trailingBugs: readonly Bug[] = [
  {
    name: 'the distance of a trailing stop rounds down, so that it triggers too early',
    file: 'src/engine/orders/triggers/trail.ts',
    text: 'Math.ceil((rest * basisPoints) / 10_000)',
    becomes: 'Math.floor((rest * basisPoints) / 10_000)',
    catcher: 'simulator',
  },
  {
    name: 'a trailing stop follows the price in both directions',
    file: 'src/engine/orders/triggers/trail-cohort.ts',
    text: 'if (this.lowestBest >= key) return false;',
    becomes: 'if (this.size === 0 || this.lowestBest === key || key === NO_KEY) return false;',
    catcher: 'simulator',
  },
  {
    name: 'a new best price leaves trailing stops with an older one behind',
    file: 'src/engine/orders/triggers/trail-cohort.ts',
    text: 'while (this.lowestBest <= key) {',
    becomes: 'while (groups.length > 2 && this.lowestBest < key) {',
    catcher: 'simulator',
  },
  {
    name: 'a trailing stop that waits for its activation never trails',
    file: 'src/engine/orders/triggers/trailing-side.ts',
    text: 'while (this.waiting !== null && this.waiting.key <= key) this.activate(price, hashes);',
    becomes:
      'while (this.waiting !== null && this.waiting.key < NO_KEY) this.activate(price, hashes);',
    catcher: 'simulator',
  },
  {
    name: 'trailing stops with an older best price are not triggered',
    file: 'src/engine/orders/triggers/trail-cohort.ts',
    text: 'return this.byTrigger === null ? NO_KEY : -this.byTrigger.key;',
    becomes: 'return this.byTrigger === null ? NO_KEY : -this.groups.at(-1)!.key;',
    catcher: {
      file: 'src/engine/orders/triggers/trailing-lives.test.ts',
      test: 'trailing stops do what the reference does at any prices',
    },
  },
  {
    name: 'trailing stops miss the best price between two prices that trigger orders',
    file: 'src/engine/orders/triggers/trailing-side.ts',
    text: 'this.oldest.raise(this.moves[0]?.high ?? this.high, hashes);',
    becomes: 'this.oldest.raise(NO_KEY, hashes);',
    catcher: {
      file: 'src/engine/orders/triggers/trailing-lives.test.ts',
      test: 'trailing stops that run in several portions do what the reference does',
    },
  },
  {
    name: 'a price triggers trailing stops placed after it while others still run',
    file: 'src/engine/orders/triggers/trailing-side.ts',
    text: 'return this.moves.at(-1)?.next ?? this.oldest;',
    becomes: 'return this.oldest;',
    catcher: {
      file: 'src/engine/orders/triggers/trailing-lives.test.ts',
      test: 'trailing stops that run in several portions do what the reference does',
    },
  },
  {
    name: 'a stop follows the prices from before it was placed, while others still run',
    file: 'src/engine/orders/triggers/trailing-side.ts',
    text: 'if (at > from) key = Math.max(key, move.high);',
    becomes: 'key = Math.max(key, move.high);',
    catcher: {
      file: 'src/engine/orders/triggers/trailing-lives.test.ts',
      test: 'does not follow an earlier price',
    },
  },
  {
    name: 'an amended trailing stop forgets the best price that it followed',
    file: 'src/engine/orders/amend-trailing.ts',
    text: 'const best = details.trail(slot).bestPrice || initialBest(side, terms, market);',
    becomes: 'const best = initialBest(side, terms, market);',
    catcher: 'simulator',
  },
  {
    name: 'an iceberg whose first part was filled shows all the rest',
    file: 'src/engine/orders/matching/icebergs.ts',
    text: 'const shown = Math.min(displayAmount, hidden);',
    becomes: 'const shown = hidden;',
    catcher: 'simulator',
  },
  {
    name: 'a snapshot forgets what an iceberg hides',
    file: 'src/engine/book/special-orders.ts',
    text: 'writer.number(hidden);',
    becomes: 'writer.number(0);',
    catcher: 'simulator',
  },
  {
    name: 'a fill-or-kill order does not count what icebergs hide',
    file: 'src/engine/orders/matching/matching.ts',
    text: 'if (hidden >= missing) return true;',
    becomes: 'if (hidden >= missing) return false;',
    catcher: 'simulator',
  },
  {
    name: 'the hold of an iceberg covers only what the book shows',
    file: 'src/engine/orders/matching/trading.ts',
    text: 'hold(state, this.takerAccount, taker.side, market, taker.price, remaining, takerId);',
    becomes:
      'hold(state, this.takerAccount, taker.side, market, taker.price, orders.remaining(slot), takerId);',
    catcher: 'simulator',
  },
  {
    name: 'followers of single orders take an attached order for one that they have',
    file: 'src/engine/orders/contingent/legs.ts',
    text: 'state.removedPending.push(market.index, orderIds[place]!);',
    becomes: 'state.removedPending.push(market.index, 0 * orderIds[place]!);',
    catcher: { file: 'test/stream/order-reader.test.ts', test: 'a book rebuilt from level3' },
  },
  {
    name: 'followers of single orders do not learn that an iceberg went to the end of the queue',
    file: 'src/engine/orders/matching/icebergs.ts',
    text: 'state.freed.push(market.index, side, price, details.id(slot));',
    becomes: 'state.noteBookChange(market);',
    catcher: { file: 'test/stream/order-reader.test.ts', test: 'a book rebuilt from level3' },
  },
  {
    name: 'a preview forgets the parts of icebergs that the book does not show',
    file: 'src/engine/orders/preview/previewed-taker.ts',
    text: 'if (this.hidden > 0) this.refills.push({ maker: this.maker, hidden: this.hidden });',
    becomes: 'this.refills.length = 0;',
    catcher: {
      file: 'src/engine/orders/preview/preview.test.ts',
      test: 'the preview of a random order equals what placing it does',
    },
  },
  {
    name: 'moved triggers are not sent to subscribers',
    file: 'src/gateway/stream/private-channels/account-feeds.ts',
    text: 'if (feed?.noteMovedTriggers()) this.noted.add(feed);',
    becomes: 'if (feed?.isEmpty) this.noted.add(feed);',
    catcher: { file: 'test/stream/private.test.ts', test: 'a trigger that moves several times' },
  },
  {
    name: 'a cached list of orders keeps the old trigger of a trailing stop',
    file: 'src/gateway/endpoints/endpoints.ts',
    text: "read('/api/orders', listOrders, byOrders),",
    becomes: "read('/api/orders', listOrders, byAccount),",
    catcher: { file: 'test/http/trailing-stops.test.ts', test: 'trades of other accounts' },
  },
];
