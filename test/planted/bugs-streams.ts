import type { Bug } from './bug.ts';

const stream = (file: string, test: string) => ({ file: `test/stream/${file}.test.ts`, test });

/** Bugs of the WebSocket streams. */
export const streamBugs: readonly Bug[] = [
  {
    name: 'a private event goes to the other side of a trade',
    file: 'src/gateway/stream/private-channels/account-feed.ts',
    text: 'if (event.takerAccount === index) this.noteFill(event, false);',
    becomes: 'this.noteFill(event, false);',
    catcher: stream('private', 'an account receives its orders, fills and balances'),
  },
  {
    name: 'the maker of a trade is not notified',
    file: 'src/gateway/stream/private-channels/account-feeds.ts',
    text: 'this.noteFor(event.makerAccount, event);',
    becomes: '',
    catcher: stream('private', 'an account receives its orders, fills and balances'),
    isSilence: true,
  },
  {
    name: 'the quote balance of a trade is not sent',
    file: 'src/gateway/stream/private-channels/account-feed.ts',
    text: 'this.assets.add(base.index).add(quote.index);',
    becomes: 'this.assets.add(base.index);',
    catcher: stream('private', 'an account receives its orders, fills and balances'),
  },
  {
    name: 'a revoked key keeps its streams',
    file: 'src/gateway/stream/streams.ts',
    text: 'this.credentials.noteRevocations();',
    becomes: '',
    catcher: stream('private', 'a key that is revoked or expires closes its sockets'),
  },
  {
    name: 'an update of the book has itself as the previous sequence',
    file: 'src/gateway/stream/public-channels/book-changes.ts',
    text: 'const text = isChanged ? this.text(sequence, this.touched) : undefined;',
    becomes: 'const text = isChanged ? this.text(sequence + 1, this.touched) : undefined;',
    catcher: stream('public', 'book updates match the book of REST at every sequence'),
  },
  {
    name: 'a level that a cancel has emptied stays in the books of readers',
    file: 'src/gateway/stream/public-channels/topics.ts',
    text: 'this.touch(freed[at]!)?.book?.noteFreed(freed[at + 1] as Side, freed[at + 2]!);',
    becomes: '',
    catcher: stream('public', 'book updates match the book of REST at every sequence'),
  },
  {
    name: 'the price of a pending stop is published',
    file: 'src/gateway/stream/public-channels/topic.ts',
    text: 'if (slot === NONE || state.details.isPending(slot)) return;',
    becomes: 'if (slot === NONE) return;',
    catcher: stream('public', 'prices of orders that do not rest are never published'),
  },
  {
    name: 'a trade is missing from the public trades',
    file: 'src/gateway/stream/public-channels/topic.ts',
    text: 'this.trades = [];\n    this.send(body);',
    becomes:
      'this.trades = this.trades.slice(0, 0);\n    if (this.trades.length > 0) this.send(body);',
    catcher: stream('public', 'trades carry public ids without a gap'),
    isSilence: true,
  },
  {
    name: 'a slow reader misses changes from when it was behind',
    file: 'src/gateway/stream/public-channels/book-changes.ts',
    text: 'if (this.readers.size > 0) this.record();',
    becomes: '',
    catcher: stream('slow-readers', 'a reader that is behind gets one merged update'),
  },
  {
    name: 'a client that does not read is never disconnected',
    file: 'src/gateway/stream/public-channels/readers.ts',
    text: 'now - readState.stalledSinceMs >= MAX_STALL_MS',
    becomes: 'now - readState.stalledSinceMs < 0',
    catcher: stream('slow-readers', 'a client that does not read for ten seconds is disconnected'),
    isSilence: true,
  },
  {
    name: 'a page of a backfill skips a fill',
    file: 'src/gateway/stream/replay/backfill-pages.ts',
    text: 'if (!isLast) afterId = page.at(-1)!.tradeId;\n    yield {\n      texts: page.map((fill)',
    becomes:
      'if (!isLast) afterId = items.at(-1)!.tradeId;\n    yield {\n      texts: page.map((fill)',
    catcher: stream('private', 'a resumed subscription gets exactly what it missed'),
    isSilence: true,
  },
  {
    name: 'a resumed subscription gets a batch twice',
    file: 'src/gateway/stream/replay/backfill-pages.ts',
    text: 'for (let after = { endedIn: since, id: Number.MAX_SAFE_INTEGER }; ; ) {',
    becomes: 'for (let after = { endedIn: since - 1, id: Number.MAX_SAFE_INTEGER }; ; ) {',
    catcher: stream('private', 'a resumed subscription does not get an ended order twice'),
  },
  {
    name: 'a subscription whose snapshot fails is neither live nor ended',
    file: 'src/gateway/stream/public-channels/readers.ts',
    text: 'this.unsubscribe(socket, topic);',
    becomes: 'topic.replayBuffers.delete(socket);',
    catcher: stream('failed-snapshot', 'a failed snapshot ends the subscription'),
  },
  {
    name: 'the error of a failed snapshot does not name its subscription',
    file: 'src/gateway/stream/public-channels/readers.ts',
    text: 'const text = errorMessage(error, topic.head);',
    becomes: 'const text = errorMessage(error);',
    catcher: stream('failed-snapshot', 'a failed snapshot ends the subscription'),
  },
  {
    name: 'an error of an ended subscription reaches the client',
    file: 'src/gateway/stream/public-channels/readers.ts',
    text: 'if (!isSubscribed()) return;\n        this.unsubscribe(socket, topic);',
    becomes: 'if (isSubscribed()) this.unsubscribe(socket, topic);',
    catcher: stream(
      'failed-snapshot',
      'a failed snapshot is not reported after the client unsubscribed',
    ),
  },
  {
    name: 'every command calls the topics of every market',
    file: 'src/gateway/stream/public-channels/topics.ts',
    text: 'for (const { all } of this.touched) {',
    becomes:
      'for (const topics of this.byMarket) if (topics !== undefined) this.touched.add(topics);\n    for (const { all } of this.touched) {',
    catcher: stream('untouched-markets', 'a command calls the topics of the markets'),
  },
  {
    name: 'prices are not updated when only the book changes',
    file: 'src/gateway/stream/public-channels/topics.ts',
    text: 'if (topics !== undefined) this.touched.add(topics);',
    becomes: 'if (topics?.book !== undefined) this.touched.add(topics);',
    catcher: stream('untouched-markets', 'a change of the book alone updates prices'),
    isSilence: true,
  },
];
