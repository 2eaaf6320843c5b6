import { expect, test } from 'bun:test';
import { DetailCache } from './detail-cache.ts';

interface Item {
  readonly id: string;
}

const items = (...ids: string[]): Item[] => ids.map((id) => ({ id }));

/** A cache that notes what it reads, and a clock. */
function watch(read: (item: Item) => Promise<string> = async ({ id }) => `detail of ${id}`) {
  const seen = { reads: [] as string[], prepared: 0, shown: {} as Record<string, string>, now: 0 };
  const cache = new DetailCache<Item, string>(
    async () => {
      seen.prepared++;
      return (item) => {
        seen.reads.push(item.id);
        return read(item);
      };
    },
    (details) => {
      seen.shown = Object.fromEntries(details);
    },
    () => seen.now,
  );
  return { cache, seen };
}

test('details are read once while they are young, and again after a minute', async () => {
  const { cache, seen } = watch();
  await cache.refresh(items('1', '2'));
  expect(seen.shown).toEqual({ 1: 'detail of 1', 2: 'detail of 2' });
  seen.now = 59_999;
  await cache.refresh(items('1', '2', '3'));
  expect([seen.reads.join(), seen.prepared]).toEqual(['1,2,3', 2]);
  seen.now = 60_000;
  await cache.refresh(items('1', '2', '3'));
  expect([seen.reads.join(), seen.prepared]).toEqual(['1,2,3,1,2', 3]);
});

test('details of items that have left the list are dropped', async () => {
  const { cache, seen } = watch();
  await cache.refresh(items('1', '2'));
  await cache.refresh(items('2'));
  await cache.refresh(items('2', '3'));
  expect(Object.keys(seen.shown)).toEqual(['2', '3']);
  await cache.refresh(items('1', '2', '3'));
  expect(seen.reads.join()).toBe('1,2,3,1');
});

test('details that cannot be read are tried again, and do not stop others', async () => {
  let isBroken = true;
  const { cache, seen } = watch(async ({ id }) => {
    if (id === '1' && isBroken) throw new Error('unreachable');
    return id;
  });
  await cache.refresh(items('1', '2'));
  expect(seen.shown).toEqual({ 2: '2' });
  isBroken = false;
  await cache.refresh(items('1', '2'));
  expect(seen.shown).toEqual({ 1: '1', 2: '2' });
});

test('three items are read at the same time, and each is shown as soon as it is known', async () => {
  const waiting = new Map<string, () => void>();
  const { cache, seen } = watch(async ({ id }) => {
    await new Promise<void>((resolve) => waiting.set(id, resolve));
    return id;
  });
  const all = items('1', '2', '3', '4', '5');
  const run = cache.refresh(all);
  await Bun.sleep(0);
  expect(seen.reads.join()).toBe('1,2,3');
  // A refresh in the meantime reads nothing twice.
  await cache.refresh(all);
  waiting.get('2')!();
  await Bun.sleep(0);
  expect([seen.reads.join(), seen.shown]).toEqual(['1,2,3,4', { 2: '2' }]);
  for (const id of ['1', '3', '4']) waiting.get(id)!();
  await Bun.sleep(0);
  waiting.get('5')!();
  await run;
  expect(Object.keys(seen.shown).sort().join()).toBe('1,2,3,4,5');
});
