import type { BotTime } from '../../test-exchange/index.ts';

/** A bot of a run, whatever it is written in. Every method throws BotError if the bot fails. */
export interface RunningBot {
  readonly start: (time: BotTime) => Promise<void>;
  readonly step: (time: BotTime) => Promise<void>;
  readonly stop: (time: BotTime) => Promise<void>;
  /** Resolves once the streams of the bot have delivered everything that the exchange has sent. */
  readonly drain: () => Promise<void>;
  /** Ends its connections and processes. */
  readonly end: () => Promise<void>;
}

export interface BotOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly accountId: string;
  readonly seed: number;
  readonly log: (message: string) => void;
  /** Called with the code of each rejected request. */
  readonly onRejected: (code: string) => void;
}

/** A bot cannot be started, or failed. */
export class BotError extends Error {
  override readonly name = 'BotError';
}
