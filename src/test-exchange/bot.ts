import type { Client, StreamSocketClass, Streams } from '../client/index.ts';

/** The parameter of a bot of a scenario. */
export interface BotContext {
  /** Address of the exchange, for programs with a client of their own. */
  readonly baseUrl: string;
  /** Key of the bot's account, with the permissions `read` and `trade`. */
  readonly apiKey: string;
  readonly apiSecret: string;
  /**
   * Client with the bot's key. It sends requests one after the other, each once: a retry would not be later, because the
   * time of the exchange moves only between the steps. Orders without a `clientOrderId` get `bot-1`, `bot-2` and so on.
   */
  readonly client: Client;
  /** Streams of the bot's account. Each step begins when everything sent before it has been delivered. */
  readonly streams: Streams;
  /**
   * WebSocket class for streams of the bot's own, such as `new Streams({ baseUrl, WebSocket })`: steps wait for what its
   * sockets are sent too.
   */
  readonly WebSocket: StreamSocketClass;
  /** Returns a pseudo-random number in [0, 1), the same in every run. */
  readonly random: () => number;
  /** Prints a line with the time of the exchange. */
  readonly log: (message: string) => void;
}

/** The time of the exchange at a step. */
export interface BotTime {
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  /** Milliseconds since the start of the scenario. */
  readonly elapsedMs: number;
}

/** A bot. Times of the machine, such as those of timers, mean nothing to it: it acts in `step`. */
export interface Bot {
  /** Called once, before the first step. */
  readonly start?: (time: BotTime) => Promise<void> | void;
  /** Called after each step of the clock; the clock stands still until it has resolved. */
  readonly step: (time: BotTime) => Promise<void> | void;
  /** Called once, after the last step. */
  readonly stop?: (time: BotTime) => Promise<void> | void;
}

/** Default export of a bot's module. */
export type CreateBot = (context: BotContext) => Bot | Promise<Bot>;
