import type { Client } from '../../client/index.ts';
import type { ScenarioFault } from '../format/schema.ts';

/** A market makers' behavior, as in a scenario. */
export type MakersChange = Readonly<Record<string, unknown>>;

/** A fault that the exchange has injected. */
export interface InjectedFault {
  readonly kind: string;
}

/** The exchange of a scenario: a sandbox whose time stands still until it is advanced. */
export interface ScenarioExchange {
  readonly baseUrl: string;
  /** Its data directory, which can be read while it runs. */
  readonly dataDirectory: string;
  /** Client with the operator's key. */
  readonly operator: Client<true>;
  /** Advances the time and plays what is due, in order. Resolves when all of it is done. */
  readonly advance: (byMs: number) => Promise<void>;
  readonly changeMakers: (change: MakersChange) => Promise<void>;
  /** @param now The exchange's time, milliseconds since 1970. */
  readonly addFault: (fault: ScenarioFault, now: number) => Promise<void>;
  readonly clearFaults: () => Promise<void>;
  /** Returns the faults injected so far. */
  readonly injectedFaults: () => Promise<readonly InjectedFault[]>;
  readonly close: () => Promise<void>;
}

export interface ExchangeOptions {
  readonly seed: number;
  /** Time at the start, milliseconds since 1970. */
  readonly startMs: number;
  readonly hasMakers: boolean;
}

/** The exchange of a failed run, and notes about the run. */
export interface FailedRun {
  readonly dataDirectory: string;
  /** Log position at the end of the run; undefined if it is not known. */
  readonly position: number | undefined;
  readonly title: string;
  readonly seed: number;
  /** The text of the scenario. */
  readonly scenario: string;
  /** The expectations that failed, and the error that ended the run. */
  readonly failures: readonly string[];
}

/** Writes a capsule to a file, which is replaced. */
export type WriteCapsule = (file: string, run: FailedRun) => Promise<void>;

/** Starts the exchange of one run. */
export type StartExchange = (options: ExchangeOptions) => Promise<ScenarioExchange>;
