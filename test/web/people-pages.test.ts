import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describeInBrowser } from './describe-in-browser.ts';
import { Visit } from './visit.ts';

describeInBrowser('every page of people and operators', () => {
  /** What holds of every page of people and operators: open to all who read, small, and closed to script. */

  setDefaultTimeout(60_000);

  const MAX_BYTES = 250 * 1024;
  const ENTRIES = ['/sign-up', '/sign-in', '/verify-email', '/forgot-password', '/reset-password'];
  const SETTINGS = ['profile', 'security', 'keys'].map((section) => `/settings#${section}`);
  const OPERATOR = [
    ...['overview', 'markets', 'fees', 'accounts', 'accounts/alice', 'transfers', 'audit'],
  ].map((section) => `/operator#${section}`);
  const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

  let visit: Visit;
  beforeAll(async () => {
    visit = await Visit.start();
  });
  afterAll(async () => {
    await visit.close();
  });

  test('everyone can read the pages before signing in, on a phone too', async () => {
    const page = await visit.person();
    for (const path of [...ENTRIES, '/settings']) expect(await faultsAt(page, path)).toEqual([]);
  });

  test('everyone can read settings and the operator’s page, on a phone too', async () => {
    const page = await visit.signedIn('operator');
    for (const path of [...SETTINGS, ...OPERATOR]) expect(await faultsAt(page, path)).toEqual([]);
    await page.goto('/operator#markets');
    await page.getByRole('button', { name: 'Rules of BTC/USDT' }).click();
    await page.getByRole('dialog').getByLabel('Tick').waitFor();
    expect(await faultsOf(page, 'rules', {})).toEqual([]);
  });

  test('no page breaks its content policy, or fails', () => {
    expect(visit.problems).toEqual([]);
  });

  test.each([...ENTRIES, '/settings', '/operator'])('%s is small', async (path) => {
    const page = await transferred(path);
    const files = [...page.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)];
    expect(files.length).toBeGreaterThanOrEqual(3);
    const sizes = await Promise.all(files.map(async ([, file]) => (await transferred(file!)).size));
    expect(sizes.reduce((sum, size) => sum + size, page.size)).toBeLessThan(MAX_BYTES);
  });

  test('whoever is not signed in, or is no operator, is told so', async () => {
    const page = await visit.person();
    await page.goto('/operator#audit');
    await page.getByText('Sign in to see the operator').waitFor();
    const alice = await visit.signedIn('alice');
    await alice.goto('/operator');
    await alice.getByText('your account is not one of theirs').waitFor();
  });

  /** What is wrong with a page, a line each: what axe finds in both themes, and what is too wide. */
  async function faultsAt(page: Page, path: string): Promise<string[]> {
    await page.goto('about:blank');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(path);
    await page.locator('h1').waitFor();
    await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
    const faults = await faultsOf(page, path, {});
    // A theme changes colours alone.
    await page.emulateMedia({ colorScheme: 'dark' });
    faults.push(...(await faultsOf(page, `${path} dark`, { runOnly: ['color-contrast'] })));
    await page.setViewportSize({ width: 360, height: 800 });
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    return width > 360 ? [...faults, `${path} is ${width} wide`] : faults;
  }

  async function faultsOf(page: Page, where: string, rules: object): Promise<string[]> {
    await page.evaluate(AXE);
    const { violations } = await page.evaluate<{
      violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
    }>(`axe.run(document, ${JSON.stringify(rules)})`);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${where}: ${id}: ${html} ${failureSummary}`),
    );
  }

  async function transferred(path: string): Promise<{ text: string; size: number }> {
    const headers = { 'Accept-Encoding': 'gzip' };
    const [plain, packed] = await Promise.all([
      fetch(visit.baseUrl + path),
      fetch(visit.baseUrl + path, { headers, decompress: false }),
    ]);
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    return { text: await plain.text(), size: (await packed.bytes()).length };
  }
});
