import fc from 'fast-check';
import {
  type Command,
  CommandKind,
  type ExecuteBy,
  type PlaceOrder,
  type PlacingCommand,
} from '../src/engine/command.ts';
import { ENGINE_VERSION } from '../src/engine/exchange.ts';
import { MarketStatus, NONE } from '../src/engine/terms.ts';
import { searched } from '../test/reference/little-memory.ts';
import type { NaiveState } from '../test/reference/naive-state.ts';
import {
  arbitraryWorld,
  type Move,
  move,
  PLACING,
  prologue,
  toCommand,
  UPGRADE,
} from '../test/reference/scenario.ts';
import { makeBurst } from './bursts.ts';
import { commandAtEdge, jumpBeyondVolume } from './edges.ts';
import { below, type Random, stream } from './random.ts';

/** Statuses from which a market does not return to continuous trading by itself. */
const CLOSED: readonly number[] = [
  MarketStatus.postOnly,
  MarketStatus.limitOnly,
  MarketStatus.cancelOnly,
  MarketStatus.halted,
];

/** Moves generated at a time. */
const MOVES_AT_ONCE = 64;
const MAX_MARKETS = 5;
const UNBLOCK_CHANCE = 0.06;
const EDGE_CHANCE = 0.03;
/** Longer waits of a move are clock jumps. */
const MAX_WAIT_MS = 10;
/** The number of requests from one burst to the next. */
const BURST_EVERY_REQUESTS = 50;
/** The number of requests after which an exchange with an older engine version is upgraded. */
const UPGRADE_AFTER_REQUESTS = 100;

const world = arbitraryWorld(fc.constantFrom(2, 2, 3, 3, 4, 6, 10, 25, 50), MAX_MARKETS);

/** The next command, and the time that passes around it. */
export interface Request {
  readonly command: Command;
  readonly waitMs: number;
  /** The clock jump before it, milliseconds; negative for a jump back. */
  readonly jumpMs: number;
}

/** The traders and operators of a run. The same seed sends the same commands in the same state. */
export class Workload {
  private moves: Move[] = [];
  private chunk = 0;
  private requests = 0;
  private readonly random: Random;
  private readonly past: Command[] = [];
  /** Commands that got no answer and will be sent again. */
  private readonly unanswered: Command[] = [];

  /** The rest of a burst. */
  private burst: Command[] = [];
  private bursts = 0;
  /** Separate random numbers, so that bursts do not shift the choices of other requests. */
  private readonly burstRandom: Random;

  /** @param hasBursts Whether commands that belong together are among the requests. */
  constructor(
    private readonly seed: number,
    private readonly hasBursts: boolean,
  ) {
    this.random = stream(seed, 'workload');
    this.burstRandom = stream(seed, 'bursts');
  }

  /** Returns the commands that create assets, markets, accounts, keys and funds. */
  beginning(): Command[] {
    const [chosen] = fc.sample(world, { seed: this.seed, numRuns: 1 });
    return prologue(chosen!);
  }

  /** Returns the next request. @param time The later of the exchange's time and the clock, milliseconds since 1970. */
  next(state: NaiveState, time: number): Request {
    if (++this.requests > UPGRADE_AFTER_REQUESTS && state.version < ENGINE_VERSION) {
      return { command: UPGRADE, waitMs: 0, jumpMs: 0 };
    }
    const together = this.nextOfBurst(state, time);
    if (together !== undefined) {
      return { command: searched(together, state), waitMs: 0, jumpMs: 0 };
    }
    const again = this.random() < 0.3 ? this.unanswered.shift() : undefined;
    if (again !== undefined) return { command: again, waitMs: 0, jumpMs: 0 };
    const unblocking = this.random() < UNBLOCK_CHANCE ? this.unblock(state, time) : undefined;
    if (unblocking !== undefined) {
      return { command: searched(unblocking, state), waitMs: 0, jumpMs: 0 };
    }
    const edge = this.random() < EDGE_CHANCE ? commandAtEdge(state, time, this.random) : undefined;
    if (edge !== undefined) {
      const beyond = below(8, this.random) === 0 ? jumpBeyondVolume(state, time) : undefined;
      return { command: searched(edge, state), waitMs: 0, jumpMs: beyond ?? 0 };
    }
    for (;;) {
      const { what, wait, operator } = this.nextMove();
      const isJump = wait < 0 || wait > MAX_WAIT_MS;
      const [waitMs, jumpMs] = isJump ? [0, wait] : [wait, 0];
      const at = time + Math.max(0, wait);
      const command =
        what.kind === 'repeat'
          ? this.past.at(-1 - what.back)
          : toCommand(what, operator, at, state);
      if (command === undefined || this.shouldDrop(command)) continue;
      const wanted = searched(command, state);
      const likely = this.random() < 0.8 ? permitted(wanted, state) : wanted;
      if (PLACING.includes(likely.kind)) this.past.push(likely);
      return { command: likely, waitMs, jumpMs };
    }
  }

  /** Returns the next command of a burst, if one has begun or begins. */
  private nextOfBurst(state: NaiveState, time: number): Command | undefined {
    if (this.hasBursts && this.requests % BURST_EVERY_REQUESTS === 0) {
      this.burst = makeBurst(this.bursts++, state, time, this.burstRandom);
    }
    return this.burst.shift();
  }

  /** Returns a command that removes an obstacle to trading: a frozen account, a closed market, an empty account. */
  private unblock(state: NaiveState, time: number): Command | undefined {
    const operator = { account: 0, key: NONE };
    const frozen = state.accounts.find((account) => account.frozen);
    if (frozen !== undefined) {
      const kind = CommandKind.setAccountStatus;
      return { kind, ...operator, owner: frozen.index, frozen: false };
    }
    if (state.killSwitch.status !== MarketStatus.online) {
      const kind = CommandKind.setTradingStatus;
      const terms = { status: MarketStatus.online, reason: 'over', cancelOrders: false };
      return { kind, ...operator, ...terms };
    }
    const [limited] = state.tradingLimits.keys();
    if (limited !== undefined && below(4, this.random) === 0) {
      return { kind: CommandKind.setTradingLimits, ...operator, owner: limited, limits: null };
    }
    const [maintenance] = state.maintenance;
    if (maintenance !== undefined) {
      return { kind: CommandKind.cancelMaintenance, ...operator, from: maintenance.from };
    }
    const closed = state.markets.find(
      // An auction usually ends by itself.
      ({ status }) =>
        CLOSED.includes(status) ||
        (status === MarketStatus.auction && below(20, this.random) === 0),
    );
    if (closed !== undefined) {
      const kind = CommandKind.setMarketStatus;
      return { kind, ...operator, market: closed.index, status: MarketStatus.online };
    }
    const owner = 1 + below(state.accounts.length - 1, this.random);
    const asset = below(3, this.random);
    if (state.available(owner, asset) > 0n) return undefined;
    const what = { kind: 'transfer', owner, asset, orders: 30, reference: null } as const;
    return toCommand(what, true, time, state);
  }

  /** Records a command whose client got no answer: half of them are sent again. */
  leaveUnanswered(command: Command): void {
    // The replica itself submits ticks.
    if (command.kind === CommandKind.tick) return;
    if (below(2, this.random) === 0) this.unanswered.push(command);
  }

  /** Whether to drop a command that ends trading: most are dropped, so that trading continues. */
  private shouldDrop(command: Command): boolean {
    if (command.kind === CommandKind.delistMarket) return below(12, this.random) > 0;
    const freezes = command.kind === CommandKind.setAccountStatus && command.frozen;
    return freezes && below(4, this.random) > 0;
  }

  private nextMove(): Move {
    if (this.moves.length === 0) {
      const seed = Number(Bun.hash.wyhash(`${this.seed} moves ${this.chunk++}`) & 0x7fff_ffffn);
      this.moves = fc.sample(move, { seed, numRuns: MOVES_AT_ONCE }).reverse();
    }
    return this.moves.pop()!;
  }
}

/** Replaces the account's first key if it is revoked: otherwise little would trade. */
function permitted(command: Command, state: NaiveState): Command {
  if (command.kind === CommandKind.placeBracket) {
    return { ...command, order: permitted(command.order, state) as PlaceOrder };
  }
  if (command.kind === CommandKind.executeBy) {
    return { ...command, command: permitted(command.command, state) as ExecuteBy['command'] };
  }
  if (command.kind === CommandKind.placeOnConnection) {
    return { ...command, command: permitted(command.command, state) as PlacingCommand };
  }
  if (!('key' in command) || command.key !== command.account) return command;
  const isInForce = state.keys[command.key]?.revokedAt === 0;
  return isInForce ? command : { ...command, key: NONE };
}
