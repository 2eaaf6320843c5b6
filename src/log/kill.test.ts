import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskStorage } from '../storage/disk-storage.ts';
import { contents, makePayload } from '../testing/test-batches.ts';
import { FileLog } from './file-log.ts';

const parent = mkdtempSync(join(tmpdir(), 'buttonwood-kill-'));
afterAll(() => rmSync(parent, { recursive: true }));

/** A process that appends until it is killed, and prints each sequence once acknowledged. */
const APPENDER = `
  import { writeSync } from 'node:fs';
  import { FileLog } from ${JSON.stringify(join(import.meta.dir, 'file-log.ts'))};
  import { makePayload } from ${JSON.stringify(join(import.meta.dir, '../testing/test-batches.ts'))};
  import { DiskStorage } from ${JSON.stringify(join(import.meta.dir, '../storage/disk-storage.ts'))};
  const directory = process.argv.at(-1);
  const log = await FileLog.open({ storage: new DiskStorage(), directory, segmentBytes: 20_000 });
  for (;;) {
    const next = log.lastSequence + 1;
    await log.append(Date.now(), 1, makePayload(next, 3000));
    writeSync(1, next + '\\n');
  }
`;

test('after kill -9 the log contains all acknowledged batches, and at most one more', async () => {
  const directory = join(parent, 'log');
  let before = 0;
  for (let round = 1; round <= 5; round++) {
    const appender = Bun.spawn([process.execPath, '-e', APPENDER, directory], { stdout: 'pipe' });
    const decoder = new TextDecoder();
    let output = '';
    for await (const chunk of appender.stdout) {
      output += decoder.decode(chunk);
      if (output.split('\n').length > 10 * round) appender.kill('SIGKILL');
    }
    await appender.exited;
    const acknowledged = Number(output.split('\n').at(-2));
    expect(acknowledged).toBeGreaterThanOrEqual(before + 10 * round);

    const log = await FileLog.open({ storage: new DiskStorage(), directory });
    const batches = contents(log);
    expect(batches.length - acknowledged).toBeWithin(0, 2);
    for (const { sequence, payload } of batches) {
      expect(payload).toEqual(makePayload(sequence, 3000));
    }
    before = batches.length;
    await log.close();
  }
}, 60_000);
