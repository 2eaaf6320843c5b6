import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { suite } from './describe-pages.ts';

/** What holds of every page of people and operators: open to all who read, small, and closed to script. */

export const everyPage = suite('every page of people and operators', (site) => {
  const MAX_BYTES = 250 * 1024;
  const ENTRIES = ['/sign-up', '/sign-in', '/verify-email', '/forgot-password', '/reset-password'];
  const SETTINGS = ['profile', 'security', 'keys'];
  // Neighbours lie in different sections: the change of the section says that the next one is shown.
  const OPERATOR = 'overview markets fees accounts transfers accounts/alice audit'.split(' ');

  test('everyone can read the pages before signing in, on a phone too', async () => {
    const page = await site.share();
    for (const path of [...ENTRIES, '/settings']) {
      await page.goto(path);
      await page.locator('h1').waitFor();
      expect(await validateDraft(page)).toEqual([]);
    }
  });

  test('everyone can read settings and the operator’s page, on a phone too', async () => {
    const page = await site.share({ as: 'operator' });
    for (const [path, sections] of [
      ['/settings', SETTINGS],
      ['/operator', OPERATOR],
    ] as const) {
      for (const section of sections) {
        await page.goto(`${path}#${section}`);
        await page.locator(`[aria-current][href="#${section.split('/')[0]}"]`).waitFor();
        expect(await validateDraft(page)).toEqual([]);
      }
    }
    await page.goto('/operator#markets');
    await page.getByRole('button', { name: 'Rules of BTC/USDT' }).click();
    await page.getByRole('dialog').getByLabel('Tick').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test.each([...ENTRIES, '/settings', '/operator'])('%s is small', async (path) => {
    const page = await transferred(path);
    const files = [...page.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)];
    expect(files.length).toBeGreaterThanOrEqual(3);
    const sizes = await Promise.all(files.map(async ([, file]) => (await transferred(file!)).size));
    expect(sizes.reduce((sum, size) => sum + size, page.size)).toBeLessThan(MAX_BYTES);
  });

  test('whoever is not signed in, or is no operator, is told so', async () => {
    const page = await site.share();
    await page.goto('/operator#audit');
    await page.getByText('Sign in to see the operator').waitFor();
    const ways = page.getByRole('link', { name: 'Sign in', exact: true });
    for (const way of await ways.all()) {
      expect(await way.getAttribute('href')).toBe('/sign-in?next=%2Foperator%23audit');
    }
    // Who signs in from there wants to be in, and not to sign up after all.
    await page.goto('/sign-up');
    await page.locator('.top').getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL('**/sign-in');
    const alice = await site.share({ as: 'alice' });
    await alice.goto('/operator');
    await alice.getByText('your account is not one of theirs').waitFor();
  });

  /** What is wrong with a page, a line each: what axe finds, and what is too wide. */
  async function validateDraft(page: Page): Promise<string[]> {
    await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
    const faults = await axeFindings(page);
    await page.setViewportSize({ width: 360, height: 800 });
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (width > 360) faults.push(`is ${width} wide`);
    await page.setViewportSize({ width: 1280, height: 900 });
    return faults.map((fault) => `${page.url()}: ${fault}`);
  }

  async function transferred(path: string): Promise<{ text: string; size: number }> {
    const headers = { 'Accept-Encoding': 'gzip' };
    const [plain, packed] = await Promise.all([
      fetch(site.baseUrl + path),
      fetch(site.baseUrl + path, { headers, decompress: false }),
    ]);
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    return { text: await plain.text(), size: (await packed.bytes()).length };
  }
});
