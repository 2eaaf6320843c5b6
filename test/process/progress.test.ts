import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { dataPaths } from '../../src/config/data-paths.ts';
import { FileLog } from '../../src/log/file-log.ts';
import { DiskStorage } from '../../src/storage/disk-storage.ts';
import { appendBatch, command, GENESIS_COMMANDS } from '../../src/testing/test-exchange.ts';
import { temporaryDirectory } from './exchange-process.ts';

/** Tests the progress output of `buttonwood verify` on a terminal and in a pipe. */

setDefaultTimeout(120_000);

const CLEAR_LINE = '\r\x1b[K';
const BATCHES = 100;
const BATCH_COMMANDS = 4000;
const directory = temporaryDirectory();
const VERIFY = ['bin/bun.mjs', 'src/main.ts', 'verify', '--json', '--data', directory.path];
const cwd = join(import.meta.dir, '../..');

beforeAll(async () => {
  const { log: path } = dataPaths(directory.path);
  const log = await FileLog.open({ storage: new DiskStorage(), directory: path });
  await appendBatch(log, 1000, GENESIS_COMMANDS);
  for (let batch = 0; batch < BATCHES; batch++) {
    const numbers = Array.from({ length: BATCH_COMMANDS }, (_, index) => index);
    const commands = numbers.map((index) => command(batch * BATCH_COMMANDS + index));
    await appendBatch(log, 2000 + batch, commands);
  }
  await log.close();
});
afterAll(() => directory.remove());

test('on a terminal a progress line is rewritten until the result; standard output has only the result', async () => {
  const output = join(directory.path, 'result.json');
  let written = '';
  const decoder = new TextDecoder();
  const child = Bun.spawn(['sh', '-c', 'exec node "$@" > "$OUTPUT"', 'sh', ...VERIFY], {
    cwd,
    env: { ...process.env, OUTPUT: output },
    terminal: {
      cols: 100,
      rows: 20,
      data: (_, bytes) => {
        written += decoder.decode(bytes, { stream: true });
      },
    },
  });
  expect(await child.exited).toBe(0);
  // The last bytes may be read after the process has ended.
  for (const since = Date.now(); !written.endsWith(CLEAR_LINE) && Date.now() < since + 5000; ) {
    await Bun.sleep(10);
  }
  child.terminal?.close();
  const [, first] = written.split(CLEAR_LINE);
  expect(first).toMatch(/^re(ading|playing) the log, \d+ %, \d+ of 101 batches, \d+ s$/);
  expect(written).toEndWith(CLEAR_LINE);
  expect(written).not.toContain('\n');
  expect(await Bun.file(output).json()).toMatchObject({ sound: true, batches: BATCHES + 1 });
});

test('without a terminal a command of less than ten seconds prints only its result', async () => {
  const child = Bun.spawn(['node', ...VERIFY], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect(JSON.parse(out)).toMatchObject({ sound: true });
  // On a busy machine it may take longer.
  for (const line of error.split('\n').filter(Boolean)) {
    expect(line).toMatch(/^(reading|replaying) the log, \d+ %, \d+ of 101 batches, \d+ s$/);
  }
});
