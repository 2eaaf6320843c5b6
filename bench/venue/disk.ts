import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../src/client/index.ts';
import { Processes } from '../rest/processes.ts';

const PORT = 4306;
const DAY_MS = 86_400_000;
const DAYS_PER_YEAR = 365;
/** Longer times are played coarsely, with fewer turns of the market makers. */
const STEP_MS = 600_000;
/** The archivist looks for segments that are due every five seconds. */
const SETTLE_MS = 15_000;

/**
 * Plays days of the living sandbox at every turn of its market makers, with an archive, and measures what they leave on the
 * disk. Returns bytes at the beginning, at the end, and per day, and what a year comes to.
 */
export async function measureDisk(
  days: number,
  keepLog: string,
  keepHistory?: string,
): Promise<object> {
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-'));
  const archive = join(directory, 'archive');
  mkdirSync(archive);
  const data = join(directory, 'data');
  const settings = {
    BUTTONWOOD_DATA: data,
    BUTTONWOOD_CLOCK: 'frozen',
    BUTTONWOOD_RATE_LIMITS: 'off',
    BUTTONWOOD_ARCHIVE: `file://${archive}`,
    BUTTONWOOD_KEEP_LOG: keepLog,
    ...(keepHistory === undefined ? {} : { BUTTONWOOD_KEEP_HISTORY: keepHistory }),
  };
  const processes = new Processes();
  const measure = () => ({
    log: sizeMb(join(data, 'log')),
    /** Size of the segments in the archive before they were compressed. */
    moved: movedMb(data),
    archive: sizeMb(archive),
    history: sizeMb(data, (name) => name.startsWith('history.sqlite')),
    snapshots: sizeMb(join(data, 'snapshots')),
  });
  try {
    // The first stop leaves SQLite's write-ahead log in the database.
    await processes.stop(await processes.serve(['src/main.ts', 'start'], PORT, settings));
    const before = measure();
    const node = await processes.serve(['src/main.ts', 'start'], PORT, settings);
    const operator = connect(data);
    const begin = performance.now();
    let mostLog = 0;
    for (let step = 0; step < (days * DAY_MS) / STEP_MS; step++) {
      await operator.setSandboxClock({ advanceMs: STEP_MS });
      mostLog = Math.max(mostLog, sizeMb(join(data, 'log')));
    }
    const seconds = (performance.now() - begin) / 1000;
    await Bun.sleep(SETTLE_MS);
    await processes.stop(node);
    const after = measure();
    const perDay = (before: number, after: number) => round((after - before) / days);
    const log = perDay(before.log + before.moved, after.log + after.moved);
    const packed = round(after.archive / after.moved);
    const history = perDay(before.history, after.history);
    return {
      days,
      keepLog,
      keepHistory: keepHistory ?? null,
      seconds: Math.round(seconds),
      before,
      after,
      mostLog,
      perDay: { log, archive: round(log * packed), history },
      gigabytesPerYear: {
        archive: toYear(log * packed),
        history: toYear(history),
      },
    };
  } finally {
    await processes.end();
    rmSync(directory, { recursive: true });
  }
}

function connect(data: string): Client {
  const { accounts } = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as {
    accounts: { name: string; apiKey: string; apiSecret: string }[];
  };
  const { apiKey, apiSecret } = accounts.find(({ name }) => name === 'operator')!;
  return new Client({ baseUrl: `http://127.0.0.1:${PORT}`, apiKey, apiSecret, timeoutMs: 600_000 });
}

/** Returns the size of the files of a directory, megabytes. */
function sizeMb(directory: string, isCounted = (_name: string) => true): number {
  const names = readdirSync(directory).filter(isCounted);
  const bytes = names.map((name) => statSync(join(directory, name), { throwIfNoEntry: false }));
  return round(bytes.reduce((sum, found) => sum + (found?.isFile() ? found.size : 0), 0) / 1e6);
}

function movedMb(data: string): number {
  const path = join(data, 'log/archived');
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return 0;
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const sizes = lines.map((line) => (JSON.parse(line.slice(65)) as { bytes: number }).bytes);
  return round(sizes.reduce((sum, size) => sum + size, 0) / 1e6);
}

function toYear(megabytes: number): number {
  return round((megabytes * DAYS_PER_YEAR) / 1000);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
