import type { Command } from '../../engine/command.ts';
import type { Market } from '../../engine/markets/markets.ts';
import type { State } from '../../engine/state.ts';
import type { RecordedEvent } from './events.ts';

/**
 * Plays the events of one market. The events of one time are one run: their commands are applied after it, so the state
 * is that before the run.
 */
export interface MarketPlayer {
  /** When it acts by itself next, milliseconds since 1970. */
  readonly nextAt: number;
  /** Notes an event before the present; only at the start. */
  skip?(event: RecordedEvent): void;
  /** Begins after the skipped events. @param isResumed Whether the present has been played. */
  begin?(now: number, isResumed: boolean): void;
  /** @returns false if the event depends on the commands of this run, so that it must wait for the next one */
  play(event: RecordedEvent): boolean;
  /** Ends a run, and acts by itself if that is due. */
  endRun(time: number): void;
}

/** The dependencies of the players of all formats. */
export interface PlayerContext {
  readonly state: State;
  readonly market: Market;
  readonly submit: (command: Command) => void;
}
