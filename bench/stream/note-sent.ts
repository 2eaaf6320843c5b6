import { isMainThread } from 'node:worker_threads';
import type { Services } from '../../src/gateway/services.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { SentTimes } from './clock.ts';

/**
 * Preloaded into an exchange (bun --preload): records when each change of the first market's book is
 * ready to be sent, which is once its batch is durable and its command applied.
 */
if (isMainThread) {
  const times = new SentTimes(process.env.BENCH_SENT!);
  const { note } = Streams.prototype;
  let noted = 0;
  Streams.prototype.note = function (events) {
    const { replica } = (this as unknown as { services: Services }).services;
    const [market] = replica.exchange.state.markets;
    if (market !== undefined && market.bookSequence !== noted) {
      noted = market.bookSequence;
      times.note(noted);
    }
    note.call(this, events);
  };
}
