import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { suite } from './describe-pages.ts';

/** Requirements on all pages of users and operators: accessible and small. */

export const everyPage = suite('all pages of users and operators', (site) => {
  const MAX_BYTES = 250 * 1024;
  const ENTRIES = ['/sign-up', '/sign-in', '/verify-email', '/forgot-password', '/reset-password'];
  const SETTINGS = 'profile security keys fees notifications webhooks display'.split(' ');
  // Consecutive entries are in different sections, so a change of section shows that the next one is rendered.
  const OPERATOR =
    'dashboard markets fees accounts transfers accounts/alice books accounts/alice/users audit'.split(
      ' ',
    );

  test('signed-out pages pass axe and fit a phone', async () => {
    const page = await site.share();
    for (const path of [...ENTRIES, '/settings', '/accounts', '/bots']) {
      await page.goto(path);
      await page.locator('h1').waitFor();
      expect(await validateDraft(page)).toEqual([]);
    }
  });

  test('the design system names the values of its tokens, passes axe and fits a phone', async () => {
    const page = await site.share();
    await page.goto('/design');
    const fill = page.locator('.token', { hasText: 'accent-fill' }).first();
    await fill.getByText('#2459d8').waitFor();
    // A control is shown as if it had the focus.
    const focused = page.locator('.states .is-focus').first();
    const outline = 'getComputedStyle(document.querySelector(".states .is-focus")).outlineStyle';
    await focused.waitFor();
    expect(await page.evaluate(outline)).toBe('solid');
    // Fields, choices and boxes look different under the pointer.
    const borders = `Object.fromEntries(['.input-box', 'select', 'input[type="checkbox"]'].map((each) =>
      [each, ['default', 'hover'].map((state) =>
        getComputedStyle(document.querySelector('.col-' + state + ' ' + each)).borderColor)]))`;
    for (const [normal, hovered] of Object.values(
      await page.evaluate<Record<string, [string, string]>>(borders),
    )) {
      expect(hovered).not.toBe(normal);
    }
    const select = page.locator('.states .col-error select');
    expect(await select.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('.token', { hasText: 'calendar' }).count()).toBe(1);
    expect(await findProblems(page)).toEqual([]);
  });

  test('longer texts, as of the pseudo-locale, do not make pages wider than a phone', async () => {
    const page = await site.share({ as: 'alice', width: 390, height: 844 });
    await page.goto('/settings#display');
    await page.evaluate(`localStorage.setItem('buttonwood-language', 'en-XA')`);
    const paths = ['/portfolio', '/portfolio#gains', '/settings#notifications', '/bots'];
    for (const path of paths) {
      await page.goto('about:blank');
      await page.goto(path);
      await page.locator('h1').waitFor();
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
        path,
        390,
      ]);
    }
  });

  test('settings and the operator page pass axe and fit a phone', async () => {
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
    await page.getByRole('button', { name: 'Edit rules of BTC/USDT' }).click();
    await page.getByRole('dialog').getByLabel('Tick size').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test.each([...ENTRIES, '/settings', '/accounts', '/operator', '/bots'])(
    '%s is small',
    async (path) => {
      const page = await transferred(path);
      const files = [...page.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)];
      expect(files.length).toBeGreaterThanOrEqual(3);
      const sizes = await Promise.all(
        files.map(async ([, file]) => (await transferred(file!)).size),
      );
      expect(sizes.reduce((sum, size) => sum + size, page.size)).toBeLessThan(MAX_BYTES);
    },
  );

  test('the page of bots fills in the address and an HMAC key that may trade, and never a secret', async () => {
    const page = await site.share({ as: 'alice' });
    await page.goto('/bots#freqtrade');
    const text = page.getByRole('region', { name: 'config.json' });
    await text.getByText(/"key": "bwk_[0-9a-f]+"/).waitFor();
    const config = JSON.parse(await text.innerText());
    expect(config.exchange.ccxt_config.urls.api.public).toBe(`${site.baseUrl}/binance/api/v3`);
    expect(config.exchange.secret).toBe('YOUR_API_SECRET');
    await page.getByText('Permissions: Read, Trade').waitFor();
    const chosen = page.getByLabel('API key', { exact: true }).locator('option:checked');
    expect(await chosen.innerText()).toMatch(/^….{4} · Created at startup/);
    await page.getByRole('button', { name: 'Copy Base URL' }).waitFor();
    expect(await validateDraft(page)).toEqual([]);
    await page.getByRole('link', { name: 'Rust', exact: true }).click();
    await page.getByRole('region', { name: 'src/main.rs' }).waitFor();
    await page.goto('/bots#freqtrade');
    await page.getByRole('region', { name: 'Command' }).getByText('pip install').waitFor();
    const box = `document.querySelector('section[aria-label="Command"]')`;
    expect(await page.evaluate(`${box}.scrollWidth > ${box}.clientWidth`)).toBe(false);
    await page.setViewportSize({ width: 390, height: 844 });
    expect((await text.boundingBox())!.y).toBeLessThan(600);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('link', { name: 'Create a new key' }).click();
    await page.waitForURL('**/settings#keys');
    await page.getByRole('button', { name: 'Copy API key' }).first().waitFor();
    await page.getByRole('cell', { name: 'HMAC', exact: true }).first().waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Bots', exact: true }).click();
    await page.waitForURL('**/bots');
  });

  test('the current section is in view after a page has become narrower', async () => {
    const page = await site.share({ as: 'alice' });
    await page.goto('/settings#display');
    const current = page.locator('.section-nav [aria-current]');
    await current.waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const edge = `document.querySelector('.section-nav [aria-current]').getBoundingClientRect().right`;
    await page.locator('.section-nav.cut-left').waitFor();
    expect(await page.evaluate(`${edge} <= innerWidth`)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('the table of keys fits a small window, also with longer words', async () => {
    const page = await site.open({ as: 'alice', width: 1024, height: 768, language: 'de' });
    await page.goto('/settings#keys');
    await page.getByRole('button', { name: 'Widerrufen' }).first().waitFor();
    const box = `document.querySelector('.table-box')`;
    expect(await page.evaluate(`${box}.scrollWidth > ${box}.clientWidth`)).toBe(false);
  });

  test('signed-out users and non-operators get a message', async () => {
    const page = await site.share();
    await page.goto('/operator#audit');
    await page.getByText('Sign in to see the operator').waitFor();
    const links = page.getByRole('link', { name: 'Sign in', exact: true });
    for (const link of await links.all()) {
      expect(await link.getAttribute('href')).toBe('/sign-in?next=%2Foperator%23audit');
    }
    // Signing in from the sign-up page does not lead back to it.
    await page.goto('/sign-up');
    await page.locator('.top').getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL('**/sign-in');
    await page.locator('.top').getByRole('link', { name: 'Sign up' }).waitFor();
    expect(await page.locator('.top').getByRole('link', { name: 'Sign in' }).count()).toBe(0);
    const alice = await site.share({ as: 'alice' });
    await alice.goto('/operator');
    await alice.getByText('You have no operator role').waitFor();
  });

  /** Returns the axe violations of a page, and whether it is wider than a phone. */
  async function validateDraft(page: Page): Promise<string[]> {
    await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
    return findProblems(page);
  }

  async function findProblems(page: Page): Promise<string[]> {
    const faults = await axeFindings(page);
    await page.setViewportSize({ width: 360, height: 800 });
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (width > 360) faults.push(`is ${width} wide`);
    await page.setViewportSize({ width: 1280, height: 900 });
    return faults.map((fault) => `${page.url()}: ${fault}`);
  }

  async function transferred(path: string): Promise<{ text: string; size: number }> {
    const headers = { 'Accept-Encoding': 'gzip' };
    const [plain, compressed] = await Promise.all([
      fetch(site.baseUrl + path),
      fetch(site.baseUrl + path, { headers, decompress: false }),
    ]);
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    return { text: await plain.text(), size: (await compressed.bytes()).length };
  }
});
