import { type Command, CommandKind, SYSTEM_ACTOR } from '../engine/command.ts';
import { Exchange } from '../engine/exchange.ts';
import { findOwner } from '../engine/ledger/accounts.ts';
import { NONE, OrderStatus, oppositeSide, Side, TimeInForce } from '../engine/terms.ts';
import { below, type Random, seededRandom } from '../storage/seeded-random.ts';
import { type Alert, createDetectors, Surveillance } from '../surveillance/surveillance.ts';
import { GENESIS_COMMANDS, limitOrder } from './test-exchange.ts';

// Scenarios of market abuse, and of honest conduct that resembles it.

const DAY_MS = 86_400_000;
const MIDDLE = 1_000_000;
const NOON = Date.UTC(2026, 0, 1, 12);

/** Indexes of the accounts. */
export const [MAKER, TRADER, ABUSER, PARTNER, OTHER] = [1, 2, 3, 4, 5] as const;

export interface TimedCommand {
  readonly time: number;
  readonly command: Command;
}

/** A market with a maker and a trader, in which scenarios happen. Deterministic for a seed. */
export class AbuseWorld {
  readonly exchange = new Exchange();
  readonly commands: TimedCommand[] = [];
  readonly random: Random;
  time = NOON - DAY_MS;
  private middle = MIDDLE;
  private quotes: number[] = [];

  constructor(seed: number) {
    this.random = seededRandom(seed);
    for (const command of GENESIS_COMMANDS) this.apply(command);
    for (const owner of [ABUSER, PARTNER, OTHER]) {
      this.apply({
        kind: CommandKind.createAccount,
        ...SYSTEM_ACTOR,
        accountId: `trader-${owner}`,
        limitClass: 1,
      });
      for (const asset of [0, 1]) {
        this.apply({
          kind: CommandKind.transfer,
          ...SYSTEM_ACTOR,
          owner,
          asset,
          amount: 10n ** 17n,
          reference: `funds-${owner}-${asset}`,
          reason: 'test',
        });
      }
    }
  }

  /** Returns a whole number from `from` to `to`. */
  between(from: number, to: number): number {
    return from + below(to - from + 1, this.random);
  }

  wait(ms: number): void {
    this.time += ms;
  }

  /** Trades honestly until a time. */
  tradeUntil(time: number): void {
    while (this.time < time - 2000) {
      this.requote();
      if (this.random() < 0.4) {
        const side = this.random() < 0.5 ? Side.buy : Side.sell;
        const price = this.middle + (side === Side.buy ? 1000 : -1000);
        this.order(TRADER, side, price, this.between(1, 3000), TimeInForce.ioc);
      }
      this.wait(this.between(300, 1700));
    }
    for (const id of this.quotes.splice(0)) this.cancel(MAKER, id);
    this.time = time;
  }

  /** Places an order at a distance from the middle in ticks, and returns its id. */
  place(account: number, side: Side, distance: number, amount: number): number {
    return this.order(account, side, this.middle + distance, amount);
  }

  order(
    account: number,
    side: Side,
    price: number,
    amount: number,
    timeInForce: number = TimeInForce.gtc,
  ): number {
    const outcome = this.apply({
      ...limitOrder(account, side, price, amount),
      timeInForce,
    } as Command);
    if (outcome.kind !== 'order') throw new Error(`An order of a scenario was ${outcome.kind}.`);
    return outcome.order.id;
  }

  cancel(account: number, orderId: number): void {
    if (this.exchange.state.openOrder(orderId)?.status !== OrderStatus.open) return;
    this.apply({ kind: CommandKind.cancelOrder, account, key: NONE, orderId });
  }

  private requote(): void {
    for (const id of this.quotes.splice(0)) this.cancel(MAKER, id);
    this.middle += this.between(-5, 5);
    for (const distance of [100, 150, 200]) {
      for (const side of [Side.buy, Side.sell]) {
        const sign = side === Side.buy ? -1 : 1;
        this.quotes.push(this.place(MAKER, side, sign * distance, this.between(1000, 5000)));
      }
    }
  }

  private apply(command: Command) {
    this.commands.push({ time: this.time, command });
    return this.exchange.apply(command, this.time);
  }
}

/** Conduct in a world after some honest trading; `isAbuse` is false for conduct that only resembles it. */
export type Scenario = (world: AbuseWorld, isAbuse: boolean) => void;

export const SCENARIOS = {
  /** Honest: the same user always buys. */
  wash_trading: (world, isAbuse) => {
    world.tradeUntil(NOON + world.between(0, 300_000));
    const rounds = world.between(3, 6);
    for (let round = 0; round < 2 * rounds; round++) {
      const side = round % 2 === 0 || !isAbuse ? Side.buy : Side.sell;
      const amount = 5000 + world.between(0, 100);
      world.place(ABUSER, side, 0, amount);
      world.wait(world.between(0, 4000));
      world.place(PARTNER, oppositeSide(side), 0, amount);
      world.wait(world.between(0, 10_000));
    }
  },
  /** Honest: a maker that withdraws its quotes of both sides after a trade. */
  spoofing: (world, isAbuse) => {
    world.tradeUntil(NOON + world.between(0, 30_000));
    const shown = world.random() < 0.5 ? Side.buy : Side.sell;
    const away = shown === Side.buy ? -1 : 1;
    for (let round = 0; round < 3; round++) {
      world.place(ABUSER, oppositeSide(shown), -away * 10, 1000);
      const orders: number[] = [];
      for (let level = 1; level <= 3; level++) {
        orders.push(world.place(ABUSER, shown, away * (20 + level), world.between(5000, 20_000)));
        if (isAbuse) continue;
        orders.push(world.place(ABUSER, oppositeSide(shown), -away * (20 + level), 12_000));
      }
      world.wait(world.between(1, 2000));
      world.place(OTHER, shown, -away * 10, 1000);
      world.wait(world.between(0, 1900));
      for (const id of orders) world.cancel(ABUSER, id);
      world.wait(world.between(1, 2000));
    }
  },
  /** Honest: the same number of orders, of which some are filled. */
  quote_stuffing: (world, isAbuse) => {
    world.tradeUntil(NOON + world.between(0, 3000));
    for (let count = 0; count < 560; count++) {
      const id = world.place(ABUSER, Side.buy, -300, 1000);
      if (!isAbuse && count % 20 === 0) world.order(OTHER, Side.sell, MIDDLE / 2, 1000);
      world.wait(world.between(0, 10));
      world.cancel(ABUSER, id);
    }
  },
  /** Honest: the same orders at another time of the day. */
  marking_the_close: (world, isAbuse) => {
    const midnight = NOON + DAY_MS / 2;
    world.time = (isAbuse ? midnight : NOON) - 1_000_000;
    world.tradeUntil((isAbuse ? midnight : NOON) - world.between(150_000, 290_000));
    const sign = world.random() < 0.5 ? 1 : -1;
    const side = sign > 0 ? Side.buy : Side.sell;
    for (const percent of [0.3, 0.6, 0.9, 1.3]) {
      world.place(OTHER, oppositeSide(side), (sign * percent * MIDDLE) / 100, 100_000);
    }
    for (const percent of [0.3, 0.6, 0.9, 1.3]) {
      world.place(ABUSER, side, (sign * percent * MIDDLE) / 100, 100_000);
      world.wait(world.between(0, 5000));
    }
    world.wait(400_000);
  },
  /** Honest: the buyer keeps most of what was bought. */
  pump: (world, isAbuse) => {
    world.time = NOON - 300_000;
    world.tradeUntil(NOON + world.between(0, 60_000));
    for (let percent = 2; percent <= 14; percent += 2) {
      world.place(OTHER, Side.sell, (percent * MIDDLE) / 100, 30_000);
      world.wait(world.between(0, 60_000));
      world.place(ABUSER, Side.buy, (percent * MIDDLE) / 100, 30_000);
    }
    for (let percent = 13; percent >= 9; percent--) {
      world.place(PARTNER, Side.buy, (percent * MIDDLE) / 100, 30_000);
    }
    world.wait(world.between(0, 600_000));
    world.place(ABUSER, Side.sell, (9 * MIDDLE) / 100, isAbuse ? 140_000 : 40_000);
  },
} as const satisfies Record<string, Scenario>;

/** Plays a scenario. @returns Its commands. */
export function playScenario(
  name: keyof typeof SCENARIOS,
  seed: number,
  isAbuse: boolean,
): readonly TimedCommand[] {
  const world = new AbuseWorld(seed);
  world.time = NOON - 300_000;
  SCENARIOS[name](world, isAbuse);
  return world.commands;
}

/** Reads commands, each in a batch of its own, and returns the alerts. */
export function watch(commands: Iterable<TimedCommand>, names?: readonly string[]): Alert[] {
  const exchange = new Exchange();
  const alerts: Alert[] = [];
  const find = (account: number) => findOwner(exchange.state.accounts, account);
  const surveillance = new Surveillance(createDetectors(find, names), {
    onAlert: (alert) => alerts.push(alert),
    onFailure: (_, error) => {
      throw error;
    },
  });
  let sequence = 0;
  for (const { time, command } of commands) {
    exchange.apply(command, time);
    surveillance.read(
      { sequence: ++sequence, index: 0, time: exchange.state.time },
      exchange.events,
    );
  }
  surveillance.end();
  return alerts;
}
