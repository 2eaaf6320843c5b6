import { expect, test } from 'bun:test';
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

  test('shows a message instead of an empty chart to an account without history', async () => {
    const page = await site.open({ as: 'operator' });
    await page.goto('/portfolio');
    await page.getByText('No history yet.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('asks signed-out users to sign in', async () => {
    const page = await site.share();
    await page.goto('/portfolio');
    await page.locator('main').getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
