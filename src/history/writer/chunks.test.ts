import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CommandKind } from '../../engine/command.ts';
import { InvariantError } from '../../engine/rejection.ts';
import { HistoryForeignError, HistoryUnavailableError } from '../errors.ts';
import { Chunks } from './chunks.ts';
import type { Position } from './writer.ts';

const EMPTY: Position = { sequence: 0, hash: new Uint8Array(32) };

function at(sequence: number, mark = 1): Position {
  return { sequence, hash: new Uint8Array(32).fill(sequence).fill(mark, 0, 1) };
}

/** A batch with one audited command. */
function record(chunks: Chunks, sequence: number, time: number, mark = 1): void {
  chunks.begin({ ...at(sequence, mark), time });
  const command = { kind: CommandKind.revokeKey, account: -1, key: -1, apiKey: 'k' } as const;
  chunks.record(sequence, 0, time, command, { kind: 'done' }, []);
}

const listSequences = (chunks: Chunks, position: Position) =>
  chunks.after(position).flatMap(({ audit }) => audit.map(({ sequence }) => sequence));

const times = fc
  .array(fc.nat(700), { minLength: 1, maxLength: 60 })
  .map((waits) => waits.map((_, place) => waits.slice(0, place + 1).reduce((a, b) => a + b, 5000)));

test('a node that starts at the end of a chunk forms the same chunks after it', () => {
  fc.assert(
    fc.property(times, fc.nat(100), (list, pick) => {
      const seconds = list.map((time) => Math.floor(time / 1000));
      const edges = [...seconds.keys()].filter((n) => n > 0 && seconds[n] !== seconds[n - 1]);
      const begun = [0, ...edges][pick % (edges.length + 1)]!;
      const chunks = new Chunks(at(begun), 0);
      for (let n = begun; n < list.length; n++) record(chunks, n + 1, list[n]!);
      const due = chunks.due();
      const last = edges.at(-1) ?? 0;
      // Together they end at the start of the last second, and every later batch is seen once.
      if (begun === last) expect(due).toBeUndefined();
      else expect(due).toMatchObject({ from: { sequence: begun }, to: { sequence: last } });
      const behind = list.slice(begun).map((_, place) => begun + place + 1);
      expect(listSequences(chunks, at(begun))).toEqual(behind);
      for (const edge of edges.filter((each) => each > begun)) {
        chunks.absorb(at(edge));
        expect(listSequences(chunks, at(edge))).toEqual(behind.filter((n) => n > edge));
      }
      expect(chunks.due()).toBeUndefined();
    }),
  );
});

test('a repeated second ends no chunk, and a batch without commands may end one', () => {
  const chunks = new Chunks(EMPTY, 0);
  record(chunks, 1, 1_999);
  record(chunks, 2, 1_999);
  expect(chunks.due()).toBeUndefined();
  chunks.begin({ ...at(3), time: 2_000 });
  expect(chunks.due()).toMatchObject({ from: EMPTY, to: at(2) });
  expect(() => chunks.begin({ ...at(5), time: 2_000 })).toThrow(InvariantError);
});

test('the rows of a running query are kept and do not change', () => {
  const chunks = new Chunks(EMPTY, 0);
  for (const n of [1, 2, 3]) record(chunks, n, n * 1000);
  const unpin = chunks.pin();
  chunks.absorb(at(2));
  const seen = chunks.after(EMPTY);
  record(chunks, 4, 3_001);
  expect(seen.flatMap(({ audit }) => audit.map(({ sequence }) => sequence))).toEqual([1, 2, 3]);
  expect(listSequences(chunks, at(2))).toEqual([3, 4]);
  unpin();
  expect(() => chunks.after(EMPTY)).toThrow(HistoryUnavailableError);
});

test('rows that the store already has are not kept', async () => {
  const chunks = new Chunks(EMPTY, 0);
  record(chunks, 1, 1_000);
  chunks.absorb(at(2));
  const reached = chunks.reached(2, 60_000);
  await expect(chunks.reached(2, 1)).rejects.toThrow(HistoryUnavailableError);
  record(chunks, 2, 1_500);
  await reached;
  expect(listSequences(chunks, at(2))).toEqual([]);
  record(chunks, 3, 2_000);
  expect(chunks.due()).toBeUndefined();
  expect(listSequences(chunks, at(2))).toEqual([3]);
});

test('a store of another log is detected by its hash or the ends of its chunks', () => {
  const closed = () => {
    const chunks = new Chunks(EMPTY, 0);
    for (const [n, time] of [1_000, 1_500, 2_000].entries()) record(chunks, n + 1, time);
    return chunks;
  };
  expect(() => closed().absorb(at(2, 9))).toThrow(HistoryForeignError);
  expect(() => closed().absorb(at(1))).toThrow(HistoryForeignError);
  const ahead = closed();
  ahead.absorb(at(3, 9));
  expect(() => record(ahead, 4, 3_000)).toThrow(HistoryForeignError);
  const same = closed();
  same.absorb(at(2));
  expect(() => same.absorb(at(2, 9))).toThrow(HistoryForeignError);
});

test('rows are dropped with a reason beyond the limit, or if the store moved back', () => {
  const full = new Chunks(EMPTY, 0, 2_000);
  for (let n = 1; n <= 20; n++) record(full, n, n * 1000);
  expect(full.lossReason).toContain('waited for it');
  expect(full.due()).toBeUndefined();
  expect(full.hasCapacity).toBe(true);
  expect(() => full.after(EMPTY)).toThrow(HistoryUnavailableError);

  const back = new Chunks(EMPTY, 0);
  for (let n = 1; n <= 4; n++) record(back, n, n * 1000);
  back.absorb(at(3));
  back.absorb(at(2));
  expect(back.lossReason).toContain('went back from batch 3 to 2');
});

test('chunks end even if time stands still, at the same batches for every node', () => {
  const begun = [0, 128, 256].map((sequence) => new Chunks(at(sequence), 0));
  for (const [place, chunks] of begun.entries()) {
    for (let n = 128 * place + 1; n <= 600; n++) {
      chunks.begin({ ...at(n), time: 5_000 });
      const chunk = Math.floor((n - 1) / 128) * 128;
      if (chunk <= 128 * place) expect(chunks.due()).toBeUndefined();
      else expect(chunks.due()).toMatchObject({ to: { sequence: chunk } });
    }
  }
});
