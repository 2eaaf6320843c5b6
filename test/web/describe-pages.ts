import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout } from 'bun:test';
import { describeWherePossible } from '../describe-where-possible.ts';
import { chromiumPath } from './browser.ts';
import { Site } from './site.ts';

/** The first page of all waits for the bundle. */
const TIMEOUT_MS = 60_000;

/**
 * Tests of the pages in a browser, before one exchange. Whatever goes wrong in a page fails the test that
 * opened it. Without Chromium they are passed over aloud; in CI they fail.
 */
export function describePages(name: string, tests: (site: Site) => void): void {
  const problem = chromiumPath() === undefined ? 'there is no Chromium' : undefined;
  describeWherePossible(name, problem, 'install one or set CHROMIUM_PATH', () => {
    setDefaultTimeout(TIMEOUT_MS);
    const site = new Site();
    beforeAll(() => site.start(), TIMEOUT_MS);
    afterEach(async () => expect(await site.closePages()).toEqual([]));
    afterAll(() => site.close(), TIMEOUT_MS);
    tests(site);
  });
}
