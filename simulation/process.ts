import type { Archive } from '../src/archivist/archive.ts';
import type { Archivist } from '../src/archivist/archivist.ts';
import { openFileArchive } from '../src/archivist/file-archive.ts';
import {
  applyBatch,
  loadNewest,
  noteSkip,
  type ReadableLog,
  type Recovered,
  skipsIn,
} from '../src/archivist/recovery.ts';
import { SnapshotStore } from '../src/archivist/snapshots/snapshots.ts';
import type { Command } from '../src/engine/command.ts';
import type { Event } from '../src/engine/event.ts';
import type { Exchange } from '../src/engine/exchange.ts';
import type { Recorder } from '../src/history/history.ts';
import { FileLog } from '../src/log/file-log.ts';
import type { Batch } from '../src/log/log.ts';
import type { GuardedClock } from '../src/monitoring/clock.ts';
import type { Reply } from '../src/replica/in-flight-batch.ts';
import { Replica } from '../src/replica/replica.ts';
import { singleNodeLog } from '../src/replica/replica-log.ts';
import { ArchivedLog } from '../src/retention/archived-log.ts';
import { Archiver } from '../src/retention/archiver.ts';
import { DirectoryStore } from '../src/retention/directory-store.ts';
import { LogArchive } from '../src/retention/log-archive.ts';
import { Manifest } from '../src/retention/manifest.ts';
import type { SimulatedStorage } from '../src/testing/simulated-storage.ts';
import { allBatches, COMPRESSION } from './archived-batches.ts';
import type { Coverage } from './coverage.ts';
import type { HistoryFiles } from './history-files.ts';
import { ProcessDisk, ProcessEndedError } from './process-disk.ts';
import { below, type Random } from './random.ts';
import type { Schedule } from './schedule.ts';
import { SimulatedArchivist } from './simulated-archivist.ts';

export const LOG = '/data/log';
export const SNAPSHOTS = '/data/snapshots';
export const ARCHIVE = '/data/archive';

/** Maximum duration of most syncs. */
const SYNC_MS = 3;
const SLOW_SYNC_MS = 300;

export interface ProcessOptions {
  readonly schedule: Schedule;
  readonly random: Random;
  readonly coverage: Coverage;
  readonly storage: SimulatedStorage;
  readonly history: HistoryFiles;
  readonly segmentBytes: number;
  readonly maxBatchBytes: number;
  /** Returns the clock of a starting process. */
  readonly newClock: () => GuardedClock;
  /** Called with a durable batch, before it is applied. */
  readonly onBatch: (batch: Batch) => void;
  /** Called with the events of an applied command. */
  readonly onEvents: (events: readonly Event[]) => void;
  /** Called when the process cannot continue. */
  readonly onFailure: (error: Error) => void;
}

/** A process of the node: recovery, then the serving replica and its archivist. */
export class Process {
  isAlive = true;
  /** Whether it has reported that it cannot continue. */
  hasFailed = false;
  /** Whether the disk has reported an error to it, and whether that was in the log's directory. */
  hadDiskError = false;
  hadLogError = false;
  private pauses = 0;
  private readonly clock: GuardedClock;
  private readonly disk: ProcessDisk;
  /** The same disk, whose errors do not concern the log. */
  private readonly archiveDisk: ProcessDisk;
  private replica: Replica | undefined;
  private archivist: Archivist | undefined;
  private log: FileLog | undefined;
  private opened: Archive | undefined;

  constructor(private readonly options: ProcessOptions) {
    this.clock = options.newClock();
    const host = {
      isAliveNow: () => this.isAlive,
      pause: (label: string) => this.pause(label),
    };
    this.disk = new ProcessDisk(options.storage, {
      ...host,
      onError: (path) => this.noteDiskError(path),
    });
    this.archiveDisk = new ProcessDisk(options.storage, {
      ...host,
      onError: () => {
        this.hadDiskError = true;
      },
    });
  }

  /** Recovers and begins to serve. Never resolves if the process ends before. */
  async start(): Promise<void> {
    const { disk, options } = this;
    const log = await FileLog.open({
      storage: disk,
      directory: LOG,
      segmentBytes: options.segmentBytes,
    });
    this.log = log;
    this.clock.startAfter(log.lastTime);
    for (const directory of [SNAPSHOTS, ARCHIVE]) await disk.makeDirectory(directory);
    const snapshots = new SnapshotStore(disk, SNAPSHOTS);
    const warn = () => options.coverage.count('recovery', 'damaged snapshot skipped');
    const recovered = loadNewest(snapshots, undefined, warn);
    options.coverage.count(
      'recovery',
      recovered.position.sequence > 0 ? 'snapshot and tail' : 'whole log',
    );
    const logEnd = log.lastSequence;
    const store = new LogArchive(new DirectoryStore(this.archiveDisk, ARCHIVE), COMPRESSION);
    const manifest = Manifest.open(this.archiveDisk, LOG);
    const archived = new ArchivedLog(disk, LOG, () => manifest.entries, store);
    const history = await options.history.open();
    const archiver = this.createArchiver(store, manifest, snapshots, history);
    await archiver.recoverManifest();
    await replayOver((sequence, hash) => archived.stream({ sequence, hash }, logEnd), recovered);
    await this.pause('recovered');
    const archive = await openFileArchive({
      log: { read: (sequence, hash) => archived.stream({ sequence, hash }, logEnd) },
      snapshots,
      history,
      elapsedMs: () => options.schedule.elapsedMs,
      warn,
    });
    this.opened = archive;
    if (!this.isAlive) throw new ProcessEndedError();
    this.archivist = new SimulatedArchivist(
      archive,
      {
        later: (maxDelayMs, label, work) => this.later(maxDelayMs, label, work),
        onFailure: options.onFailure,
      },
      options.random,
      options.coverage,
      archiver,
    );
    const replica = this.createReplica(recovered.exchange, log, this.archivist);
    await replica.begin();
    this.replica = replica;
  }

  /** The digest of the state, to sample by the disk. */
  get isWaiting(): boolean {
    return this.pauses > 0;
  }

  get isServing(): boolean {
    return this.isAlive && this.replica !== undefined;
  }

  get exchange(): Exchange {
    return this.replica!.exchange;
  }

  /** The archivist, which has its own replica. */
  get archive(): Archive {
    return this.opened!;
  }

  /** Returns all batches of the log, verified. */
  batches(): Iterable<Batch> {
    return allBatches(this.disk, LOG, ARCHIVE, this.log!.lastSequence);
  }

  submit(command: Command, reply: Reply): void {
    this.replica!.submit(command, reply);
  }

  /** Stops in order, as a node does on SIGTERM. */
  async stop(): Promise<void> {
    await this.replica!.close();
    await this.archivist!.close();
    await this.log!.close();
  }

  /** Ends immediately: pending work never finishes. */
  end(): void {
    this.isAlive = false;
    this.options.schedule.forget(this);
  }

  private createArchiver(
    archive: LogArchive,
    manifest: Manifest,
    snapshots: SnapshotStore,
    history: Recorder,
  ): Archiver {
    return new Archiver({
      storage: this.archiveDisk,
      directory: LOG,
      archive,
      manifest,
      kept: { maxBytes: 0 },
      neededFrom: () => Math.min(snapshots.sequences()[1] ?? 0, history.position().sequence),
      logTime: () => this.log!.lastTime,
      skipsIn,
      pause: async () => {},
    });
  }

  private createReplica(exchange: Exchange, log: FileLog, archivist: Archivist): Replica {
    const { options } = this;
    return new Replica({
      exchange,
      log: singleNodeLog(log),
      archivist: {
        deliver: (batch, digestBefore) => {
          options.onBatch(batch);
          archivist.deliver(batch, digestBefore);
        },
        checkpoint: (position, digest) => archivist.checkpoint(position, digest),
        noteDispute: () => {},
        lagMs: () => archivist.lagMs(),
        query: (query, position) => archivist.query(query, position),
        close: () => archivist.close(),
      },
      now: this.clock.now,
      maxBatchBytes: options.maxBatchBytes,
      timers: {
        soon: (work) => this.later(0, 'replica', work),
        after: (delayMs, work) => options.schedule.after(this, delayMs, 'replica aims', work),
        every: (intervalMs, work) => this.every(intervalMs, work),
      },
      onEvents: options.onEvents,
      onFailure: options.onFailure,
    });
  }

  private every(intervalMs: number, work: () => void): () => void {
    let isOn = true;
    const again = () => {
      if (!isOn) return;
      work();
      this.options.schedule.after(this, intervalMs, 'replica ticks', again);
    };
    this.options.schedule.after(this, intervalMs, 'replica ticks', again);
    return () => {
      isOn = false;
    };
  }

  private later(maxDelayMs: number, label: string, work: () => void): void {
    const { schedule, random } = this.options;
    schedule.after(this, below(maxDelayMs + 1, random), label, work);
  }

  private pause(label: string): Promise<void> {
    const maxDelayMs = this.options.random() < 0.02 ? SLOW_SYNC_MS : SYNC_MS;
    this.pauses++;
    return new Promise((resolve) =>
      this.later(maxDelayMs, label, () => {
        this.pauses--;
        resolve();
      }),
    );
  }

  private noteDiskError(path: string): void {
    this.hadDiskError = true;
    this.hadLogError ||= path.startsWith(LOG);
  }
}

/** Brings an exchange up to the end of the log. */
async function replayOver(
  read: ReadableLog['read'],
  { exchange, position }: Recovered,
): Promise<void> {
  const skips = new Set<string>();
  for await (const batch of read(position.sequence, position.hash)) noteSkip(batch, skips);
  for await (const batch of read(position.sequence, position.hash)) {
    applyBatch(exchange, batch, skips);
  }
}
