import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Command } from '../../src/engine/command.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { NONE, oppositeSide, Side } from '../../src/engine/terms.ts';
import { BookChanges } from '../../src/gateway/stream/public-channels/book-changes.ts';
import { BookReader, PART_LEVELS } from '../../src/gateway/stream/public-channels/book-reader.ts';
import { sandboxGenesis } from '../../src/sandbox/sandbox.ts';
import { CHECK_TIMEOUT_MS, check } from '../check.ts';
import { LocalBook } from './client.ts';
import { Flow } from './flow.ts';

const FIRST_ACCOUNT = 3;
const ACCOUNTS = 4;

/** An engine that feeds its changes of BTC/USDT to one BookChanges. */
class World {
  readonly exchange = new Exchange();
  readonly changes: BookChanges;

  constructor() {
    for (const command of sandboxGenesis()) this.exchange.apply(command, 1);
    this.changes = new BookChanges(this.market, this.market.bookSequence);
  }

  get market() {
    return this.exchange.state.markets[0]!;
  }

  apply(commands: readonly Command[]): void {
    for (const command of commands) {
      this.exchange.apply(command, 1);
      for (const event of this.exchange.events) {
        if (event.kind === 'order') this.changes.touch(event.side, event.price);
        else if (event.kind === 'trade') {
          this.changes.touch(oppositeSide(event.takerSide), event.price);
        }
      }
    }
    this.changes.take();
  }

  /** Returns this many of the best levels. */
  book({ bids, asks }: { bids: number; asks: number }) {
    const { book, bookSequence } = this.market;
    const levels = (side: Side, count: number) => {
      const found: [number, number][] = [];
      let level = book.bestLevel(side);
      for (; level !== NONE && found.length < count; level = book.nextLevel(level)) {
        found.push([book.levelPrice(level) / 1e2, Number(book.levelTotal(level)) / 1e8]);
      }
      return found;
    };
    return { bids: levels(Side.buy, bids), asks: levels(Side.sell, asks), sequence: bookSequence };
  }
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('near' as const),
      count: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('fill' as const, 'clear' as const),
      count: fc.nat(ACCOUNTS - 1),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('read' as const), count: fc.nat(2) }) },
);

test(
  'after every message a reader has the best levels of the book, and at the end all of them',
  () => {
    const property = fc.property(
      fc.integer(),
      fc.array(step, { minLength: 10, maxLength: 60 }),
      (seed, steps) => {
        const world = new World();
        const flow = new Flow(seed);
        for (let number = 0; number < ACCOUNTS; number++) {
          world.apply(flow.openAccount(FIRST_ACCOUNT + number));
          world.apply(flow.levels(FIRST_ACCOUNT + number, number * 700));
        }
        const readers = [0, 1, 2].map((place) => {
          const reader = { reader: new BookReader(world.changes, false), book: new LocalBook() };
          for (let part = 0; part < place; part++) read(world, reader);
          return reader;
        });
        for (const { kind, count } of steps) {
          const account = FIRST_ACCOUNT + count;
          if (kind === 'near') {
            world.apply(Array.from({ length: count }, () => flow.near(1 + flow.below(2))));
          } else if (kind === 'clear') world.apply([flow.clear(account)]);
          else if (kind === 'fill') world.apply(flow.levels(account, flow.below(2000), 2));
          else read(world, readers[count]!);
        }
        for (const reader of readers) {
          while (!reader.reader.isCaughtUp) read(world, reader);
          const sizes = { bids: Infinity, asks: Infinity };
          expect(reader.book.difference(world.book(sizes))).toBeUndefined();
          expect(reader.book.isComplete).toBe(true);
          reader.reader.close();
        }
      },
    );
    check(property, 10);
  },
  CHECK_TIMEOUT_MS,
);

function read(world: World, { reader, book }: { reader: BookReader; book: LocalBook }): void {
  const message = reader.next();
  if (message === undefined) return;
  const content = JSON.parse(`{${message.body}}`);
  book.take({ op: message.kind, ...content });
  const sizes = book.sizes();
  expect(book.difference(world.book(sizes))).toBeUndefined();
  if (message.kind === 'snapshot') expect(sizes.bids).toBeLessThanOrEqual(PART_LEVELS);
}
