import { afterEach, expect, test } from 'bun:test';
import { loadNewest, replay } from '../../archivist/recovery.ts';
import { CommandKind } from '../../engine/command.ts';
import { writeSnapshot } from '../../engine/snapshot/snapshot.ts';
import { Side } from '../../engine/terms.ts';
import { FileLog } from '../../log/file-log.ts';
import { lockDirectory } from '../../storage/lock.ts';
import { runForTest } from '../../testing/test-cli.ts';
import { POISON, TestDirectory } from '../../testing/test-directory.ts';
import { limitOrder } from '../../testing/test-exchange.ts';

let directory: TestDirectory;
afterEach(() => directory.remove());

const order = limitOrder(2, Side.buy, 900, 77);

/** Writes batch 12: a valid order, the poisoned command, and another valid order. */
async function poisoned(): Promise<void> {
  directory = await TestDirectory.create([4, 9]);
  await directory.append(3000, [order, POISON, order]);
}

function skip(sequence: number, index: number, ...options: string[]) {
  const place = ['--sequence', `${sequence}`, '--index', `${index}`];
  return runForTest([
    'skip',
    '--data',
    directory.path,
    ...place,
    '--reason',
    'ticket 12',
    ...options,
  ]);
}

/** Returns the error of a rejected skip, which must change nothing. */
async function rejectedSkip(sequence: number, index: number): Promise<string> {
  const before = directory.contents();
  const { exitCode, out, error } = await skip(sequence, index);
  expect(exitCode).toBe(1);
  expect(out).toBe('');
  expect(directory.contents()).toEqual(before);
  return error;
}

test('skips the command that stops a replay, and no other', async () => {
  await poisoned();
  const { exitCode, out } = await skip(12, 1);
  expect(exitCode).toBe(0);
  expect(out).toContain('Command 1 of batch 12 is skipped from now on; batch 13 records it.');
  expect(out).toMatch(/Cause +the log opens the exchange twice/);
  expect(out).toMatch(/kind +open/);
  expect(out).toContain('in the audit');

  const log = await FileLog.open({ storage: directory.storage, directory: directory.paths.log });
  const recovered = loadNewest(directory.snapshots);
  replay(log, recovered);
  expect(log.lastSequence).toBe(13);
  const [last] = [...log.read(12)];
  expect(last).toMatchObject({ count: 1 });
  expect(last!.payload[0]).toBe(CommandKind.skip);
  await log.close();
  const { state } = recovered.exchange;
  const held: number[] = [];
  state.forEachOrder((slot) => held.push(state.orders.price(slot)));
  expect(held.filter((price) => price === 900)).toHaveLength(2);

  const verified = JSON.parse(
    (await runForTest(['verify', '--data', directory.path, '--json'])).out,
  );
  expect(verified).toMatchObject({
    sound: true,
    logPosition: 13,
    stateHash: new Bun.SHA256().update(writeSnapshot(recovered.exchange)).digest('hex'),
    skips: [{ sequence: 12, index: 1, reason: 'ticket 12' }],
  });
});

test('--json prints the command as it is in the log', async () => {
  await poisoned();
  expect(JSON.parse((await skip(12, 1, '--json')).out)).toEqual({
    sequence: 12,
    index: 1,
    time: '1970-01-01T00:00:03.000Z',
    command: { kind: 'open', version: 1, sandbox: true },
    cause: 'the log opens the exchange twice',
    reason: 'ticket 12',
    recordedAs: 13,
  });
});

test('rejects a valid command next to the one that stops a replay', async () => {
  await poisoned();
  expect(await rejectedSkip(12, 0)).toContain(
    'Command 1 of batch 12 stops the replay, not this one.',
  );
  expect(await rejectedSkip(11, 0)).toContain(
    'Command 1 of batch 12 stops the replay, not this one.',
  );
});

test('rejects the skip if nothing stops a replay', async () => {
  directory = await TestDirectory.create();
  expect(await rejectedSkip(11, 2)).toContain('does not stop a replay, so skipping would lose it.');
});

test('rejects a second skip of the same command', async () => {
  await poisoned();
  await skip(12, 1);
  expect(await rejectedSkip(12, 1)).toContain('Command 1 of batch 12 is already skipped.');
});

test('rejects a command that was applied, according to a snapshot', async () => {
  await poisoned();
  expect(await rejectedSkip(9, 0)).toContain('the snapshot of batch 9 includes it');
  expect(await rejectedSkip(5, 0)).toContain('the snapshot of batch 9 includes it');
});

test('rejects a position without a command', async () => {
  await poisoned();
  expect(await rejectedSkip(13, 0)).toContain('There is no batch 13: the log ends at 12.');
  expect(await rejectedSkip(12, 3)).toContain('Batch 12 has no command 3: its last one is 2.');
});

test('fails while the directory is in use', async () => {
  await poisoned();
  const lock = lockDirectory(directory.path);
  const error = await rejectedSkip(12, 1);
  lock.release();
  expect(error).toContain('A node is running in');
});
