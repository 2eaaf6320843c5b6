import type { Bug } from './bug.ts';

const stream = (file: string, test: string) => ({ file: `test/stream/${file}.test.ts`, test });

/** Messages to clients over WebSockets. */
export const streamBugs: readonly Bug[] = [
  {
    name: 'a private event goes to the other side of a trade',
    file: 'src/gateway/stream/account-feed.ts',
    text: 'if (event.takerAccount === index) this.noteFill(event, false);',
    becomes: 'this.noteFill(event, false);',
    catcher: stream('private', 'an account hears of its orders, fills and balances'),
  },
  {
    name: 'the maker of a trade gets no event',
    file: 'src/gateway/stream/account-feeds.ts',
    text: 'this.noteOf(event.makerAccount, event);',
    becomes: '',
    catcher: stream('private', 'an account hears of its orders, fills and balances'),
    isSilence: true,
  },
  {
    name: 'balances are reported before and not after a trade',
    file: 'src/gateway/stream/account-feed.ts',
    text: 'this.assets.add(base.index).add(quote.index);',
    becomes: 'this.assets.add(base.index);',
    catcher: stream('private', 'an account hears of its orders, fills and balances'),
  },
  {
    name: 'a revoked key keeps receiving events',
    file: 'src/gateway/stream/streams.ts',
    text: 'this.sessions.noteRevocations();',
    becomes: '',
    catcher: stream('private', 'a key that is revoked or expires closes its sockets'),
  },
  {
    name: 'an update of the book says that it follows on itself',
    file: 'src/gateway/stream/book-changes.ts',
    text: 'const text = isChanged ? this.text(sequence, this.touched) : undefined;',
    becomes: 'const text = isChanged ? this.text(sequence + 1, this.touched) : undefined;',
    catcher: stream('public', 'updates of the book make REST its book at every sequence'),
  },
  {
    name: 'a level that a cancel has emptied stays in the book of a reader',
    file: 'src/gateway/stream/topics.ts',
    text: 'this.touch(freed[at]!)?.book?.vacate(freed[at + 1] as Side, freed[at + 2]!);',
    becomes: '',
    catcher: stream('public', 'updates of the book make REST its book at every sequence'),
  },
  {
    name: 'the price of a pending stop is public',
    file: 'src/gateway/stream/topic.ts',
    text: 'if (slot === NONE || state.details.isPending(slot)) return;',
    becomes: 'if (slot === NONE) return;',
    catcher: stream('public', 'what does not rest is told to nobody'),
  },
  {
    name: 'a trade is missing from the public trades',
    file: 'src/gateway/stream/topic.ts',
    text: 'this.trades = [];\n    this.send(body);',
    becomes:
      'this.trades = this.trades.slice(0, 0);\n    if (this.trades.length > 0) this.send(body);',
    catcher: stream('public', 'trades carry public ids without a gap'),
    isSilence: true,
  },
  {
    name: 'a slow reader loses changes while it lags',
    file: 'src/gateway/stream/book-changes.ts',
    text: 'if (this.readers.size > 0) this.record();',
    becomes: '',
    catcher: stream('slow-readers', 'who is behind gets one update of what it missed'),
  },
  {
    name: 'a client that does not read stays connected permanently',
    file: 'src/gateway/stream/readers.ts',
    text: 'now - reading.stalledSinceMs >= MAX_STALL_MS',
    becomes: 'now - reading.stalledSinceMs < 0',
    catcher: stream('slow-readers', 'who does not read for ten seconds is disconnected'),
    isSilence: true,
  },
  {
    name: 'a backfill page skips a fill',
    file: 'src/gateway/stream/missed-events.ts',
    text: 'if (!isLast) afterId = page.at(-1)!.tradeId;\n    yield {\n      texts: page.map((fill)',
    becomes:
      'if (!isLast) afterId = items.at(-1)!.tradeId;\n    yield {\n      texts: page.map((fill)',
    catcher: stream('private', 'who comes back with its last sequence gets what it missed'),
    isSilence: true,
  },
  {
    name: 'a resuming client gets known events again',
    file: 'src/gateway/stream/missed-events.ts',
    text: 'for (let after = { endedIn: since, id: Number.MAX_SAFE_INTEGER }; ; ) {',
    becomes: 'for (let after = { endedIn: since - 1, id: Number.MAX_SAFE_INTEGER }; ; ) {',
    catcher: stream('private', 'who has heard that an order ended does not hear it again'),
  },
  {
    name: 'a subscription whose snapshot fails gets no events and cannot be repeated',
    file: 'src/gateway/stream/readers.ts',
    text: 'this.unsubscribe(socket, topic);',
    becomes: 'topic.gathering.delete(socket);',
    catcher: stream('failed-snapshot', 'a failed snapshot ends the subscription'),
  },
  {
    name: 'a failed snapshot does not say which subscription it ended',
    file: 'src/gateway/stream/readers.ts',
    text: 'const text = errorMessage(error, topic.head);',
    becomes: 'const text = errorMessage(error);',
    catcher: stream('failed-snapshot', 'a failed snapshot ends the subscription'),
  },
  {
    name: 'an error of a subscription that was left reaches the client',
    file: 'src/gateway/stream/readers.ts',
    text: 'if (!isThere()) return;\n        this.unsubscribe(socket, topic);',
    becomes: 'if (isThere()) this.unsubscribe(socket, topic);',
    catcher: stream('failed-snapshot', 'a failed snapshot of a subscription that was left'),
  },
  {
    name: 'every command visits the topics of every market',
    file: 'src/gateway/stream/topics.ts',
    text: 'for (const { all } of this.touched) {',
    becomes:
      'for (const topics of this.byMarket) if (topics !== undefined) this.touched.add(topics);\n    for (const { all } of this.touched) {',
    catcher: stream('untouched-markets', 'a command visits the topics of the markets'),
  },
  {
    name: 'the prices of a market whose book changed without a trade stay as they were',
    file: 'src/gateway/stream/topics.ts',
    text: 'if (topics !== undefined) this.touched.add(topics);',
    becomes: 'if (topics?.book !== undefined) this.touched.add(topics);',
    catcher: stream('untouched-markets', 'a change of the book alone reaches prices'),
    isSilence: true,
  },
];
