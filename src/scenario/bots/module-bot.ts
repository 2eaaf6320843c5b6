import { pathToFileURL } from 'node:url';
import * as client from '../../client/index.ts';
import { seededRandom } from '../../storage/seeded-random.ts';
import type { Bot, BotContext, BotTime, CreateBot } from '../../test-exchange/index.ts';
import { BotError, type BotOptions, type RunningBot } from './running-bot.ts';
import { SequentialClient } from './sequential-client.ts';
import { StreamBarrier } from './stream-barrier.ts';

/** Limits how long a bot that hangs stops a run; real time. */
const MAX_STEP_MS = 30_000;
// Bots get the errors of this client, so `instanceof` must know its classes, also if no package is installed next to them.
Bun.plugin({
  name: 'client of bots',
  setup: (build) =>
    void build.module('buttonwood/client', () => ({ exports: client, loader: 'object' })),
});

/** Distinguishes the loads of a module, so that each run has its own variables. */
let loads = 0;

/**
 * Loads the bot of a TypeScript or JavaScript module.
 * @throws BotError if the module cannot be loaded or exports no bot
 */
export async function startModuleBot(file: string, options: BotOptions): Promise<RunningBot> {
  const { baseUrl, apiKey, apiSecret, accountId } = options;
  const barrier = new StreamBarrier();
  let failure: Error | undefined;
  const onError = (error: Error) => {
    failure ??= error;
  };
  const { Socket: WebSocket } = barrier;
  // Waits are real time, in which nothing happens.
  const maxBackoffMs = 1;
  const streams = new client.Streams({
    baseUrl,
    apiKey,
    apiSecret,
    WebSocket,
    onError,
    maxBackoffMs,
  });
  const sequential = new SequentialClient(
    { baseUrl, apiKey, apiSecret },
    accountId,
    options.onRejected,
  );
  const random = seededRandom(options.seed);
  const { log } = options;
  const context = {
    baseUrl,
    apiKey,
    apiSecret,
    client: sequential,
    streams,
    WebSocket,
    random,
    log,
  };
  const bot = await loadBot(file, context);
  const call = async (name: keyof Bot, time: BotTime) => {
    await inTime(name, async () => bot[name]?.(time));
    if (failure !== undefined) throw new BotError(`A stream of the bot failed: ${failure.message}`);
  };
  return {
    start: (time) => call('start', time),
    step: (time) => call('step', time),
    stop: (time) => call('stop', time),
    drain: () => barrier.drain(() => streams.isLive),
    end: async () => streams.close(),
  };
}

async function loadBot(file: string, context: BotContext): Promise<Bot> {
  const url = `${pathToFileURL(file).href}?load=${++loads}`;
  let create: unknown;
  try {
    ({ default: create } = await import(url));
  } catch (error) {
    throw new BotError(`${file} cannot be loaded: ${(error as Error).message}`);
  }
  if (typeof create !== 'function') {
    throw new BotError(`${file} needs a default export: (context) => ({ step }).`);
  }
  const bot: Bot = await inTime('creation', async () => (create as CreateBot)(context));
  if (typeof bot?.step !== 'function') {
    throw new BotError(
      `The default export of ${file} must return an object with a function "step".`,
    );
  }
  return bot;
}

/** Runs a part of a bot. @throws BotError if it throws or does not return in time */
async function inTime<Result>(part: string, run: () => Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const message = `The bot's ${part} did not return within ${MAX_STEP_MS / 1000} s.`;
    timer = setTimeout(() => reject(new BotError(message)), MAX_STEP_MS);
  });
  try {
    return await Promise.race([run(), timeout]);
  } catch (error) {
    if (error instanceof BotError) throw error;
    throw new BotError(`The bot's ${part} failed: ${describe(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the stack of an error, so that the author finds the line. */
function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : `${error}`;
}
