import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { describeWherePossible } from '../describe-where-possible.ts';
import { axeFindings } from './axe.ts';
import { chromiumPath, launchBrowser } from './browser.ts';
import { Site } from './site.ts';

/** The page about webhooks, with a receiver on this machine. */

const TIMEOUT_MS = 60_000;
const problem = chromiumPath() === undefined ? 'Chromium is not installed' : undefined;

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

describeWherePossible('in a browser', problem, 'install one or set CHROMIUM_PATH', () => {
  setDefaultTimeout(TIMEOUT_MS);
  const site = new Site();
  const received: Received[] = [];
  let status = 204;
  let browser: Browser;
  let receiver: Bun.Server<undefined>;
  beforeAll(async () => {
    receiver = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async (request) => {
        received.push({ headers: Object.fromEntries(request.headers), body: await request.text() });
        return new Response(null, { status });
      },
    });
    browser = await launchBrowser();
    await site.start(browser, { BUTTONWOOD_MAKERS: 'off' });
  }, TIMEOUT_MS);
  afterAll(async () => {
    expect(await site.closePages()).toEqual([]);
    await site.close();
    await browser.close();
    await receiver.stop(true);
  }, TIMEOUT_MS);

  const noFindings = async (page: Page) => expect(await axeFindings(page)).toEqual([]);
  const fitsPhone = async (page: Page) => {
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1440, height: 900 });
  };

  test.each(['light', 'dark'] as const)(
    'a webhook is created, tested, paused and deleted (%s)',
    async (scheme) => {
      const page = await site.open({ as: 'alice', scheme });
      received.length = 0;
      status = 204;
      await page.goto('/settings#webhooks');
      await page.getByText('No webhooks yet.').waitFor();
      await page.getByRole('button', { name: 'Create webhook' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('URL').fill('http://10.0.0.1/hook');
      await dialog.getByLabel('URL').press('Enter');
      await dialog.locator('.error').waitFor();
      await noFindings(page);
      const url = `http://127.0.0.1:${receiver.port}/hook/${'long'.repeat(20)}`;
      await dialog.getByLabel('URL').fill(url);
      await dialog.getByLabel('Label (optional)').fill('Desk');
      await dialog.getByLabel('Order canceled').uncheck();
      await dialog.getByRole('button', { name: 'Create webhook' }).click();
      const secret = await page.getByRole('region', { name: 'Signing secret' }).innerText();
      await noFindings(page);
      await fitsPhone(page);
      await page.getByRole('button', { name: 'I’ve saved it' }).click();
      expect(await page.content()).not.toContain(secret);
      await page
        .getByRole('cell', {
          name: 'Order filled, Order expired, Order rejected, Trade, Price alert',
        })
        .waitFor();

      await page.getByRole('button', { name: `Deliveries of ${url}` }).click();
      const deliveries = page.getByRole('region', { name: 'Deliveries', exact: true });
      await deliveries.getByText('Nothing was sent yet.').waitFor();
      await deliveries.getByRole('button', { name: 'Send test event' }).click();
      await deliveries.getByText('accepted', { exact: true }).waitFor();
      const [first] = received;
      expect(new Webhook(secret).verify(first!.body, first!.headers)).toMatchObject({
        type: 'webhook.test',
      });
      status = 500;
      await deliveries.getByRole('button', { name: 'Send test event' }).click();
      await deliveries.getByText('failed', { exact: true }).waitFor();
      await noFindings(page);
      await fitsPhone(page);
      await deliveries.getByRole('button', { name: 'Close' }).click();

      const changed = `${url}/changed`;
      await page.getByRole('button', { name: `Edit ${url}` }).click();
      expect(await dialog.getByLabel('Label (optional)').inputValue()).toBe('Desk');
      expect(await dialog.getByLabel('Order canceled').isChecked()).toBe(false);
      await dialog.getByLabel('URL').fill('nowhere');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('url must be a URL').waitFor();
      await noFindings(page);
      await dialog.getByLabel('URL').fill(changed);
      await dialog.getByLabel('Label (optional)').fill('Orders');
      await dialog.getByLabel('Order expired').uncheck();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Webhook changed').waitFor();
      await page
        .getByRole('cell', { name: 'Order filled, Order rejected, Trade, Price alert' })
        .waitFor();
      const cell = await page.getByRole('cell', { name: changed }).first().innerText();
      expect(cell).toContain('Orders');
      expect(cell).not.toContain('Desk');

      await page.getByRole('button', { name: `Pause ${changed}` }).click();
      await page.getByText('Paused', { exact: true }).waitFor();
      await page.getByRole('button', { name: `Resume ${changed}` }).click();
      await page.getByText('Active', { exact: true }).waitFor();
      await page.getByRole('button', { name: `Delete ${changed}` }).click();
      await noFindings(page);
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('No webhooks yet.').waitFor();
    },
  );
});
