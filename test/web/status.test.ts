import { expect, test } from 'bun:test';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';

const status = suite('status page', (site) => {
  const halt = (status: string, reason: string) =>
    site.send('operator', 'POST', '/api/admin/trading-status', { status, reason });

  test('shows health, markets, incidents and announcements to everyone', async () => {
    await halt('halted', 'Prices of the reference feed are wrong');
    await halt('trading', 'The feed is back');
    const page = await site.open({ width: 390, height: 844 });
    await page.goto('/');
    await page.getByRole('link', { name: 'Status' }).first().click();
    await page.getByRole('heading', { name: 'All systems operational' }).waitFor();
    await page.getByText('Prices of the reference feed are wrong').waitFor();
    expect(await page.locator('.status-markets li.good').count()).toBeGreaterThan(1);
    const trading = page.getByRole('img', { name: /^Trading: [\d.]+% open since \d+ \w+$/ });
    expect(await trading.locator('span').count()).toBe(90);
    expect(await trading.locator('span.bad').count()).toBe(1);
    // The exchange of the test exists since today.
    expect(await trading.locator('span.none').count()).toBe(89);
    expect(await page.getByText('No announcements').count()).toBe(1);
    expect(await axeFindings(page)).toEqual([]);
    const { scrollWidth } = await page.evaluate<{ scrollWidth: number }>(
      '({ scrollWidth: document.documentElement.scrollWidth })',
    );
    expect(scrollWidth).toBeLessThanOrEqual(390);
  });

  test('follows the exchange, also while it does not answer', async () => {
    const page = await site.open();
    await page.route('**/api/status', (route) => route.abort());
    await page.goto('/status');
    await page.getByText('No answer').waitFor();
    await page.getByRole('heading', { name: 'Trading is disrupted' }).waitFor();
    await page.unroute('**/api/status');
    await page.getByRole('heading', { name: 'All systems operational' }).waitFor();
    await halt('halted', 'Again');
    await page.getByText('Halted in all markets').waitFor();
    await page.getByRole('heading', { name: 'Trading is disrupted' }).waitFor();
    await halt('trading', 'Back');
  });
});

const announcements = suite('announcements', (site) => {
  test('operators announce, an open page shows it at once, and visitors dismiss it', async () => {
    const visitor = await site.open();
    await visitor.goto('/trade');
    await visitor.locator('.connection.live').waitFor();
    const operator = await site.open({ as: 'operator' });
    await operator.goto('/operator#protection/announcements');
    const form = operator.getByRole('form', { name: 'Announce', exact: true });
    await form.getByLabel('Title').fill('SOL/USDT opens on Monday');
    await form.getByLabel('Text').fill('Deposits of SOL are open.');
    await form.getByRole('button', { name: 'Announce' }).click();
    const banner = visitor.locator('.exchange-notice .announcement p');
    await banner.getByText('SOL/USDT opens on Monday').waitFor();
    // The stream can be faster than the response, which clears the form.
    await operator.getByText('Announced to everyone').waitFor();
    await form.getByLabel('Title').fill('Withdrawals of BTC are delayed');
    await form.getByLabel('Kind').selectOption('warning');
    await form.getByRole('button', { name: 'Announce' }).click();
    await banner.getByText('Withdrawals of BTC are delayed').waitFor();
    expect(await banner.getByText('SOL/USDT opens on Monday').count()).toBe(0);
    expect(await axeFindings(visitor, '.exchange-notice')).toEqual([]);
    await visitor.getByRole('button', { name: 'Dismiss' }).click();
    await banner.getByText('SOL/USDT opens on Monday').waitFor();
    await visitor.reload();
    await banner.getByText('SOL/USDT opens on Monday').waitFor();
    expect(await banner.getByText('Withdrawals of BTC are delayed').count()).toBe(0);
    const rows = operator.getByRole('table', { name: 'Announcements' }).locator('tbody tr');
    expect(await rows.count()).toBe(2);
    const withdraw = operator.getByRole('dialog').getByRole('button', { name: 'Withdraw' });
    await rows.filter({ hasText: 'SOL/USDT' }).getByRole('button').click();
    await withdraw.click();
    await banner.waitFor({ state: 'hidden' });
    await visitor.goto('/status#announcements');
    await visitor.getByRole('heading', { name: 'Withdrawals of BTC are delayed' }).waitFor();
    await rows.getByRole('button').click();
    await withdraw.click();
    await operator.getByText('No announcements').waitFor();
  });
});

const maintenance = suite('maintenance', (site) => {
  test('is canceled only after a confirmation', async () => {
    const [from, to] = ['2030-01-05T02:00:00.000Z', '2030-01-05T02:30:00.000Z'];
    const terms = { from, to, mode: 'cancel_only', message: 'New release' };
    await site.send('operator', 'POST', '/api/admin/maintenance', terms);
    const page = await site.open({ as: 'operator' });
    await page.goto('/operator#protection');
    const banner = page.locator('.exchange-notice').getByText('New release');
    await banner.waitFor();
    await page.getByRole('button', { name: 'Cancel…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel maintenance?' });
    await dialog.getByText('New release, from').waitFor();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    const { json } = await site.send('operator', 'GET', '/api/status');
    expect(json.data.maintenance).toHaveLength(1);
    await page.getByRole('button', { name: 'Cancel…' }).click();
    await dialog.getByRole('button', { name: 'Cancel maintenance' }).click();
    const heading = page.getByRole('heading', { name: 'Announced maintenance' });
    await heading.waitFor({ state: 'detached' });
    await page.locator('h2:focus').waitFor();
  });
});

describePages([status, announcements, maintenance]);
