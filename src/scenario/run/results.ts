/** Result of one expectation. */
export interface AssertionResult {
  /** The expectation as a sentence. */
  readonly text: string;
  /** `file:line:column`. */
  readonly place: string;
  /** Milliseconds since the start of the scenario. */
  readonly atMs: number;
  readonly passed: boolean;
  readonly expected: string;
  readonly actual: string;
  readonly because?: string;
}

/** Why a run ended early. */
export interface RunError {
  readonly message: string;
  /** `file:line:column` of the action that failed; the scenario if it was not an action. */
  readonly place: string;
  readonly atMs: number;
}

/** Result of one run of a scenario. */
export interface RunResult {
  readonly passed: boolean;
  readonly assertions: readonly AssertionResult[];
  readonly error?: RunError;
  /** SHA-256 of the exchange's state at the end; undefined if the exchange did not answer. */
  readonly stateHash?: string;
  readonly logPosition?: number;
  readonly steps: number;
  /** Rejected requests of the bot, by error code. */
  readonly rejections: Readonly<Record<string, number>>;
  /** The file with everything needed to replay a failed run. */
  readonly capsule?: string;
  /** Real time that the run took. */
  readonly durationMs: number;
}

/** Result of all runs of a scenario. */
export interface ScenarioResult {
  readonly file: string;
  readonly title: string;
  readonly lesson: string;
  /** The bot's module or command. */
  readonly bot: string;
  readonly seed: number;
  readonly passed: boolean;
  /** Whether all runs ended in the same state. */
  readonly isRepeatable: boolean;
  readonly runs: readonly RunResult[];
}
