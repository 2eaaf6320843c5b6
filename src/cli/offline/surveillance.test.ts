import { afterEach, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import type { Command } from '../../engine/command.ts';
import { FileLog } from '../../log/file-log.ts';
import { Progress } from '../../monitoring/progress.ts';
import { DiskStorage } from '../../storage/disk-storage.ts';
import { ABUSER, PARTNER, playScenario, type SCENARIOS } from '../../testing/market-abuse.ts';
import { runForTest } from '../../testing/test-cli.ts';
import { TestDirectory } from '../../testing/test-directory.ts';
import { appendBatch } from '../../testing/test-exchange.ts';
import { runSurveillance } from './surveillance.ts';

let directory: TestDirectory;
afterEach(() => directory.remove());

/** Writes a scenario as a log, with the commands of a time in one batch. @returns Their batches. */
async function writeLog(name: keyof typeof SCENARIOS): Promise<(readonly Command[])[]> {
  directory = new TestDirectory();
  mkdirSync(directory.paths.snapshots);
  const byTime = Map.groupBy(playScenario(name, 7, true), ({ time }) => time);
  const storage = new DiskStorage(false);
  const log = await FileLog.open({ storage, directory: directory.paths.log });
  const batches: (readonly Command[])[] = [];
  for (const [time, timed] of byTime) {
    const commands = timed.map(({ command }) => command);
    batches.push(commands);
    await appendBatch(log, time, commands);
  }
  await log.close();
  return batches;
}

/** Runs the command, which must change nothing. */
async function run(...options: readonly string[]) {
  const before = directory.contents();
  const result = await runForTest(['surveillance', 'run', '--data', directory.path, ...options]);
  expect(directory.contents()).toEqual(before);
  return result;
}

test('alerts name users and cite the commands in the log', async () => {
  const batches = await writeLog('wash_trading');
  const { exitCode, out } = await run('--json');
  expect(exitCode).toBe(0);
  const { alerts, failures } = JSON.parse(out);
  expect(failures).toEqual([]);
  expect(alerts).toHaveLength(1);
  const [alert] = alerts;
  const accounts = [`trader-${ABUSER}`, `trader-${PARTNER}`];
  expect(alert).toMatchObject({ detector: 'wash_trading', symbol: 'BTC/USDT', accounts });
  for (const { position, index } of [alert.from, alert.to]) {
    expect(batches[position - 1]![index]).toMatchObject({ account: expect.any(Number) });
  }
  expect(alert.id).toStartWith(`wash_trading-${alert.from.position}-${alert.from.index}-`);

  expect(JSON.parse((await run('--json')).out)).toEqual({ alerts, failures });
  const alone = await run('--json', '--detector', 'wash_trading');
  expect(JSON.parse(alone.out).alerts).toEqual(alerts);
  expect((await run('--detector', 'pump')).out).toBe('No alerts.');
  const { out: table } = await run();
  expect(table).toContain(`${alert.from.position}–${alert.to.position}`);

  // Before the last command that the alert needs there is nothing to report.
  const early = await run('--at', String(alert.from.position));
  expect(early.out).toBe('No alerts.');
  expect((await run('--exclude', accounts[0]!)).out).toBe(table);
  const both = accounts.flatMap((account) => ['--exclude', account]);
  expect((await run(...both)).out).toBe('No alerts.');
});

test('CSV has a row per alert', async () => {
  await writeLog('spoofing');
  const { out } = await run('--csv');
  const [header, row, ...rest] = out.split('\r\n');
  expect(header).toBe(
    'id,detector,symbol,accounts,fromPosition,fromIndex,fromTime,toPosition,toIndex,toTime,figures',
  );
  expect(row).toMatch(/^spoofing-\d+-\d+-0-3,spoofing,BTC\/USDT,trader-3,\d+,\d+,2026-01-01T/);
  expect(rest).toEqual([]);
});

test('a detector that fails is named with its position, and the command fails', async () => {
  await writeLog('pump');
  const options = { excluded: [], isCsv: false };
  const stream = { isTTY: false, columns: 80, write: () => true };
  const progress = new Progress(stream, () => 0);
  const fail = () => {
    throw new Error('a defect');
  };
  const detectors = [
    {
      ...{ name: 'spoofing' as const, windowMs: 1000, readOrders: fail, endWindow: () => [] },
      ...{ save: () => null, restore: () => {} },
    },
  ];
  const place = { path: directory.path };
  const { data, text, exitCode } = await runSurveillance(place, options, progress, () => detectors);
  expect(exitCode).toBe(1);
  expect(data).toEqual({
    alerts: [],
    failures: [{ detector: 'spoofing', position: expect.any(Number), reason: 'a defect' }],
  });
  expect(text).toContain('The detector spoofing failed at position ');
});

test('an account that does not exist is refused', async () => {
  await writeLog('pump');
  const { exitCode, error } = await run('--exclude', 'nobody-1');
  expect(exitCode).toBe(1);
  expect(error).toContain('There is no account nobody-1 in this log.');
});
