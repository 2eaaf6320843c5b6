import fc from 'fast-check';
import { type Command, CommandKind } from '../src/engine/command.ts';
import type { NaiveState } from '../test/reference/naive-state.ts';
import {
  type Move,
  move,
  PLACING,
  prologue,
  toCommand,
  worldOf,
} from '../test/reference/scenario.ts';
import { below, type Random, stream } from './random.ts';

/** More moves are made when these are used up. */
const MOVES_AT_ONCE = 64;
const MAX_MARKETS = 5;
/** Waits beyond it stand for a clock that jumps, not for time that passes. */
const LONGEST_WAIT_MS = 10;

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
    const again = this.random() < 0.3 ? this.unanswered.shift() : undefined;
    if (again !== undefined) return { command: again, waitMs: 0, jumpMs: 0 };
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
      if (PLACING.includes(command.kind)) this.past.push(command);
      return { command, waitMs, jumpMs };
    }
  }

  /** Nobody was told what became of it: half of those who asked ask again. */
  leaveUnanswered(command: Command): void {
    if (below(2, this.random) === 0) this.unanswered.push(command);
  }

  /** Most delistings are left out, so that something to trade is left. */
  private isTooMuch(command: Command): boolean {
    return command.kind === CommandKind.delistMarket && below(4, this.random) > 0;
  }

  private nextMove(): Move {
    if (this.moves.length === 0) {
      const seed = Number(Bun.hash.wyhash(`${this.seed} moves ${this.chunk++}`) & 0x7fff_ffffn);
      this.moves = fc.sample(move, { seed, numRuns: MOVES_AT_ONCE }).reverse();
    }
    return this.moves.pop()!;
  }
}
