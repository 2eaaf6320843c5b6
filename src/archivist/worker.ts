import type { StreamState } from '../cluster/log/stream-state.ts';
import { isPostgres } from '../history/database.ts';
import {
  HistoryDamagedError,
  HistoryOvertakenError,
  HistoryRebuildingError,
  HistoryUnavailableError,
} from '../history/errors.ts';
import type { Recorder } from '../history/history.ts';
import { SharedHistory } from '../history/shared-history.ts';
import { readBatches } from '../log/reader.ts';
import * as logger from '../monitoring/logger.ts';
import { DiskStorage } from '../storage/disk-storage.ts';
import type { Archive, SnapshotTerms } from './archive.ts';
import { Deliveries } from './deliveries.ts';
import { openFileArchive } from './file-archive.ts';
import {
  type FileSource,
  type FromWorker,
  Progress,
  type ToWorker,
  type WorkerStart,
} from './messages.ts';
import { inStream } from './recovery.ts';
import { HistoryRepair } from './repair/history-repair.ts';
import { SnapshotStore } from './snapshots/snapshots.ts';
import { yieldToServing } from './thread-priority.ts';

/**
 * The archivist's thread. Messages gather in a queue; one loop takes them, so that no batch is
 * applied while history commits and every question is answered at a batch's edge.
 */

declare const self: Worker;

/** A commit costs less a row the more it holds; what waits for it is answered from memory. */
const FLUSH_EVERY_MS = 1000;
/** A store that is not there when the archivist begins is asked for again so often. */
const OPEN_EVERY_MS = 1000;
/** How long the loop applies batches before it looks at history and questions again. */
const TURN_MS = 20;

/**
 * What history has a part in goes out in the order of the questions: who sees two knows which is the newer. What the
 * state alone has does not wait for it, for a store that hangs would hold that up too.
 */
let posted: Promise<void> = Promise.resolve();
/** The log's, where many nodes share it. */
let stream: string | undefined;
/** How often a question found damage. */
let damageFound = 0;
/** Whether damage is repaired from the log, by whoever finds it. */
let isRepaired = false;
let deliveries = new Deliveries(true);
const others: Exclude<ToWorker, { kind: 'batches' | 'start' }>[] = [];
let wake: () => void = () => {};

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'start') {
    const { start } = data;
    if (start.log === 'jetstream') {
      ({ stream } = start);
      deliveries = new Deliveries(false);
    }
    run(start, data.progress).catch(fail);
  } else {
    if (data.kind === 'batches') deliveries.add(data.batches);
    else others.push(data);
    wake();
  }
};

function fail(error: Error): void {
  const told = stream === undefined ? error : inStream(error, stream);
  post({ kind: 'failed', reason: reasonOf(told) });
}

/** What an operator is told. */
function reasonOf(error: Error): string {
  const isOfDisk = error.name === 'SQLiteError' || 'syscall' in error;
  return isOfDisk
    ? `History or a snapshot could not be written: ${error.message}. ` +
        'All that was acknowledged is in the log. See to the disk (is it full?), then start again.'
    : error.message;
}

async function run(start: WorkerStart, progress: Float64Array): Promise<void> {
  yieldToServing();
  const { history, repair, archive, log } = await open(start);
  progress[Progress.applied] = archive.position;
  post({ kind: 'ready' });
  let flushedAt = performance.now();
  for (;;) {
    applyWaiting(archive, log, progress);
    progress[Progress.history] = history.position().sequence;
    progress[Progress.isWriter] = history.isWriter ? 1 : 0;
    progress[Progress.rebuilt] = 1 + (repair?.rebuiltTo ?? -1);
    progress[Progress.damage] = repair?.findings ?? damageFound;
    const now = performance.now();
    if (now - flushedAt >= FLUSH_EVERY_MS) {
      flushedAt = now;
      await inTurn(archive, archive.flush());
    }
    if (archive.isAuditDue) archive.audit();
    if (archive.isSnapshotDue) await inTurn(archive, archive.snapshot());
    if (await serveOthers(archive)) break;
    const isIdle = deliveries.waiting.length === 0;
    const isRebuilding = isIdle && repair?.isUnderWay === true && (await repair.turn(archive));
    if (isIdle && !isRebuilding) await nextMessage(FLUSH_EVERY_MS);
    // Lets the messages in that came meanwhile.
    else await new Promise((resolve) => setImmediate(resolve));
  }
  archive.audit();
  await archive.end();
  await (repair ?? history).close();
  post({ kind: 'closed' });
}

/** What others may be in the way of is not waited for: batches are applied meanwhile. */
async function inTurn({ isShared }: Archive, work: Promise<void>): Promise<void> {
  if (isShared) work.catch(fail);
  else await work;
}

async function open(start: WorkerStart): Promise<Opened & { readonly history: Recorder }> {
  if (start.log === 'file' && !isPostgres(start.historyUrl)) return openWithFile(start);
  for (;;) {
    const history = await openHistory(start.historyUrl);
    try {
      return { history, ...(await openArchive(start, history)) };
    } catch (error) {
      if (!(error instanceof HistoryOvertakenError)) throw error;
      await history.close();
    }
  }
}

async function openHistory(url: string): Promise<Recorder> {
  const onStale = (reason: string) => post({ kind: 'stale', reason });
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await SharedHistory.open(url, { warn: logger.warn, onStale });
    } catch (error) {
      if (!(error instanceof HistoryUnavailableError)) throw error;
      if (isFirst) logger.warn(`${error.message} This node waits for it before it serves.`);
      await Bun.sleep(OPEN_EVERY_MS);
    }
  }
}

/** What the archivist applies to, and of many nodes what their log has come to. */
interface Opened {
  readonly archive: Archive;
  readonly log?: StreamState;
  /** Of a history in a file. */
  readonly repair?: HistoryRepair;
}

/** History in a file: where it has to be rebuilt, the archive begins without it. */
async function openWithFile(start: WorkerStart & FileSource) {
  const { historyUrl, rebuiltHistory, isFirstStart, logEnd, logDirectory } = start;
  const storage = new DiskStorage();
  const repair = await HistoryRepair.open({
    path: historyUrl.replace(/^sqlite:(\/\/)?/, ''),
    ...{ rebuiltPath: rebuiltHistory, isFirstStart, logEnd },
    snapshotDirectory: start.snapshotDirectory,
    log: {
      read: (sequence, through) => readBatches(storage, logDirectory, { sequence }, through),
    },
    snapshots: new SnapshotStore(storage, start.snapshotDirectory),
    elapsedMs: () => performance.now(),
  });
  const { history } = repair;
  isRepaired = true;
  const limit = history.isThere ? {} : { limit: logEnd };
  const archive = await openBesideFiles(start, history, limit);
  await repair.start(archive);
  return { history, repair, archive };
}

function openBesideFiles(
  { logDirectory, snapshotDirectory, logEnd }: FileSource,
  history: Recorder,
  limit: { readonly limit?: number } = {},
): Promise<Archive> {
  const storage = new DiskStorage();
  return openFileArchive({
    log: {
      read: (sequence, hash) => readBatches(storage, logDirectory, { sequence, hash }, logEnd),
    },
    snapshots: new SnapshotStore(storage, snapshotDirectory),
    ...{ history, elapsedMs: () => performance.now(), ...limit },
  });
}

async function openArchive(start: WorkerStart, history: Recorder): Promise<Opened> {
  if (start.log === 'jetstream') {
    const elapsedMs = () => performance.now();
    // Only a log that nodes share needs the libraries of NATS.
    const { openStreamArchive } = await import('./stream-archive.ts');
    const terms = termsForTests(process.env.BUTTONWOOD_TEST_SNAPSHOTS);
    return openStreamArchive({
      ...{ source: start, history, elapsedMs, terms, onFailure: fail },
      keepDelivered: () => deliveries.keep(),
    });
  }
  return { archive: await openBesideFiles(start, history) };
}

/** As JSON, for tests with real processes: what it leaves out is as ever. */
function termsForTests(json = '{}'): Partial<SnapshotTerms> {
  return JSON.parse(json);
}

function applyWaiting(
  archive: Archive,
  log: StreamState | undefined,
  progress: Float64Array,
): void {
  const until = performance.now() + TURN_MS;
  const batches = deliveries.waiting;
  let taken = 0;
  while (taken < batches.length && performance.now() < until) {
    const delivered = batches[taken++]!;
    const { digestBefore } = delivered;
    if (!('message' in delivered)) archive.apply(delivered, digestBefore);
    // What it has caught up with by itself is delivered too.
    else if (delivered.message.sequence > archive.position) {
      archive.apply(log!.take(delivered.message).batch, digestBefore);
    }
    progress[Progress.applied] = archive.position;
  }
  batches.splice(0, taken);
}

/** Answers what can be answered; true when the archivist is to end and has nothing left to do. */
async function serveOthers(archive: Archive): Promise<boolean> {
  for (let i = 0; i < others.length; ) {
    const message = others[i]!;
    if (message.kind === 'close') {
      if (deliveries.waiting.length === 0) return true;
      i++;
    } else if (message.kind === 'checkpoint') {
      archive.compare(message.position, message.digest);
      others.splice(i, 1);
    } else if (message.kind === 'dispute') {
      archive.isDisputed = message.isDisputed;
      others.splice(i, 1);
    } else if (message.position <= archive.position) {
      others.splice(i, 1);
      await inTurn(archive, answer(archive, message.id, message.query));
    } else {
      i++;
    }
  }
  return false;
}

async function answer(
  archive: Archive,
  id: number,
  query: Parameters<Archive['answer']>[0],
): Promise<void> {
  const known = archive.answerOfState(query);
  if (known !== undefined) {
    post({ kind: 'answer', id, answer: known });
    return;
  }
  const answered = archive.answer(query).then(
    (found): FromWorker => ({ kind: 'answer', id, answer: found }),
    (error): FromWorker => {
      if (!(error instanceof HistoryUnavailableError)) throw error;
      return { kind: 'unavailable', id, ...reasonOfRefusal(error) };
    },
  );
  const before = posted;
  posted = (async () => {
    const message = await answered;
    await before;
    post(message);
  })();
  await posted;
}

function reasonOfRefusal(error: HistoryUnavailableError) {
  if (error instanceof HistoryRebuildingError) {
    return { reason: error.message, cause: 'rebuilding' } as const;
  }
  if (!(error instanceof HistoryDamagedError)) {
    return { reason: error.message, cause: 'away' } as const;
  }
  if (damageFound++ === 0 && !isRepaired) {
    logger.warn(`${error.message} See to the database: a backup has what it held.`);
  }
  return { reason: error.finding, cause: 'damaged' } as const;
}

function nextMessage(timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
    // Not at once: a question about what is not delivered yet would keep out the message that brings it.
    if (deliveries.waiting.length > 0 || others.length > 0) setImmediate(wake);
  });
}

function post(message: FromWorker): void {
  self.postMessage(message);
}
