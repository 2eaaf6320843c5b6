import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';
import { sendAsUser } from './screenshots/payments.ts';

/** The records of an account on the operator page, in each width. */

const WIDTHS = [1440, 1280, 1024] as const;
const TERMS = { symbol: 'BTC/USDT', side: 'buy', amount: 0.25 };

/** Returns how much of the tables is hidden at the right, in pixels. */
const cut = (page: Page) =>
  page.evaluate<number>(`[...document.querySelectorAll('.table-box')]
    .reduce((sum, { scrollWidth, clientWidth }) => sum + scrollWidth - clientWidth, 0)`);

const records = suite('operator records', (site) => {
  test('the orders of an account fit, and a market order has no price of its own', async () => {
    const limit = { ...TERMS, type: 'limit', price: 45123.45 };
    expect((await site.send('bob', 'POST', '/api/orders', { ...limit, side: 'sell' })).status).toBe(
      200,
    );
    const market = { ...TERMS, type: 'market' };
    expect((await site.send('alice', 'POST', '/api/orders', market)).status).toBe(200);
    const stop = { ...TERMS, type: 'stop_limit', price: 100123.45, triggerPrice: 100124.56 };
    expect((await site.send('alice', 'POST', '/api/orders', stop)).status).toBe(200);
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#accounts/alice/orders');
    const row = page.getByRole('table', { name: 'Orders of alice' }).getByRole('row');
    const filled = row.filter({ hasText: 'Buy market' });
    await filled.getByRole('cell', { name: 'Filled' }).waitFor();
    expect(await filled.locator('.col-price').innerText()).toBe('–');
    expect(await filled.locator('.col-average').innerText()).toBe('45,123.45');
    await row.filter({ hasText: 'Buy stop limit' }).getByRole('button').waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await cut(page)]).toEqual([width, 0]);
    }
    await page.getByRole('tab', { name: 'Ledger' }).click();
    const ledger = page.getByRole('table', { name: 'Ledger of alice' });
    const held = ledger.getByRole('row', { name: /Hold USDT/ }).first();
    await held.getByRole('link', { name: /^Order \d+$/ }).click();
    await page.getByRole('heading', { name: /^Order \d+$/ }).waitFor();
    await site.send('alice', 'DELETE', '/api/orders?all=true');
  });

  test('the timeline names the accounts of a user, and links to them', async () => {
    const user = await site.share({ as: 'bob' });
    await user.goto('/portfolio');
    const body = { name: 'Trend bot' };
    const { accountId } = (await sendAsUser(site, user, 'POST', '/accounts', body)).account;
    const sent = { from: 'bob', to: accountId, asset: 'USDT', amount: 250 };
    await sendAsUser(site, user, 'POST', '/transfers', sent);
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#accounts/bob/timeline');
    const row = page.getByRole('table', { name: 'Timeline of bob' }).getByRole('row');
    // A transfer is about the account of its sender, not about the asset.
    const moved = row.filter({ hasText: 'Transfer between accounts' }).first();
    expect(await moved.locator('.col-account').innerText()).toBe('bob');
    await moved.getByRole('link', { name: 'bob / Trend bot' }).waitFor();
    const opened = row.filter({ hasText: 'Create sub-account' }).first();
    const link = opened.getByRole('link', { name: 'bob / Trend bot' });
    expect(await link.getAttribute('title')).toBe(accountId);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await cut(page)]).toEqual([width, 0]);
    }
    expect(await axeFindings(page, '.section')).toEqual([]);
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Trend bot' }).waitFor();
  });

  test('recent adjustments name sub-accounts, also on a phone', async () => {
    const user = await site.share({ as: 'bob' });
    await user.goto('/portfolio');
    const body = { name: 'Rewards' };
    const { accountId } = (await sendAsUser(site, user, 'POST', '/accounts', body)).account;
    const amount = { account: accountId, asset: 'USDT', amount: 12.5 };
    const reference = 'rewards-2026-11-a0b1c2d3e4f5';
    const credit = { ...amount, reference, reason: 'campaign of the autumn' };
    expect((await site.send('operator', 'POST', '/api/admin/transfers', credit)).status).toBe(200);
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#transfers');
    const table = page.getByRole('table', { name: 'Recent adjustments' });
    const row = table.getByRole('row', { name: /bob \/ Rewards \+12\.5 USDT operator campaign/ });
    await row.getByTitle(accountId).waitFor();
    await row.getByText(`Reference ${reference}`).waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await cut(page)]).toEqual([width, 0]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    const card = page.getByRole('list', { name: 'Recent adjustments' }).getByRole('listitem');
    await card.filter({ hasText: 'bob / Rewards' }).getByText('+12.5 USDT').waitFor();
    expect(await axeFindings(page, '.section')).toEqual([]);
  });

  test('users of a sub-account are invited to its main account', async () => {
    const user = await site.share({ as: 'bob' });
    await user.goto('/portfolio');
    const body = { name: 'Rewards' };
    const { accountId } = (await sendAsUser(site, user, 'POST', '/accounts', body)).account;
    const page = await site.share({ as: 'operator' });
    const invite = page.getByRole('button', { name: 'Invite user' });
    await page.goto('/operator#accounts/bob/users');
    await invite.waitFor();
    await page.goto(`/operator#accounts/${accountId}/users`);
    const lead = 'Users of the main account bob use this sub-account. Invite users there.';
    await page.getByText(lead).waitFor();
    expect(await invite.count()).toBe(0);
  });

  test('the list of accounts shortens the ids of users who signed up', async () => {
    const accountId = `p${'0123456789ab'.repeat(2)}`;
    const created = await site.send('operator', 'POST', '/api/admin/accounts', { accountId });
    expect(created.status).toBe(200);
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#accounts');
    const link = page.getByRole('link', { name: 'p0123456…456789ab', exact: true });
    expect(await link.locator('span').getAttribute('title')).toBe(accountId);
    await link.click();
    await page.getByRole('heading', { name: `Account ${accountId}` }).waitFor();
  });

  test('users and sessions are cards on a phone', async () => {
    const page = await site.share({ as: 'operator', width: 390, height: 844 });
    await page.goto('/operator#accounts/operator/users');
    const user = page.getByRole('list', { name: 'Users of operator' }).getByRole('listitem');
    await user.getByText('operator@buttonwood.test').waitFor();
    await user.getByText('2FA').waitFor();
    const session = page.getByRole('list', { name: 'Sessions of operator' }).getByRole('listitem');
    await session.first().getByText('127.0.0.1').waitFor();
    await session.first().getByRole('button', { name: 'End' }).waitFor();
    expect((await session.first().boundingBox())!.height).toBeLessThan(220);
    expect(await axeFindings(page, '.section')).toEqual([]);
  });
});

describePages([records]);
