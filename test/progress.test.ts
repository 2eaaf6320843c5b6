import { afterEach, expect, test } from 'bun:test';
import { Progress, type ProgressStream } from '../src/monitoring/progress.ts';

let now = 5000;
const clock = () => now;
const opened: Progress[] = [];
afterEach(() => {
  for (const progress of opened.splice(0)) progress.end();
});

function open(terminal?: { columns: number }) {
  const written: string[] = [];
  const stream: ProgressStream = {
    ...(terminal === undefined ? {} : { isTTY: true, ...terminal }),
    write: (text: string) => written.push(text),
  };
  const progress = new Progress(stream, clock);
  opened.push(progress);
  return { progress, written };
}

test('without a terminal a line is printed every ten seconds', () => {
  const { progress, written } = open();
  let done = 0;
  progress.begin('replay', { done: () => done, total: 4000, unit: 'batches' });
  for (; done < 3000; done++) {
    now += 10;
    progress.tick();
  }
  expect(written).toEqual([
    'replay, 24 %, 999 of 4,000 batches, 10 s\n',
    'replay, 49 %, 1,999 of 4,000 batches, 20 s\n',
    'replay, 74 %, 2,999 of 4,000 batches, 30 s\n',
  ]);
});

test('on a terminal one line is rewritten, and cleared at the end', () => {
  const { progress, written } = open({ columns: 80 });
  let done = 1;
  progress.begin('read', { done: () => done, unit: 'bytes' });
  now += 199;
  progress.tick();
  expect(written).toEqual([]);
  now++;
  progress.tick();
  done = 1_234_567;
  now += 65_000;
  progress.begin('compare');
  now += 3_600_000;
  progress.tick();
  progress.end();
  now += 10_000;
  progress.tick();
  expect(written).toEqual([
    '\r\x1b[Kread, 1 bytes, 0 s',
    '\r\x1b[Kcompare, 1 min 5 s',
    '\r\x1b[Kcompare, 1 h 1 min',
    '\r\x1b[K',
  ]);
});

test('a line on a terminal is cut to its width, so that it can be rewritten', () => {
  const { progress, written } = open({ columns: 20 });
  progress.begin('a stage with a long name');
  now += 1000;
  progress.tick();
  expect(written).toEqual(['\r\x1b[Ka stage with a long']);
});

test('a command that ends soon prints nothing', () => {
  for (const terminal of [undefined, { columns: 80 }]) {
    const { progress, written } = open(terminal);
    progress.begin('replay');
    now += 150;
    progress.tick();
    progress.clear();
    progress.end();
    expect(written).toEqual([]);
  }
});

test('other output is printed on a line of its own', () => {
  const { progress, written } = open({ columns: 80 });
  progress.begin('replay');
  now += 300;
  progress.tick();
  progress.clear();
  progress.clear();
  expect(written).toEqual(['\r\x1b[Kreplay, 0 s', '\r\x1b[K']);
});

test('a stage of a known time shows how much of it has passed', () => {
  const { progress, written } = open();
  progress.beginTimed('load', 15);
  now += 10_000;
  progress.tick();
  now += 10_000;
  progress.tick();
  expect(written).toEqual([
    'load, 66 %, 10 of 15 seconds, 10 s\n',
    'load, 100 %, 15 of 15 seconds, 20 s\n',
  ]);
});

test('an empty stage is done', () => {
  const { progress, written } = open();
  progress.begin('replay', { done: () => 0, total: 0, unit: 'batches' });
  now += 10_000;
  progress.tick();
  expect(written).toEqual(['replay, 100 %, 0 of 0 batches, 10 s\n']);
});

test('a timer prints while the work itself does not call', async () => {
  const { progress, written } = open({ columns: 80 });
  progress.begin('wait');
  now += 1000;
  const deadline = performance.now() + 10_000;
  while (written.length === 0 && performance.now() < deadline) await Bun.sleep(20);
  expect(written).toEqual(['\r\x1b[Kwait, 1 s']);
});
