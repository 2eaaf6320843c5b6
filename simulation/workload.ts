import fc from 'fast-check';
import { type Command, CommandKind, type PlaceOrder } from '../src/engine/command.ts';
import { ENGINE_VERSION } from '../src/engine/exchange.ts';
import { MarketStatus, NONE } from '../src/engine/terms.ts';
import { searched } from '../test/reference/little-memory.ts';
import type { NaiveState } from '../test/reference/naive-state.ts';
import {
  type Move,
  move,
  PLACING,
  prologue,
  toCommand,
  UPGRADE,
  worldOf,
} from '../test/reference/scenario.ts';
import { commandAtEdge, jumpBeyondVolume } from './edges.ts';
import { below, type Random, stream } from './random.ts';

/** More moves are made when these are used up. */
const MOVES_AT_ONCE = 64;
const MAX_MARKETS = 5;
const MEND_CHANCE = 0.06;
const EDGE_CHANCE = 0.03;
/** Waits beyond it stand for a clock that jumps, not for time that passes. */
const LONGEST_WAIT_MS = 10;
/** An exchange that began with an older engine version is upgraded after so many requests. */
const UPGRADE_AFTER_REQUESTS = 100;

const world = worldOf(fc.constantFrom(2, 2, 3, 3, 4, 6, 10, 25, 50), MAX_MARKETS);

/** What somebody asks for next, and what became of the clock before it. */
export interface Request {
  readonly command: Command;
  readonly waitMs: number;
  /** How far the clock jumps, milliseconds; below zero back. */
  readonly jumpMs: number;
}

/** The traders and operators of a run: the same seed asks for the same in the same state. */
export class Workload {
  private moves: Move[] = [];
  private chunk = 0;
  private requests = 0;
  private readonly random: Random;
  private readonly past: Command[] = [];
  /** What was asked for and never answered, and will be asked for once more. */
  private readonly unanswered: Command[] = [];

  constructor(private readonly seed: number) {
    this.random = stream(seed, 'workload');
  }

  /** Assets, markets, accounts, keys and funds: what everything else needs. */
  beginning(): Command[] {
    const [chosen] = fc.sample(world, { seed: this.seed, numRuns: 1 });
    return prologue(chosen!);
  }

  /** @param time The latest that the exchange or the clock have come to, milliseconds since 1970. */
  next(state: NaiveState, time: number): Request {
    if (++this.requests > UPGRADE_AFTER_REQUESTS && state.version < ENGINE_VERSION) {
      return { command: UPGRADE, waitMs: 0, jumpMs: 0 };
    }
    const again = this.random() < 0.3 ? this.unanswered.shift() : undefined;
    if (again !== undefined) return { command: again, waitMs: 0, jumpMs: 0 };
    const mending = this.random() < MEND_CHANCE ? this.mend(state, time) : undefined;
    if (mending !== undefined) {
      return { command: searched(mending, state), waitMs: 0, jumpMs: 0 };
    }
    const edge = this.random() < EDGE_CHANCE ? commandAtEdge(state, time, this.random) : undefined;
    if (edge !== undefined) {
      const beyond = below(8, this.random) === 0 ? jumpBeyondVolume(state, time) : undefined;
      return { command: searched(edge, state), waitMs: 0, jumpMs: beyond ?? 0 };
    }
    for (;;) {
      const { what, wait, operator } = this.nextMove();
      const isJump = wait < 0 || wait > LONGEST_WAIT_MS;
      const [waitMs, jumpMs] = isJump ? [0, wait] : [wait, 0];
      const at = time + Math.max(0, wait);
      const command =
        what.kind === 'repeat'
          ? this.past.at(-1 - what.back)
          : toCommand(what, operator, at, state);
      if (command === undefined || this.isTooMuch(command)) continue;
      const wanted = searched(command, state);
      const likely = this.random() < 0.8 ? permitted(wanted, state) : wanted;
      if (PLACING.includes(likely.kind)) this.past.push(likely);
      return { command: likely, waitMs, jumpMs };
    }
  }

  /** Puts right what keeps many from trading: a freeze, a halt, an empty account. */
  private mend(state: NaiveState, time: number): Command | undefined {
    const operator = { account: 0, key: NONE };
    const frozen = state.accounts.find((account) => account.frozen);
    if (frozen !== undefined) {
      const kind = CommandKind.setAccountStatus;
      return { kind, ...operator, owner: frozen.index, frozen: false };
    }
    const closed = state.markets.find(
      ({ status }) => status !== MarketStatus.online && status !== MarketStatus.delisted,
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

  /** Nobody was told what became of it: half of those who asked ask again. */
  leaveUnanswered(command: Command): void {
    // The replica's own: nobody asked for it.
    if (command.kind === CommandKind.tick) return;
    if (below(2, this.random) === 0) this.unanswered.push(command);
  }

  /** Most of what ends trading is left out, so that something is left to trade. */
  private isTooMuch(command: Command): boolean {
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

/** The same by a key that may, where the account's first one may not any more: else little would trade. */
function permitted(command: Command, state: NaiveState): Command {
  if (command.kind === CommandKind.placeBracket) {
    return { ...command, order: permitted(command.order, state) as PlaceOrder };
  }
  if (!('key' in command) || command.key !== command.account) return command;
  const isInForce = state.keys[command.key]?.revokedAt === 0;
  return isInForce ? command : { ...command, key: NONE };
}
