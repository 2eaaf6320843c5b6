/** An exchange for the tests of a bot, exported as `buttonwood/testing`, on Node and Bun. */

export type { Bot, BotContext, BotTime, CreateBot } from './bot.ts';
export type { ClockMode, ExchangeClock } from './clock.ts';
export type { ExchangeFaults, Fault } from './faults.ts';
export type { ExchangeOptions } from './options.ts';
export type { Checkpoint, Key, Keys, TestAccount, TestExchange } from './running.ts';
export { startExchange } from './start-exchange.ts';
