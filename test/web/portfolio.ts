import { expect, test } from 'bun:test';
import { axeFindings } from './axe.ts';
import { suite } from './describe-pages.ts';

const MAX_BYTES = 250 * 1024;

export const portfolioPage = suite('the portfolio page', (site) => {
  test('shows what is owned and what it is worth, clean for axe, within its policy and size', async () => {
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
    await page.getByLabel('Value in').selectOption('BTC');
    await total.filter({ hasText: 'BTC' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  test('the faucet of the sandbox gives what is then there, once an hour', async () => {
    const page = await site.share({ as: 'bob' });
    await page.goto('/portfolio');
    const faucet = page.getByRole('button', { name: 'Take SOL from the faucet' });
    await faucet.click();
    await page.getByText('The faucet has given you more SOL.').waitFor();
    await page.getByRole('cell', { name: '20,400', exact: true }).first().waitFor();
    await faucet.click();
    await page.getByRole('alert').getByText('once an hour').waitFor();
  });

  test('an account that never had anything is told so, and shown no axis of nothing', async () => {
    const page = await site.open({ as: 'operator' });
    await page.goto('/portfolio');
    await page.getByText('There was nothing yet.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('asks who is not signed in to do so', async () => {
    const page = await site.share();
    await page.goto('/portfolio');
    await page.locator('main').getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
