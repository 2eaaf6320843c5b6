import type { Big } from 'big.js';
import { ApiRequestError } from '../../client/index.ts';
import type { BotTime } from '../../test-exchange/index.ts';
import { startCommandBot } from '../bots/command-bot.ts';
import { startModuleBot } from '../bots/module-bot.ts';
import { BotError, type RunningBot } from '../bots/running-bot.ts';
import type { Expectation, Program } from '../format/schema.ts';
import { SANDBOX_SYMBOLS, type Scenario } from '../scenario.ts';
import { type DueAction, Performer, planActions } from './actions.ts';
import { Assertions, describeExpectation } from './assertions.ts';
import type { ScenarioExchange, StartExchange, WriteCapsule } from './exchange.ts';
import { Measurements } from './measurements.ts';
import type { AssertionResult, RunError, RunResult } from './results.ts';
import { fundAccounts, type ScenarioAccount, setUpAccounts, setUpMarkets } from './setup.ts';

export interface RunOptions {
  readonly startExchange: StartExchange;
  /** The bot's program, with the absolute path of a module. */
  readonly program: Program;
  /** Writes the capsule of a failed run to `capsuleFile`; without it there is none. */
  readonly writeCapsule?: WriteCapsule | undefined;
  readonly capsuleFile: string;
  /** Called with the lines that the bot logs. */
  readonly log: (line: string) => void;
}

/** Runs a scenario once, with an exchange of its own. */
export async function runOnce(scenario: Scenario, options: RunOptions): Promise<RunResult> {
  const { seed, start, makers } = scenario.content;
  const startedAt = performance.now();
  const exchange = await options.startExchange({
    seed,
    startMs: start,
    hasMakers: makers !== undefined,
  });
  const run = new Run(scenario, exchange, options);
  try {
    await run.play();
    return await run.finish(performance.now() - startedAt);
  } finally {
    await run.end();
  }
}

/** Sockets may send 50 messages per second, and each look at the streams sends two. */
const MIN_DRAIN_MS = 100;

class Run {
  private readonly assertions: AssertionResult[] = [];
  private readonly rejections: string[] = [];
  private readonly startEquity = new Map<string, Big>();
  private readonly actions: DueAction[];
  /** Expectations without a result yet, with their index in the file. */
  private readonly open: { readonly index: number; readonly expectation: Expectation }[];
  private accounts = new Map<string, ScenarioAccount>();
  private performer!: Performer;
  private measurements!: Measurements;
  private checker!: Assertions;
  private bot: RunningBot | undefined;
  private elapsedMs = 0;
  private drainedAtMs = 0;
  private steps = 0;
  private error: RunError | undefined;

  constructor(
    private readonly scenario: Scenario,
    private readonly exchange: ScenarioExchange,
    private readonly options: RunOptions,
  ) {
    this.actions = planActions(scenario);
    this.open = scenario.content.expect.map((expectation, index) => ({ index, expectation }));
  }

  /** Plays the whole scenario. An error of the bot or of an action ends it early. */
  async play(): Promise<void> {
    try {
      await this.setUp();
      await this.performDue();
      await this.noteStartEquity();
      this.bot = await this.startBot();
      await this.bot.start(this.time());
      await this.drain();
      await this.checkDue();
      const { step, duration } = this.scenario.content;
      for (let next = step; next <= duration; next += step) await this.playStep(next);
      await this.advanceTo(duration);
      await this.bot.stop(this.time());
    } catch (error) {
      this.error = this.toRunError(error);
    }
  }

  /** Checks what is left, and returns the result. */
  async finish(durationMs: number): Promise<RunResult> {
    const state = await this.exchange.operator.getState().catch(() => undefined);
    if (this.error === undefined) {
      try {
        if (this.scenario.content.timeline.some(({ fault }) => fault !== undefined)) {
          await this.exchange.clearFaults();
        }
        // Reading the bot's records must not fail by its rate limits.
        const { account } = this.scenario.content.bot;
        await this.exchange.operator.changeAccount({ id: account, limitClass: 1000 });
        for (const { index, expectation } of [...this.open]) await this.check(index, expectation);
      } catch (error) {
        this.error = this.toRunError(error);
      }
    }
    const passed = this.error === undefined && this.assertions.every((each) => each.passed);
    const capsule = passed ? undefined : await this.writeCapsule(state?.logPosition);
    return {
      passed,
      assertions: this.assertions,
      ...(this.error === undefined ? {} : { error: this.error }),
      ...(state === undefined
        ? {}
        : { stateHash: state.stateHash, logPosition: state.logPosition }),
      steps: this.steps,
      rejections: countBy(this.rejections),
      ...(capsule === undefined ? {} : { capsule }),
      durationMs,
    };
  }

  /** Returns the path of the capsule; undefined if none is wanted. */
  private async writeCapsule(position: number | undefined): Promise<string | undefined> {
    const { writeCapsule, capsuleFile } = this.options;
    if (writeCapsule === undefined) return undefined;
    const failed = this.assertions.filter(({ passed }) => !passed);
    const failures = failed.map(({ text, actual }) => `${text}, is ${actual}`);
    if (this.error !== undefined) failures.push(this.error.message);
    const { content, text: scenario } = this.scenario;
    const { title, seed } = content;
    const { dataDirectory } = this.exchange;
    await writeCapsule(capsuleFile, { dataDirectory, position, title, seed, scenario, failures });
    return capsuleFile;
  }

  async end(): Promise<void> {
    await this.bot?.end();
    await this.exchange.close();
  }

  private async setUp(): Promise<void> {
    const { content } = this.scenario;
    const { exchange } = this;
    await setUpMarkets(exchange, content);
    this.accounts = await setUpAccounts(exchange, content);
    const actors = new Map([...this.accounts].map(([name, { actor }]) => [name, actor]));
    this.performer = new Performer(exchange, actors, content.start);
    await fundAccounts(this.performer, content);
    if (Object.keys(content.makers ?? {}).length > 0) await exchange.changeMakers(content.makers!);
    const symbols = [...SANDBOX_SYMBOLS, ...Object.keys(content.markets)];
    const accounts = Object.keys(content.accounts);
    const known = { accounts, symbols, assets: symbols.flatMap((symbol) => symbol.split('/')) };
    this.measurements = new Measurements(exchange, this.accounts, known);
    const { measurements, rejections, startEquity } = this;
    const counts = { rejections, startEquity };
    this.checker = new Assertions(exchange, measurements, counts, known, content.bot.account);
  }

  /** Notes the equity from which profit and loss are measured. */
  private async noteStartEquity(): Promise<void> {
    const { expect, bot } = this.scenario.content;
    for (const { pnl, account = bot.account } of expect) {
      if (pnl === undefined) continue;
      const equity = await this.measurements.equity(account, pnl);
      this.startEquity.set(`${account} ${pnl}`, equity);
    }
  }

  private startBot(): Promise<RunningBot> | RunningBot {
    const { program, log } = this.options;
    const { seed, bot } = this.scenario.content;
    const { apiKey, apiSecret, accountId } = this.accounts.get(bot.account)!;
    const botOptions = {
      baseUrl: this.exchange.baseUrl,
      apiKey,
      apiSecret,
      accountId,
      seed,
      log: (line: string) => log(`${new Date(this.time().timestamp).toISOString()} ${line}`),
      onRejected: (code: string) => this.rejections.push(code),
    };
    if (program.module !== undefined) return startModuleBot(program.module, botOptions);
    return startCommandBot(program.command!, this.scenario.resolve('.'), botOptions);
  }

  private async playStep(atMs: number): Promise<void> {
    await this.advanceTo(atMs);
    await this.drain();
    await this.bot!.step(this.time());
    this.steps++;
    await this.drain();
    await this.checkDue();
  }

  /** Advances the clock, and performs the actions on the way at their times. */
  private async advanceTo(atMs: number): Promise<void> {
    for (let due = this.actions[0]; due !== undefined && due.atMs <= atMs; due = this.actions[0]) {
      await this.advanceClock(due.atMs);
      await this.performDue();
      // The bot's streams react to the action, for example by subscribing again, before the next one.
      if (due.atMs >= this.drainedAtMs + MIN_DRAIN_MS) await this.drain();
    }
    await this.advanceClock(atMs);
  }

  private async drain(): Promise<void> {
    await this.bot?.drain();
    this.drainedAtMs = this.elapsedMs;
  }

  private async advanceClock(atMs: number): Promise<void> {
    if (atMs === this.elapsedMs) return;
    await this.exchange.advance(atMs - this.elapsedMs);
    this.elapsedMs = atMs;
  }

  private async performDue(): Promise<void> {
    while (this.actions[0] !== undefined && this.actions[0].atMs <= this.elapsedMs) {
      const action = this.actions.shift()!;
      try {
        await this.performer.perform(action);
      } catch (error) {
        throw new ActionError(action, error as Error);
      }
    }
  }

  /** Checks the expectations whose time has come, and those that hold at all times. */
  private async checkDue(): Promise<void> {
    for (const { index, expectation } of [...this.open]) {
      if (expectation.at !== undefined && expectation.at <= this.elapsedMs) {
        await this.check(index, expectation);
      } else if (expectation.at === undefined && expectation.position !== undefined) {
        const verdict = await this.checker.check(expectation);
        // The first violation is the result; otherwise it is the last position.
        if (!verdict.passed) await this.check(index, expectation);
      }
    }
  }

  private async check(index: number, expectation: Expectation): Promise<void> {
    const { because } = expectation;
    const verdict = await this.checker.check(expectation);
    this.open.splice(
      this.open.findIndex((each) => each.index === index),
      1,
    );
    this.assertions.push({
      text: describeExpectation(expectation, this.scenario.content.bot.account),
      place: this.scenario.position(['expect', index]),
      atMs: this.elapsedMs,
      ...verdict,
      ...(because === undefined ? {} : { because }),
    });
  }

  private time(): BotTime {
    return {
      timestamp: this.scenario.content.start + this.elapsedMs,
      elapsedMs: this.elapsedMs,
    };
  }

  private toRunError(error: unknown): RunError {
    const { elapsedMs: atMs } = this;
    if (error instanceof ActionError) return { message: error.message, place: error.place, atMs };
    const place = this.scenario.position(error instanceof BotError ? ['bot'] : []);
    return { message: (error as Error).message, place, atMs };
  }
}

/** An action of the timeline failed. */
class ActionError extends Error {
  readonly place: string;

  constructor({ kind, place }: DueAction, cause: Error) {
    const code = cause instanceof ApiRequestError ? ` (${cause.code})` : '';
    super(`The action "${kind}" failed: ${cause.message}${code}`, { cause });
    this.place = place;
  }
}

function countBy(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
