import { expect, test } from 'bun:test';
import { createPages, type Page } from './page-loader.ts';

const ALL = ['5', '4', '3', '2', '1'];

/** A list of the API with two rows a page. Its requests fail while `isDown`. */
function prepare() {
  const list = { rows: ALL, isDown: false, requests: [] as (string | undefined)[] };
  const fetchPage = async (cursor: string | undefined): Promise<Page<string>> => {
    list.requests.push(cursor);
    if (list.isDown) throw new Error('The exchange is not reachable.');
    const from = cursor === undefined ? 0 : list.rows.indexOf(cursor) + 1;
    const rows = list.rows.slice(from, from + 2);
    return { rows, nextCursor: from + 2 < list.rows.length ? rows.at(-1)! : null };
  };
  return { list, pages: createPages(fetchPage, (row) => row) };
}

test('loads page by page', async () => {
  const { pages } = prepare();
  await pages.load();
  expect(pages.rows.value).toEqual(['5', '4']);
  await pages.load();
  await pages.load();
  expect(pages.rows.value).toEqual(ALL);
  expect(pages.cursor.value).toBeNull();
});

test('repeats a failed refresh, not the next page', async () => {
  const { list, pages } = prepare();
  await pages.load();
  Object.assign(list, { rows: ['6', ...ALL], isDown: true });
  await pages.refresh();
  expect(pages.failure.value).toBeDefined();
  list.isDown = false;
  await pages.load();
  expect(list.requests).toEqual([undefined, undefined, undefined]);
  expect(pages.rows.value).toEqual(['6', '5', '4']);
  expect(pages.failure.value).toBeUndefined();
  await pages.load();
  expect(list.requests.at(-1)).toBe('4');
  expect(pages.rows.value).toEqual(['6', '5', '4', '3', '2']);
});

test('repeats a next page that failed', async () => {
  const { list, pages } = prepare();
  await pages.load();
  list.isDown = true;
  await pages.load();
  expect(pages.rows.value).toEqual(['5', '4']);
  list.isDown = false;
  await pages.load();
  expect(pages.rows.value).toEqual(['5', '4', '3', '2']);
});
