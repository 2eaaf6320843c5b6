import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Capsule } from '../../capsule/capsule.ts';
import {
  type Difference,
  type Effect,
  type EventValues,
  replayCapsule,
} from '../../capsule/replay.ts';
import { type Failure, traceBatch } from '../../capsule/trace.ts';
import { type About, writeCapsule } from '../../capsule/writer.ts';
import { exactNumber } from '../../client/exact-number.ts';
import type { ArchiveConfig } from '../../config/archive.ts';
import { Exchange } from '../../engine/exchange.ts';
import { ByteReader } from '../../engine/numbers/bytes.ts';
import { EngineVersionError, RejectionCode } from '../../engine/rejection.ts';
import type { State } from '../../engine/state.ts';
import { decodeCommand } from '../../log/codec.ts';
import { isStorageFailure } from '../../monitoring/operator-error.ts';
import type { Progress } from '../../monitoring/progress.ts';
import { DiskStorage } from '../../storage/disk-storage.ts';
import type { Result } from '../command.ts';
import { ExitCode } from '../failure.ts';
import { fields, printable } from '../text.ts';
import { describeCommand } from './describe-command.ts';
import { cliError, isFinding } from './finding.ts';
import { type Moment, withSource } from './source.ts';

/** No notes, as for a capsule of a data directory. */
const NO_NOTES: About = { title: null, seed: null, scenario: null, failures: [] };

/** The exchange that a capsule contains. */
export interface CapsuleOptions {
  /** Data directory, whose node may be running. */
  readonly data: string;
  /** The archive with the older part of its log. */
  readonly archive?: ArchiveConfig | undefined;
  /** The last moment; by default the end of the log. */
  readonly at?: Moment | undefined;
  /** Notes in the capsule, such as those of a scenario. */
  readonly about?: Partial<About>;
}

/**
 * Writes a capsule of an exchange.
 * @param path A file that must not exist.
 * @throws CliError
 */
export function createCapsule(
  path: string,
  { data, archive, at, about }: CapsuleOptions,
  progress: Progress,
): Promise<Result> {
  refuseExisting(path);
  return withSource({ path: data, archive }, at, progress, async (source) => {
    const { storage, skips } = source;
    const batches = source.read('writing the capsule');
    const notes = { ...NO_NOTES, ...about };
    const summary = await writeCapsule(storage, path, { batches, skips }, notes).catch((error) => {
      if (!isStorageFailure(error)) throw error;
      throw cliError('NOT_WRITABLE', `Cannot write ${path}: ${error.message}.`);
    });
    const { failure } = summary;
    const bytes = statSync(path).size;
    const text = fields([
      ['Batches', summary.batches],
      ['Commands', summary.commands],
      ['Time', new Date(summary.time).toISOString()],
      ['State hash', summary.stateHash],
      ...(failure === null ? [] : [['Failure', describeFailure(failure)] as const]),
      ['Bytes', bytes],
    ]);
    const advice = `It has the orders and balances of all accounts. Replay it: buttonwood capsule run ${path}`;
    return {
      data: { file: path, ...summary, time: new Date(summary.time).toISOString(), bytes },
      text: `Wrote ${path}.\n\n${text}\n\n${advice}`,
    };
  });
}

/** Replays a capsule and reports whether it leads to the same state. @throws CliError */
export function runCapsule(path: string, progress: Progress): Result {
  return reading(path, (capsule) => {
    const { summary, header } = capsule;
    let done = 0;
    const measure = { done: () => done, total: summary.batches, unit: 'batches' };
    progress.begin('replaying the capsule', measure);
    const { exchange, difference, stateHash } = replayCapsule(capsule, ({ sequence }) => {
      done = sequence;
      progress.tick();
    });
    const isEqual = difference === undefined && stateHash === summary.stateHash;
    const found = difference && describeDifference(difference, exchange.state);
    const data = {
      equal: isEqual,
      title: header.title,
      release: header.release,
      batches: summary.batches,
      commands: summary.commands,
      expectedStateHash: summary.stateHash,
      stateHash,
      failure: summary.failure,
      difference: found ?? null,
    };
    const exitCode = isEqual ? ExitCode.done : ExitCode.failed;
    return { data, text: describeRun(path, data), exitCode };
  });
}

/** Returns the header of a capsule and its commands, one JSON object per line. @throws CliError */
export function showCapsule(path: string): Result {
  return reading(path, (capsule) => {
    const { header, summary } = capsule;
    const time = new Date(summary.time).toISOString();
    const first = { ...header, ...summary, time };
    return { data: first, text: JSON.stringify(first), lines: guard(listCommands(capsule)) };
  });
}

/** Lists the commands of a capsule, with the names that indexes have in its state. */
function* listCommands(capsule: Capsule): Generator<string> {
  const exchange = new Exchange();
  const { skips } = capsule;
  let isBroken = false;
  for (const { batch } of capsule.batches()) {
    if (!isBroken) isBroken = traceBatch(exchange, batch, skips).failure !== undefined;
    const { sequence, time, count, payload } = batch;
    const reader = new ByteReader(payload);
    for (let index = 0; index < count; index++) {
      const command = describeCommand(decodeCommand(reader), exchange.state);
      yield JSON.stringify({ sequence, index, time: new Date(time).toISOString(), ...command });
    }
  }
}

function describeDifference(found: Difference, state: State) {
  const { batch, index, command, events } = found;
  return {
    sequence: batch.sequence,
    index,
    time: new Date(batch.time).toISOString(),
    command: describeCommand(command, state),
    expected: describeEffect(found.expected),
    actual: describeEffect(found.actual),
    /** Its events in this release, in the units of the log; null if it was not applied. */
    events: events?.map(toJson) ?? null,
  };
}

function describeEffect({ digest, rejection, failure }: Effect) {
  const code = Object.entries(RejectionCode).find(([, number]) => number === rejection)?.[0];
  const rejected = rejection === 0 ? 'done' : `rejected: ${code ?? rejection}`;
  const applied = digest === 0 && rejection === 0 ? 'not applied' : rejected;
  return {
    outcome: failure === undefined ? applied : `broke an invariant: ${failure}`,
    digest: digest.toString(16).padStart(8, '0'),
  };
}

function toJson(event: EventValues): Record<string, unknown> {
  const values = Object.entries(event).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? exactNumber(String(value)) : value,
  ]);
  return Object.fromEntries(values) as Record<string, unknown>;
}

interface Run {
  readonly equal: boolean;
  readonly title: string | null;
  readonly release: string;
  readonly batches: number;
  readonly commands: number;
  readonly expectedStateHash: string | null;
  readonly stateHash: string | null;
  readonly failure: Failure | null;
  readonly difference: ReturnType<typeof describeDifference> | null;
}

function describeRun(path: string, run: Run): string {
  const { equal, title, release, batches, commands, failure, difference, stateHash } = run;
  const about = fields([
    ['Title', title],
    ['Written by', `release ${release}`],
    ['Batches', batches],
    ['Commands', commands],
    ['Expected state hash', run.expectedStateHash],
    ['State hash', stateHash],
    ...(failure === null ? [] : [['Expected failure', describeFailure(failure)] as const]),
  ]);
  if (equal) return `equal: ${path} replays to the same state.\n\n${about}`;
  if (difference === null) {
    return `different: ${path} replays to the same digests, but to another state.\n\n${about}`;
  }
  const { sequence, index, time, expected, actual, command, events } = difference;
  const heading = `different: command ${index} of batch ${sequence} of ${path} is the first that differs.`;
  const effects = fields([
    ['Time', time],
    ['Expected', `${expected.outcome}, digest ${expected.digest}`],
    ['Actual', `${actual.outcome}, digest ${actual.digest}`],
    ['Difference', explain(difference)],
  ]);
  const details = [
    `The command, in the units of the log:\n  ${JSON.stringify(command)}`,
    `Its events in this release:${(events ?? []).map((event) => `\n  ${JSON.stringify(event)}`).join('') || ' none'}`,
  ];
  return [heading, effects, ...details.map(printableLines), about].join('\n\n');
}

function explain({ expected, actual }: NonNullable<Run['difference']>): string {
  return expected.outcome === actual.outcome
    ? 'the outcome is the same, the state after it is not'
    : 'the outcome';
}

function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

function describeFailure({ sequence, index, message }: Failure): string {
  return `command ${index} of batch ${sequence}: ${message}`;
}

/** @throws CliError if the file exists, or its directory does not */
function refuseExisting(path: string): void {
  if (existsSync(path)) {
    throw cliError('EXISTS', `${path} exists. Name another file, or remove it first.`);
  }
  if (existsSync(dirname(path))) return;
  throw cliError('NO_DIRECTORY', `There is no directory ${dirname(path)}. Create it first.`);
}

/** Runs `work` on the capsule in a file. @throws CliError if it is no capsule, damaged or of a newer release */
function reading<T>(path: string, work: (capsule: Capsule) => T): T {
  return withCliErrors(() => {
    if (!existsSync(path)) throw cliError('NO_FILE', `There is no file ${path}.`);
    if (!statSync(path).isFile()) throw cliError('NO_FILE', `${path} is not a file.`);
    return work(Capsule.open(new DiskStorage(), path));
  });
}

/** Yields the lines. @throws CliError */
function* guard(lines: Iterator<string>): Generator<string> {
  for (;;) {
    const { done, value } = withCliErrors(() => lines.next());
    if (done) return;
    yield value as string;
  }
}

function withCliErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof EngineVersionError) throw cliError('NEWER', `${error.message}.`);
    throw isFinding(error) ? cliError('UNSOUND', error.message) : error;
  }
}
