import { expect, test } from 'bun:test';
import { WEB_PAGES } from '../../src/gateway/pages/web-pages.ts';
import { describePages, suite } from './describe-pages.ts';

const READY = {
  home: '.home-book[aria-busy="false"]',
  trade: '.connection.live',
  docs: '.docs-entry',
  status: '.status-head',
} as const;

/** Read again: markets once the stream of their changes is open, and the status by the notice above each page. */
const READ_AGAIN = ['/api/markets', '/api/status'];

const pages = suite('data that pages ask for while their script loads', (site) => {
  for (const { entry, paths, data = [] } of WEB_PAGES) {
    if (data.length === 0) continue;
    test(`${paths[0]} asks for it once`, async () => {
      const page = await site.open();
      await page.goto(paths[0]!);
      await page
        .locator(READY[entry as keyof typeof READY])
        .first()
        .waitFor();
      const requests = await page.evaluate(() =>
        (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
          .sort((a, b) => a.startTime - b.startTime)
          .map(({ name, initiatorType }) => ({ path: new URL(name).pathname, initiatorType })),
      );
      const preloaded = requests.filter(({ initiatorType }) => initiatorType === 'link');
      expect(preloaded.map(({ path }) => path)).toEqual(expect.arrayContaining([...data]));
      const again = requests.filter(
        ({ path, initiatorType }) =>
          initiatorType === 'fetch' && data.includes(path) && !READ_AGAIN.includes(path),
      );
      expect(again).toEqual([]);
    });
  }
});

describePages([pages]);
