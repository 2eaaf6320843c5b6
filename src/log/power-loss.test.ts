import { expect, test } from 'bun:test';
import { below, type Random, seededRandom } from '../storage/seeded-random.ts';
import { readAll } from '../storage/storage.ts';
import { SimulatedStorage } from '../testing/simulated-storage.ts';
import { contents, DIRECTORY, makePayload, openLog } from '../testing/test-batches.ts';
import { LogFailedError } from './errors.ts';
import type { FileLog } from './file-log.ts';
import { segmentName } from './segment.ts';

// Workloads on a simulated disk that loses power at any time, with faults in between. Afterwards
// the log contains every acknowledged batch once and in order, and at most one more: the batch that
// was being written. A failure prints its seed: POWER_LOSS_FIRST=seed POWER_LOSS_SEEDS=1.
const FIRST_SEED = Number(process.env.POWER_LOSS_FIRST ?? 1);
const SEEDS = Number(process.env.POWER_LOSS_SEEDS ?? 60);
const STEPS = 25;

/** The disk after a power loss, and the payloads that had been sent to the log by then. */
interface Image {
  readonly storage: SimulatedStorage;
  readonly acknowledged: number;
  readonly payloads: readonly Uint8Array[];
}

class Workload {
  readonly images: Image[] = [];
  private acknowledged: number;
  private faultChance = 0;
  private log!: FileLog;
  private readonly segmentBytes: number;

  constructor(
    private readonly random: Random,
    private readonly storage = new SimulatedStorage(),
    /** One per batch; the last batch may not be acknowledged. */
    private payloads: readonly Uint8Array[] = [],
  ) {
    this.acknowledged = payloads.length;
    this.segmentBytes = 300 + below(6000, random);
    storage.onOperation = ({ kind, sizeBytes }) => {
      if (random() < 0.4) this.losePower();
      if (random() >= this.faultChance) return undefined;
      if (kind === 'write' && random() < 0.5) return 1 + below(sizeBytes, random);
      throw new Error(`A ${kind} failed.`);
    };
  }

  async run(): Promise<void> {
    await this.open();
    for (let step = 0; step < STEPS; step++) {
      const choice = this.random();
      if (choice < 0.1) await this.open();
      else if (choice < 0.15) await this.closeAndOpen();
      else await this.append();
    }
    this.losePower();
    this.storage.onOperation = undefined;
  }

  /** Opens the log as after kill -9: written data is still there, synced or not. */
  private async open(): Promise<void> {
    this.faultChance = this.random() < 0.3 ? 0.05 : 0;
    try {
      this.log = await openLog(this.storage, this.segmentBytes);
    } catch {
      this.faultChance = 0;
      this.log = await openLog(this.storage, this.segmentBytes);
    }
    this.payloads = verify(this.log, this.acknowledged, this.payloads);
    this.acknowledged = this.payloads.length;
  }

  private async closeAndOpen(): Promise<void> {
    await this.log.close().catch(() => {});
    await this.open();
  }

  private async append(): Promise<void> {
    const size = this.random() < 0.2 ? 2000 : 40;
    const payload = makePayload(below(1000, this.random), below(size, this.random));
    this.payloads = [...this.payloads.slice(0, this.acknowledged), payload];
    try {
      const batch = await this.log.append(this.acknowledged, 1, payload);
      expect(batch.sequence).toBe(++this.acknowledged);
    } catch (error) {
      expect(error).toBeInstanceOf(LogFailedError);
      await expect(this.log.append(0, 1, payload)).rejects.toThrow(LogFailedError);
      await this.open();
    }
  }

  private losePower(): void {
    const { acknowledged, payloads } = this;
    const storage = this.storage.afterPowerLoss(this.random);
    this.images.push({ storage, acknowledged, payloads });
  }
}

/** Returns the payloads in the log: all acknowledged ones, and at most one more. */
function verify(log: FileLog, acknowledged: number, sent: readonly Uint8Array[]): Uint8Array[] {
  const batches = contents(log);
  expect(batches.map((batch) => batch.sequence)).toEqual(batches.map((_, index) => index + 1));
  expect(batches.length).toBeGreaterThanOrEqual(acknowledged);
  expect(batches.length).toBeLessThanOrEqual(sent.length);
  const payloads = batches.map((batch) => batch.payload);
  expect(payloads).toEqual(sent.slice(0, batches.length));
  return payloads;
}

/**
 * Opens the log after a power loss and checks it; some of the disks then continue to the next loss.
 */
async function survive(image: Image, random: Random, counts: typeof total): Promise<void> {
  const log = await openLog(image.storage);
  const payloads = verify(log, image.acknowledged, image.payloads);
  counts.images++;
  if (payloads.length > image.acknowledged) counts.kept++;
  else if (image.payloads.length > image.acknowledged) counts.lost++;
  if (image.storage.list(DIRECTORY).some((name) => name.endsWith('.broken'))) counts.cut++;
  if (random() >= 0.01) return;
  counts.repeated++;
  const workload = new Workload(random, image.storage.afterPowerLoss(random), payloads);
  await workload.run();
  for (const next of workload.images) await survive(next, random, counts);
}

/** Numbers of images that kept, lost or tore the batch being written. */
const total = { images: 0, kept: 0, lost: 0, cut: 0, repeated: 0 };

test(`no acknowledged batch is lost in ${SEEDS} workloads with power losses`, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    try {
      const random = seededRandom(seed);
      const workload = new Workload(random);
      await workload.run();
      for (const image of workload.images) await survive(image, random, total);
    } catch (error) {
      throw new Error(`Seed ${seed} fails.`, { cause: error });
    }
  }
  console.log(JSON.stringify(total));
  expect(total.images).toBeGreaterThan(20 * SEEDS);
  if (SEEDS < 60) return;
  expect(total.images).toBeGreaterThan(2000);
  expect(Math.min(total.kept, total.lost, total.cut, total.repeated)).toBeGreaterThan(20);
}, 3_600_000);

test('recovery saves torn bytes durably before cutting them off', async () => {
  const random = seededRandom(FIRST_SEED);
  const storage = new SimulatedStorage();
  const log = await openLog(storage);
  const batch = await log.append(1, 1, makePayload(1));
  await log.close();
  const segment = `${DIRECTORY}/${segmentName(1)}`;
  const sizeBytes = readAll(storage, segment).length;
  const torn = makePayload(2, 700);
  storage.corrupt(segment, (bytes) => Uint8Array.from([...bytes, ...torn]));
  const images: SimulatedStorage[] = [];
  storage.onOperation = () => {
    for (let count = 0; count < 50; count++) images.push(storage.afterPowerLoss(random));
    return undefined;
  };
  await openLog(storage);
  let cut = 0;
  for (const image of images) {
    if (readAll(image, segment).length === sizeBytes) {
      cut++;
      expect(readAll(image, `${segment}.${sizeBytes}.broken`)).toEqual(torn);
    }
    expect(contents(await openLog(image))).toEqual([batch]);
  }
  expect(cut).toBeGreaterThan(10);
});
