import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout } from 'bun:test';
import type { Browser } from 'playwright-core';
import { describeWherePossible } from '../describe-where-possible.ts';
import { chromiumPath, launchBrowser } from './browser.ts';
import { Site } from './site.ts';

/** The first page waits until the bundle is built. */
const TIMEOUT_MS = 60_000;

/** Tests of some pages, declared for the site under test. */
export interface Suite {
  readonly name: string;
  readonly declare: (site: Site) => void;
}

export function suite(name: string, declare: (site: Site) => void): Suite {
  return { name, declare };
}

/**
 * Runs tests of pages in one browser. The suites of a group share an exchange and leave it in the state that the next
 * one needs. An error in a page fails the test that opened it. Without Chromium the tests are skipped with a message;
 * in CI they fail.
 */
export function describePages(...groups: Suite[][]): void {
  const problem = chromiumPath() === undefined ? 'Chromium is not installed' : undefined;
  describeWherePossible('in a browser', problem, 'install one or set CHROMIUM_PATH', () => {
    setDefaultTimeout(TIMEOUT_MS);
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchBrowser();
    }, TIMEOUT_MS);
    afterAll(() => browser.close(), TIMEOUT_MS);
    for (const [place, suites] of groups.entries()) {
      describe(`exchange ${place + 1}`, () => {
        const site = new Site();
        beforeAll(() => site.start(browser), TIMEOUT_MS);
        afterEach(async () => expect(await site.closePages()).toEqual([]));
        afterAll(() => site.close(), TIMEOUT_MS);
        for (const { name, declare } of suites) describe(name, () => declare(site));
      });
    }
  });
}
