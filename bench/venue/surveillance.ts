import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyBatch } from '../../src/archivist/recovery.ts';
import { RememberedByEngine } from '../../src/archivist/remembered.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Event } from '../../src/engine/event.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { findOwner } from '../../src/engine/ledger/accounts.ts';
import { History } from '../../src/history/history.ts';
import type { Batch } from '../../src/log/log.ts';
import { createDetectors, Surveillance } from '../../src/surveillance/surveillance.ts';
import { encode } from '../../src/testing/test-exchange.ts';
import { BATCH, START, Traders } from '../engine/mix.ts';
import { median, neighborMeans, pairedRatio } from '../pairs.ts';

const MIX = { accounts: 1000, markets: 5, openOrders: 50_000 };
const SLICE_BATCHES = 400;
/** The first slices compile the code. */
const WARM_SLICES = 4;
/** Time between two batches by the log, so that windows end during the bench. */
const BATCH_MS = 20;

/** The time of a slice: on the processor, by the clock, and by the clock in detectors; milliseconds. */
interface Slice {
  readonly cpu: number;
  readonly wall: number;
  readonly detectors: number;
}

/**
 * Measures what detectors add to the archivist's work: decoding and applying batches, recording rows, and storing them in SQLite at
 * the end of each slice. Slices with detectors take turns with slices without. `share` is the
 * time in detectors, of the time of the slice; `ratio` compares the processor's time of whole slices, which storing makes uneven.
 * @param slices Number of slices with detectors, each between two without.
 */
export async function measureSurveillance(slices: number): Promise<object> {
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-surveillance-'));
  const history = await History.open(`sqlite://${join(directory, 'history.sqlite')}`);
  try {
    const archivist = new Archivist(history);
    const traders = new Traders(MIX);
    await archivist.play(traders.opening(), false);
    const slice = (isWatched: boolean) =>
      archivist.play(traders.next(SLICE_BATCHES * BATCH), isWatched);
    for (let index = 0; index < WARM_SLICES; index++) await slice(index % 2 === 0);
    const [plain, watched]: Slice[][] = [[await slice(false)], []];
    for (let index = 0; index < slices; index++) {
      watched!.push(await slice(true));
      plain!.push(await slice(false));
    }
    const cpus = (of: readonly Slice[]) => of.map(({ cpu }) => cpu);
    const { ratio, ratioFrom, ratioTo } = pairedRatio(cpus(watched!), neighborMeans(cpus(plain!)));
    const shares = watched!.map(({ detectors, wall }) => Number((detectors / wall).toFixed(4)));
    const perCommand = (ms: number) => Number(((ms * 1000) / (SLICE_BATCHES * BATCH)).toFixed(3));
    return {
      slices,
      commandsPerSlice: SLICE_BATCHES * BATCH,
      plainMicros: perCommand(median(cpus(plain!))),
      watchedMicros: perCommand(median(cpus(watched!))),
      share: median(shares),
      shareSpread: [Math.min(...shares), Math.max(...shares)],
      ratio,
      ratioSpread: [ratioFrom, ratioTo],
    };
  } finally {
    await history.close();
    rmSync(directory, { recursive: true });
  }
}

/** The work of the archivist on one exchange, without a log. */
class Archivist {
  private readonly exchange = new Exchange();
  private readonly remembered = new RememberedByEngine(this.exchange.state);
  private readonly surveillance: Surveillance;
  private sequence = 0;

  constructor(private readonly history: History) {
    const { state } = this.exchange;
    const detectors = createDetectors((account) => findOwner(state.accounts, account));
    this.surveillance = new Surveillance(detectors, {
      onAlert: () => {},
      onFailure: (_, error) => {
        throw error;
      },
    });
  }

  /** Applies commands in batches. */
  async play(commands: readonly Command[], isWatched: boolean): Promise<Slice> {
    const batches: Batch[] = [];
    for (let from = 0; from < commands.length; from += BATCH) {
      batches.push(this.batch(commands.slice(from, from + BATCH)));
    }
    Bun.gc(true);
    const cpu = process.cpuUsage();
    const start = performance.now();
    let detectors = 0;
    for (const batch of batches) detectors += this.apply(batch, isWatched);
    await this.history.settle();
    const wall = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    return { cpu: (user + system) / 1000, wall, detectors };
  }

  private batch(commands: readonly Command[]): Batch {
    const sequence = ++this.sequence;
    const time = START + sequence * BATCH_MS;
    const hash = new Uint8Array(32);
    return { sequence, time, hash, count: commands.length, payload: encode(commands) };
  }

  /** Applies a batch; detectors read it together, so that measuring costs nothing per command. @returns Their time. */
  private apply(batch: Batch, isWatched: boolean): number {
    const { exchange, history, remembered, surveillance } = this;
    const { state } = exchange;
    const read: (readonly Event[])[] = [];
    const times: number[] = [];
    history.begin(batch);
    applyBatch(exchange, batch, new Set(), ({ sequence }, index, command, outcome) => {
      remembered.note(outcome);
      const { events } = exchange;
      history.record(sequence, index, state.time, command, outcome, events, remembered);
      if (!isWatched) return;
      read.push(events.slice());
      times.push(state.time);
    });
    const start = performance.now();
    for (let index = 0; index < read.length; index++) {
      const { sequence } = batch;
      surveillance.read({ sequence, index, time: times[index]! }, read[index]!);
    }
    return performance.now() - start;
  }
}
