import fc from 'fast-check';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { ENGINE_VERSION } from '../../src/engine/exchange.ts';
import { searched } from './little-memory.ts';
import { NaiveExchange, type NaiveOutcome } from './naive-exchange.ts';
import { toCommand } from './scenario-commands.ts';
import { custodyMove, type Move, move, operatorMove } from './scenario-moves.ts';
import { arbitraryWorld, prologue, START, type World } from './scenario-world.ts';

export {
  arbitraryWorld,
  custodyMove,
  type Move,
  move,
  operatorMove,
  prologue,
  START,
  toCommand,
  type World,
};

/**
 * Random scenarios for an exchange. A scenario consists of a world (assets, markets, accounts,
 * funds) and a list of moves: small numbers that become commands depending on the current state, so
 * that prices cross, cancels hit, ids repeat, and a failing list can be shortened move by move.
 */

export interface Timed {
  readonly command: Command;
  readonly time: number;
}

/** The command that a node of a newer release appends. */
export const UPGRADE: Command = {
  kind: CommandKind.upgrade,
  ...SYSTEM_ACTOR,
  version: ENGINE_VERSION,
};

const world = arbitraryWorld(fc.constantFrom(2, 2, 3, 3, 4, 6), 3);

export interface Scenario {
  readonly world: World;
  readonly moves: readonly Move[];
}

/** @param moves The moves to choose from. */
export function scenario(
  maxMoves: number,
  moves: fc.Arbitrary<Move> = move,
): fc.Arbitrary<Scenario> {
  return fc.record({
    world,
    moves: fc.array(moves, { minLength: 1, maxLength: maxMoves, size: 'max' }),
  });
}

export const PLACING: readonly number[] = [
  CommandKind.placeOrder,
  CommandKind.placeStopOrder,
  CommandKind.placeOco,
  CommandKind.placeBracket,
  CommandKind.placeOnConnection,
  CommandKind.executeBy,
];

/** Yields each command of a scenario, with the outcome of the reference model. */
export function* play(
  { world, moves }: Scenario,
  naive = new NaiveExchange(),
): Generator<Timed & { readonly expected: NaiveOutcome }> {
  const past: Command[] = [];
  let time = START;
  for (const command of prologue(world))
    yield { command, time, expected: naive.apply(command, time) };
  for (const [index, { what, wait, operator }] of moves.entries()) {
    time += wait;
    if (index === moves.length >> 1 && naive.state.version < ENGINE_VERSION) {
      yield { command: UPGRADE, time, expected: naive.apply(UPGRADE, time) };
    }
    const wanted =
      what.kind === 'repeat'
        ? past.at(-1 - what.back)
        : toCommand(what, operator, time, naive.state);
    if (wanted === undefined) continue;
    const command = searched(wanted, naive.state);
    if (PLACING.includes(command.kind)) past.push(command);
    yield { command, time, expected: naive.apply(command, time) };
  }
}

/** Returns the commands of a scenario, starting from an empty exchange. */
export function listCommands(life: Scenario): Timed[] {
  return [...play(life)].map(({ command, time }) => ({ command, time }));
}
