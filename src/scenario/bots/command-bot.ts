import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { BotTime } from '../../test-exchange/index.ts';
import { BotError, type BotOptions, type RunningBot } from './running-bot.ts';

/** Limits how long a bot that hangs stops a run; real time. */
const MAX_STEP_MS = 30_000;
/** The line with which a bot says that it has finished a step. */
const DONE = 'done';

/**
 * Starts the program of a bot, in any language. For every step it reads a line of JSON on its standard input and answers
 * with the line `done`; other lines that it prints are logged. Its standard input ends after `stop`.
 * @param cwd Directory in which it runs: that of the scenario.
 */
export function startCommandBot(
  command: readonly string[],
  cwd: string,
  { baseUrl, apiKey, apiSecret, log }: BotOptions,
): RunningBot {
  const [file, ...args] = command;
  const child = spawn(file!, args, {
    cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, BUTTONWOOD_URL: baseUrl, API_KEY: apiKey, API_SECRET: apiSecret },
  });
  let ended: string | undefined;
  let onAnswer = () => {};
  let onEnd = () => {};
  const end = (reason: string) => {
    ended ??= reason;
    onEnd();
  };
  child.on('error', ({ message }) => end(`cannot be started: ${message}`));
  child.on('exit', (code, signal) => end(`ended with ${signal ?? `exit code ${code}`}`));
  // The exit is reported; writing to a program that has ended fails too.
  child.stdin.on('error', () => {});
  createInterface(child.stdout).on('line', (line) => {
    if (line === DONE) onAnswer();
    else log(line);
  });
  const send = async (event: string, { timestamp, elapsedMs }: BotTime) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve, reject) => {
      const fail = (what: string) => reject(new BotError(`${command.join(' ')} ${what}.`));
      onAnswer = resolve;
      onEnd = () => fail(ended!);
      if (ended !== undefined) fail(ended);
      const timeout = `did not print "${DONE}" within ${MAX_STEP_MS / 1000} s of ${event}`;
      timer = setTimeout(() => fail(timeout), MAX_STEP_MS);
      child.stdin.write(`${JSON.stringify({ event, timestamp, elapsedMs })}\n`);
    }).finally(() => clearTimeout(timer));
  };
  return {
    start: (time) => send('start', time),
    step: (time) => send('step', time),
    stop: (time) => send('stop', time),
    // Its streams are its own.
    drain: async () => {},
    end: async () => {
      child.stdin.end();
      if (ended !== undefined) return;
      const exited = once(child, 'exit');
      const timer = setTimeout(() => child.kill('SIGKILL'), 1000);
      await exited;
      clearTimeout(timer);
    },
  };
}
