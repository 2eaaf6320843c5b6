import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { verifyInclusion } from '../../src/client/index.ts';
import { axeFindings } from './axe.ts';
import { suite } from './describe-pages.ts';

const MAX_BYTES = 250 * 1024;

export const portfolioPage = suite('portfolio page', (site) => {
  test('shows balances and their value, passes axe, and keeps its policy and size', async () => {
    const page = await site.open({ as: 'alice' });
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto('/portfolio');
    const total = page.locator('.portfolio-total');
    await total
      .getByText(/^[\d,]+\.\d\d$/)
      .or(total.filter({ hasText: /\d,\d{3}\.\d\d/ }))
      .first()
      .waitFor();
    const rows = page.locator('.table tbody tr');
    expect(await rows.count()).toBeGreaterThan(1);
    await page.getByLabel('Currency').selectOption('BTC');
    await total.filter({ hasText: 'BTC' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  test('a row has the icon, the name, the exact amount on hover and a link to the market', async () => {
    const page = await site.share({ as: 'alice' });
    await page.goto('/portfolio');
    const row = page.getByRole('row').filter({ hasText: 'Bitcoin' });
    await row.locator('.asset-icon').waitFor();
    const link = row.getByRole('link', { name: 'Trade BTC/USDT' });
    expect(await link.getAttribute('href')).toBe('/trade/BTC-USDT');
    const deposit = row.getByRole('link', { name: 'Deposit BTC' });
    expect(await deposit.getAttribute('href')).toBe('/deposit?asset=BTC');
    for (const column of ['.col-total', '.col-available']) {
      const amount = row.locator(column).getByTitle('100 BTC', { exact: true });
      expect(await amount.innerText()).toBe('100');
      const cash = page.getByRole('row').filter({ hasText: 'Tether' }).locator(column);
      expect(await cash.getByTitle(/^1,000,000/).innerText()).toBe('1,000,000');
    }
    await page.locator('.allocation li').filter({ hasText: 'BTC' }).getByText('100').waitFor();
  });

  test('amounts are hidden on request, also after a reload; names, prices and percentages stay', async () => {
    const page = await site.open({ as: 'alice' });
    await page.goto('/portfolio');
    const toggle = page.getByRole('button', { name: 'Hide amounts' });
    const row = page.getByRole('row').filter({ hasText: 'Bitcoin' });
    const text = (column: string) => row.locator(column).innerText();
    const share = /^\d+\.\d\d%$/;
    await row.locator('.col-value').getByText('%').waitFor();
    await toggle.press('Enter');
    expect(await text('.col-total')).toBe('••••');
    await page.reload();
    await row.locator('.col-value').getByText('%').waitFor();
    expect(await toggle.getAttribute('aria-pressed')).toBe('true');
    expect(await toggle.getAttribute('title')).toBe('Hide amounts');
    const [value, percentage] = (await text('.col-value')).split('\n');
    expect(value).toBe('••••');
    expect(percentage).toMatch(share);
    expect(await text('.col-cost')).toBe('0.00 *');
    // All digits would be in its tooltip.
    expect(await row.locator('.col-total [title]').count()).toBe(0);
    expect(await page.locator('.balances th.col-total').innerText()).toBe('Amount');
    expect(await page.locator('.portfolio-total').innerText()).toBe('•••• USDT');
    const figure = (name: RegExp) =>
      page.locator('.figures > div', { hasText: name }).locator('dd');
    expect(await figure(/^P&L/).innerText()).toBe('••••');
    expect(await figure(/^Return/).innerText()).toMatch(/%$/);
    const part = page.locator('.allocation li').filter({ hasText: 'BTC' });
    expect((await part.locator('.stacked').allInnerTexts()).join('\n').split('\n')).toEqual([
      'BTC',
      '••••',
      '••••',
      expect.stringMatching(share),
    ]);
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    const card = page.locator('.balance-cards li').filter({ hasText: 'Bitcoin' });
    await card.getByText('Available: •••• BTC').waitFor();
    expect(await card.locator('.card-value b').innerText()).toBe('••••');
    await page.setViewportSize({ width: 1280, height: 900 });
    await toggle.click();
    expect(await text('.col-total')).toBe('100');
  });

  test('a phone has a card per asset, whose details open by keyboard, and passes axe', async () => {
    const page = await site.share({ as: 'alice', width: 390, height: 844 });
    await page.goto('/portfolio');
    const card = page.locator('.balance-cards li').filter({ hasText: 'Bitcoin' });
    await card.getByText('Average cost').waitFor({ state: 'hidden' });
    await card.getByText('Available: 100 BTC').waitFor();
    await card.locator('summary').press('Enter');
    await card.getByText('Average cost').waitFor();
    await card.getByRole('link', { name: 'Trade BTC/USDT' }).waitFor();
    expect(await page.evaluate<number>('document.body.scrollHeight')).toBeLessThan(1800);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('payments and accounts belong to the portfolio in the header', async () => {
    const page = await site.share({ as: 'alice' });
    for (const path of ['/deposit', '/withdraw', '/accounts']) {
      await page.goto(path);
      await page.locator('.top nav [aria-current]').getByText('Portfolio').waitFor();
    }
  });

  test('the chart follows a narrower window, as a phone that is turned', async () => {
    const page = await site.share({ as: 'alice', width: 844, height: 390 });
    await page.goto('/portfolio');
    await page.locator('.value-chart canvas').first().waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const chart = page.locator('.value-canvas');
    expect((await chart.boundingBox())!.width).toBeLessThan(390);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('sections are tabs with a URL', async () => {
    const page = await site.share({ as: 'alice' });
    await page.goto('/portfolio');
    const sections = page.getByRole('navigation', { name: 'Portfolio' });
    await page.locator('.balances').waitFor();
    await sections.getByRole('link', { name: 'Gains & taxes' }).press('Enter');
    await page.waitForURL('**/portfolio#gains');
    await page.getByRole('heading', { name: 'Gains by year' }).waitFor();
    expect(await page.locator('.balances, .time-travel, .report-form').count()).toBe(0);
    await page.goBack();
    await page.locator('.balances').waitFor();
  });

  test('a proof is verified in the browser and downloaded, a forged one is not, and it passes axe', async () => {
    const { id } = (await site.send('operator', 'POST', '/api/admin/proofs', {})).json.data;
    for (const scheme of ['light', 'dark'] as const) {
      const page = await site.share({ as: 'alice', scheme, width: scheme === 'dark' ? 390 : 1440 });
      await page.goto('/portfolio#proof');
      const panel = page.locator('.panel').filter({ hasText: 'Proof of your balances' });
      const verify = panel.getByRole('button', { name: 'Verify' });
      await verify.click();
      await panel.getByText('Verified in your browser.').waitFor();
      expect(await panel.getByText('✓ Included').count()).toBeGreaterThan(1);
      expect(await axeFindings(page)).toEqual([]);
      const downloading = page.waitForEvent('download');
      await panel.getByRole('button', { name: 'Download proof' }).click();
      const file = await (await downloading).path();
      const { account, proof } = await verifyInclusion(JSON.parse(readFileSync(file, 'utf8')));
      expect([account, proof.id]).toEqual(['alice', id]);
      await page.route('**/inclusion', async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        body.data.balances[0].amount += '0';
        await route.fulfill({ response, json: body });
      });
      await verify.click();
      await panel.getByText('Not verified.').waitFor();
      await page.unroute('**/inclusion');
    }
  });

  test('a statement is created, opened and removed, and passes axe', async () => {
    for (const width of [1440, 390]) {
      const page = await site.share({ as: 'alice', width, height: 844 });
      await page.goto('/portfolio#reports');
      const panel = page.locator('.panel', { has: page.getByRole('heading', { name: 'Reports' }) });
      await panel.getByText('No reports yet').waitFor();
      await panel.getByRole('button', { name: 'Create report' }).click();
      await panel.getByText('Ready').waitFor();
      expect(await axeFindings(page, '.panel:has(.report-form)')).toEqual([]);
      const href = await panel.getByRole('link', { name: /^Open/ }).getAttribute('href');
      const opened = await page.context().newPage();
      await opened.goto(href!);
      await opened.getByRole('heading', { name: 'Account statement' }).waitFor();
      await opened.getByRole('cell', { name: 'USDT', exact: true }).first().waitFor();
      await opened.close();
      await panel.getByRole('button', { name: /^Remove/ }).click();
      await panel.getByText('No reports yet').waitFor();
    }
  });

  test('a slider shows balances, orders and the book of the past, marked as such, and passes axe', async () => {
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.125, price: 100_000 };
    const answer = await site.send('alice', 'POST', '/api/orders', order);
    const { orderId } = answer.json.data;
    for (const width of [1440, 390]) {
      const page = await site.share({ as: 'alice', width, height: 844 });
      await page.goto('/portfolio#time-travel');
      const slider = page.getByRole('slider', { name: 'Moment' });
      await slider.focus();
      // One second earlier, as far as needed to be after the order and before it is canceled.
      await page.keyboard.press('ArrowLeft');
      const travel = page.locator('.time-travel.is-past');
      await travel
        .getByRole('status')
        .filter({ hasText: /^Past: / })
        .waitFor();
      await page.keyboard.press('End');
      const view = travel.locator('.past-view[aria-busy=false]');
      await view.getByRole('cell', { name: '0.125' }).first().waitFor();
      await view.getByRole('table', { name: /^Balances at / }).waitFor();
      expect(await axeFindings(page, '.time-travel')).toEqual([]);
      // Long before the first order.
      await page.getByRole('button', { name: 'one hour earlier' }).click();
      await travel.getByText(/before the exchange began|No open orders/).waitFor();
      await page.getByRole('button', { name: 'Back to now' }).click();
      await travel.waitFor({ state: 'detached' });
    }
    await site.send('alice', 'DELETE', `/api/orders/${orderId}`);
  });

  test('the faucet adds funds once per hour', async () => {
    const page = await site.share({ as: 'bob' });
    await page.goto('/portfolio');
    const faucet = page.getByRole('button', { name: 'Get SOL from the faucet' });
    await faucet.click();
    await page.getByText('SOL added').waitFor();
    await page.getByRole('cell', { name: '20,400', exact: true }).first().waitFor();
    await faucet.click();
    await page.getByRole('alert').getByText('once an hour').waitFor();
  });

  test('an account without funds or history is shown how to get some', async () => {
    const page = await site.open({ as: 'operator' });
    await page.goto('/portfolio');
    await page.getByRole('heading', { name: 'Fund your account' }).waitFor();
    const deposit = page.locator('.first-funds').getByRole('link', { name: 'Deposit' });
    expect(await deposit.getAttribute('href')).toBe('/deposit');
    expect(await page.locator('.balances, .value-chart').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('asks signed-out users to sign in', async () => {
    const page = await site.share();
    await page.goto('/portfolio');
    await page.locator('main').getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
