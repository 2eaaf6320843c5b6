/**
 * npm run bench:queue [-- --questions N]
 *
 * Measures the amount ahead of an order in levels of 10 to 1,000,000 orders. Each question is for another order of the
 * level, while orders of the level are filled, canceled and placed between the questions. `firstMs` is the time until
 * the first question about the middle of the queue is answered, which builds the queue in portions, and `portionMs` the
 * longest of these, in processor time; `questionUs` every other question, and `changeUs` what a change of the level costs more while questions
 * are asked. `walkUs` is what a count of the queue from its start would take. Prints one JSON line.
 */
import { parseArgs } from 'node:util';
import { type Command, CommandKind } from '../src/engine/command.ts';
import { Exchange } from '../src/engine/exchange.ts';
import { NONE, Side } from '../src/engine/terms.ts';
import { QueuePositions } from '../src/gateway/orders/queue-positions.ts';
import { GENESIS_COMMANDS, limitOrder } from '../src/testing/test-exchange.ts';

const { values } = parseArgs({ options: { questions: { type: 'string', default: '20000' } } });
const questions = Number(values.questions);
const PRICE = 11_000_000;
const ORDERS_PER_ACCOUNT = 2000;
const FIRST_ACCOUNT = 3;

/** An exchange with one level of `count` orders, of many accounts. */
class Level {
  readonly exchange = new Exchange();
  readonly positions = new QueuePositions(() => this.exchange);
  private next = 1;

  constructor(readonly count: number) {
    for (const command of GENESIS_COMMANDS) this.exchange.apply(command, 1);
    for (let first = 0, account = FIRST_ACCOUNT; first < count; first += ORDERS_PER_ACCOUNT) {
      this.open(account++);
      const orders = Math.min(ORDERS_PER_ACCOUNT, count - first);
      for (let order = 0; order < orders; order++) this.place(account - 1);
    }
    this.open(this.spare);
  }

  private get spare(): number {
    return FIRST_ACCOUNT + Math.ceil(this.count / ORDERS_PER_ACCOUNT);
  }

  private open(account: number): void {
    const actor = { account: 0, key: NONE };
    this.apply({
      kind: CommandKind.createAccount,
      ...actor,
      accountId: `a${account}`,
      limitClass: 1,
    });
    const transfer = { kind: CommandKind.transfer, ...actor, owner: account, reason: '' } as const;
    this.apply({ ...transfer, asset: 0, amount: 10n ** 17n, reference: `r${account}` });
  }

  private place(account: number): void {
    this.apply(limitOrder(account, Side.buy, PRICE, 10_000));
  }

  apply(command: Command): void {
    const outcome = this.exchange.apply(command, 1);
    if (outcome.kind === 'rejected') throw new Error(`a command was rejected: ${outcome.code}`);
    this.positions.note(this.exchange.events);
  }

  /** Fills the first order and places another one. */
  change(): void {
    this.apply(limitOrder(1, Side.sell, PRICE, 10_000));
    const { state } = this.exchange;
    const account = state.accounts[this.spare]!;
    if (account.openOrders < ORDERS_PER_ACCOUNT) this.place(this.spare);
  }

  /** Asks for the order in the middle, which no one has asked about. @returns Milliseconds. */
  async askFirst(): Promise<{ firstMs: number; portionMs: number }> {
    const middle = this.exchange.state.nextOrderId - (this.count >> 1);
    const start = performance.now();
    let portionMs = 0;
    let isReady = false;
    let turnAt = process.cpuUsage();
    const endTurn = () => {
      const { user, system } = process.cpuUsage(turnAt);
      portionMs = Math.max(portionMs, (user + system) / 1000);
      turnAt = process.cpuUsage();
    };
    const ready = this.positions.prepare([middle])?.then(() => {
      isReady = true;
    });
    while (ready !== undefined && !isReady) {
      await new Promise((resolve) => setImmediate(resolve));
      endTurn();
    }
    this.positions.ahead(middle);
    endTurn();
    return { firstMs: performance.now() - start, portionMs };
  }

  /** Returns the id of a resting order, another one each time. */
  pick(): number {
    const { state } = this.exchange;
    for (;;) {
      this.next = (this.next * 48_271) % 2_147_483_647;
      const id = 1 + (this.next % (state.nextOrderId - 1));
      if (state.index.find(id) !== NONE) return id;
    }
  }

  walk(): number {
    const { state } = this.exchange;
    const { book } = state.markets[0]!;
    let total = 0;
    let slot = book.firstOrder(book.bestLevel(Side.buy));
    for (; slot !== NONE; slot = book.nextOrder(slot)) total += state.orders.remaining(slot);
    return total;
  }
}

function timeUs(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) * 1000;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const CHANGES = 64;
const results: object[] = [];
for (const orders of [10, 100, 1000, 10_000, 100_000, 1_000_000]) {
  const level = new Level(orders);
  const changes = (count: number) =>
    timeUs(() => {
      for (let change = 0; change < count; change++) level.change();
    });
  // Enough orders stay in the level.
  const perRound = Math.min(CHANGES, orders >> 2);
  const quiet = Array.from({ length: 9 }, () => changes(perRound) / perRound);
  const { firstMs, portionMs } = await level.askFirst();
  const asked: number[] = [];
  const watched: number[] = [];
  const rounds = Math.max(9, Math.ceil(questions / 100));
  for (let round = 0; round < Math.min(rounds, 200); round++) {
    if (round < 9) watched.push(changes(perRound) / perRound);
    else level.change();
    level.positions.ahead(level.exchange.state.nextOrderId - (orders >> 1));
    const ids = Array.from({ length: 100 }, () => level.pick());
    asked.push(
      timeUs(() => {
        for (const id of ids) level.positions.ahead(id);
      }) / ids.length,
    );
  }
  results.push({
    orders,
    firstMs: round(firstMs),
    portionMs: round(portionMs),
    questionUs: round(median(asked)),
    changeUs: round(median(watched) - median(quiet)),
    walkUs: round(timeUs(() => level.walk())),
  });
}
console.log(JSON.stringify({ levels: results }));
