import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';

/** The page of accounts, and how all pages keep to the account that a tab has selected. */
const accounts = suite('accounts', (site) => {
  const PAGES = ['/trade/BTC-USDT', '/portfolio', '/accounts', '/deposit', '/withdraw'];

  /** Checks a page at both widths and in both themes. */
  async function check(page: Page): Promise<void> {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  const bar = (page: Page) => page.getByRole('region', { name: 'Account', exact: true });
  const chosen = (page: Page) => bar(page).locator('option:checked').innerText();

  async function createSubAccount(page: Page, name: string): Promise<void> {
    await page.goto('/accounts');
    await page.getByRole('button', { name: 'Create sub-account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Create sub-account' }).click();
    await page.getByText(`${name} created`).waitFor();
  }

  async function switchTo(page: Page, name: string): Promise<void> {
    await Promise.all([
      page.waitForEvent('load'),
      bar(page).getByLabel('Account').selectOption({ label: name }),
    ]);
    await bar(page).waitFor();
    expect(await chosen(page)).toBe(name);
  }

  async function buy(page: Page, amount: string): Promise<void> {
    await page.goto('/trade/BTC-USDT');
    await page.getByLabel('Limit price').fill('40000');
    await page.getByLabel('Amount', { exact: true }).fill(amount);
    await page.getByRole('button', { name: 'Buy BTC' }).click();
  }

  /** Returns the amounts of the open orders of an account. */
  async function openAmounts(page: Page, account: string): Promise<number[]> {
    const text = `fetch('/api/orders?status=open', { headers: { 'X-Account': '${account}' } }).then((answer) => answer.json())`;
    // biome-ignore lint/suspicious/noExplicitAny: the response
    const { data } = (await page.evaluate(text)) as any;
    return data.orders.map(({ amount }: { amount: number }) => amount);
  }

  /** Returns the ids of the main account and of the first sub-account. */
  async function readGroup(page: Page): Promise<string[]> {
    const text = "fetch('/api/accounts').then((answer) => answer.json())";
    // biome-ignore lint/suspicious/noExplicitAny: the response
    const { data } = (await page.evaluate(text)) as any;
    return data.accounts.map(({ accountId }: { accountId: string }) => accountId);
  }

  test('creates, renames and funds a sub-account', async () => {
    const page = await site.open({ as: 'alice' });
    await page.goto('/portfolio');
    await page.getByRole('heading', { name: 'Portfolio', exact: true }).waitFor();
    expect(await bar(page).count()).toBe(0);
    await createSubAccount(page, 'Grid');
    await page.getByRole('button', { name: 'Create sub-account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Grid');
    await dialog.getByRole('button', { name: 'Create sub-account' }).click();
    await dialog.getByText('Another sub-account has this name.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Rename Grid' }).click();
    await dialog.getByLabel('Name').fill('Grid bot');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('Renamed to Grid bot').waitFor();

    const form = page.getByRole('form', { name: 'New transfer' });
    await form.getByLabel('To', { exact: true }).selectOption({ label: 'Grid bot' });
    const sides = ['From', 'To'].map((name) => form.getByLabel(name, { exact: true }));
    const chosen = () =>
      Promise.all(sides.map((side) => side.locator('option:checked').innerText()));
    const swap = form.getByRole('button', { name: 'Swap accounts' });
    await swap.click();
    expect(await chosen()).toEqual(['Grid bot', 'Main account']);
    await swap.press('Enter');
    expect(await chosen()).toEqual(['Main account', 'Grid bot']);
    await form.getByLabel('Asset').selectOption('USDT');
    await form.getByLabel('Amount').fill('99999999999');
    await form.getByRole('button', { name: 'Review transfer' }).click();
    await form.getByText(/^You can transfer up to .* USDT/).waitFor();
    await form.getByLabel('Amount').fill('0');
    await form.getByRole('button', { name: 'Review transfer' }).click();
    await form.getByText('Enter an amount above zero').waitFor();
    await form.getByLabel('Amount').fill('1000.5');
    await form.getByRole('button', { name: 'Review transfer' }).click();
    for (const text of ['1,000.5 USDT', 'Main account', 'Grid bot', 'None']) {
      await dialog.getByText(text, { exact: true }).waitFor();
    }
    expect(await dialog.getByLabel('Your password').count()).toBe(0);
    await check(page);
    // Nothing is sent before the confirmation.
    await dialog.getByRole('button', { name: 'Back' }).click();
    // Keys go to the dialog until it has closed.
    await dialog.waitFor({ state: 'hidden' });
    expect(await form.getByLabel('Amount').inputValue()).toBe('1000.5');
    const { json } = await site.send('alice', 'GET', '/api/transfers');
    expect(json.data.transfers).toEqual([]);
    await form.getByLabel('Amount').press('Enter');
    await dialog.getByRole('button', { name: 'Transfer 1,000.5 USDT' }).click();
    await page.getByText('1,000.5 USDT sent to Grid bot').waitFor();
    const row = page.getByRole('table', { name: 'Transfers' }).getByRole('row').nth(1);
    await row.getByText('1,000.5').waitFor();
    await page
      .getByRole('table', { name: 'Balances of all accounts' })
      .getByRole('row', { name: 'Grid bot USDT 1,000.5' })
      .waitFor();
    await page.getByRole('columnheader', { name: 'Value (USDT)' }).waitFor();
    // The page needs no link to itself.
    expect(await bar(page).getByRole('link').count()).toBe(0);
    await check(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText(/^sub_[0-9a-f]{4}…[0-9a-f]{4}$/).waitFor();
  });

  test.each([...PAGES, '/settings#keys'])('%s keeps to the selected account', async (path) => {
    const page = await site.open({ as: 'alice' });
    await page.goto('/portfolio');
    await switchTo(page, 'Grid bot');
    await page.goto(path);
    await bar(page).waitFor();
    expect(await chosen(page)).toBe('Grid bot');
    await check(page);
  });

  test('a sub-account has its own balances and keys, and cannot withdraw', async () => {
    const page = await site.open({ as: 'alice' });
    await page.goto('/portfolio');
    await switchTo(page, 'Grid bot');
    await page.getByRole('cell', { name: '1,000.50', exact: true }).first().waitFor();
    await page.goto('/withdraw');
    await page.getByText('Sub-accounts cannot withdraw.').waitFor();
    await page.goto('/settings#keys');
    await page.getByText('For bots and apps that use').waitFor();
    await Promise.all([
      page.waitForEvent('load'),
      page
        .goto('/withdraw')
        .then(() => page.getByRole('button', { name: 'Switch to main' }).click()),
    ]);
    await page.getByText('New withdrawal').waitFor();
    expect(await chosen(page)).toBe('Main account');
  });

  test('sends money to another user, with the password', async () => {
    const page = await site.open({ as: 'alice' });
    await page.goto('/accounts');
    const form = page.getByRole('form', { name: 'New transfer' });
    await form.getByRole('button', { name: 'To another user' }).click();
    await form.getByLabel('Asset').selectOption('USDT');
    await form.getByLabel('Amount').fill('7');
    await form.getByRole('button', { name: 'Review transfer' }).click();
    await form.getByText('Enter an account ID or an email address.').waitFor();
    await form.getByLabel('Recipient').fill('bob@buttonwood.test');
    await form.getByLabel('Amount').press('Enter');
    const review = page.getByRole('dialog', { name: 'Review transfer' });
    for (const text of ['7 USDT', 'Main account', 'bob@buttonwood.test']) {
      await review.getByText(text, { exact: true }).waitFor();
    }
    await check(page);
    const send = review.getByRole('button', { name: 'Transfer 7 USDT' });
    await send.click();
    await review.getByText('Confirm it’s you.').waitFor();
    await review.getByLabel('Your password').fill('not that');
    await send.click();
    await review.getByText('Incorrect password').waitFor();
    await check(page);
    await review.getByLabel('Your password').fill(site.readPassword('alice'));
    // By keyboard.
    await page.keyboard.press('Enter');
    await review.waitFor({ state: 'hidden' });
    await page.getByText('7 USDT sent to bob@buttonwood.test').waitFor();
    const row = page.getByRole('table', { name: 'Transfers' }).getByRole('row').nth(1);
    await row.getByText('bob', { exact: true }).waitFor();
    const { json } = await site.send('bob', 'GET', '/api/transfers');
    expect(json.data.transfers[0]).toMatchObject({ from: 'alice', to: 'bob', amount: 7 });
  });

  test('closes and reopens a sub-account', async () => {
    const page = await site.open({ as: 'alice' });
    await createSubAccount(page, 'Old bot');
    const table = page.getByRole('table', { name: 'Your accounts' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Close Grid bot' }).click();
    await dialog.getByText('It still holds USDT. Transfer its balances first.').waitFor();
    const confirm = dialog.getByRole('button', { name: 'Close account' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await switchTo(page, 'Old bot');
    await page.getByRole('button', { name: 'Close Old bot' }).click();
    await dialog.getByText('Its API keys are revoked.').waitFor();
    await check(page);
    await Promise.all([page.waitForEvent('load'), confirm.click()]);
    await bar(page).waitFor();
    expect(await chosen(page)).toBe('Main account');
    expect(await bar(page).locator('option').allInnerTexts()).toEqual(['Main account', 'Grid bot']);
    const form = page.getByRole('form', { name: 'New transfer' });
    expect(await form.getByRole('option', { name: 'Old bot' }).count()).toBe(0);
    expect(await table.getByText('Old bot').count()).toBe(0);

    await page.getByRole('button', { name: 'Show 1 closed account' }).click();
    const row = table.getByRole('row', { name: 'Old bot' });
    await row.getByText('Closed', { exact: true }).waitFor();
    expect(await row.getByRole('button', { name: 'Switch to Old bot' }).count()).toBe(0);
    await check(page);
    await page.getByRole('button', { name: 'Hide closed accounts' }).click();
    await row.waitFor({ state: 'detached' });
    // One that received money after it was closed is shown, so that its owner can reopen it.
    const account = (await readGroup(page)).at(-1)!;
    const credit = { account, asset: 'USDT', amount: 5, reference: 'late', reason: 'test' };
    const credited = await site.send('operator', 'POST', '/api/admin/transfers', credit);
    expect(credited.status).toBe(200);
    await row.getByText('Closed', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Reopen Old bot' }).press('Enter');
    await page.getByText('Old bot reopened').waitFor();
    await row.getByText('Active', { exact: true }).waitFor();
    // The keyboard keeps its place though the button is gone.
    await row.locator('button:focus', { hasText: 'Close Old bot' }).waitFor();
    expect(await form.getByRole('option', { name: 'Old bot' }).count()).toBeGreaterThan(0);
    // Without its money it can be closed again, for the tests that follow.
    await form.getByLabel('From', { exact: true }).selectOption({ label: 'Old bot' });
    await form.getByLabel('To', { exact: true }).selectOption({ label: 'Main account' });
    await form.getByLabel('Amount').fill('5');
    await form.getByRole('button', { name: 'Review transfer' }).click();
    await dialog.getByRole('button', { name: 'Transfer 5 USDT' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await row.getByRole('button', { name: 'Close Old bot' }).press('Enter');
    await confirm.press('Enter');
    await row.waitFor({ state: 'detached' });
    await page.locator('button:focus', { hasText: 'Show 1 closed account' }).waitFor();
  });

  test('operators see that a sub-account is closed', async () => {
    const page = await site.open({ as: 'operator' });
    await page.goto('/operator#accounts');
    await page.getByLabel('Search accounts').fill('old bot');
    const row = page.getByRole('row', { name: 'Old bot' });
    await row.getByText('Closed', { exact: true }).waitFor();
    await row.getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Old bot' }).waitFor();
    await page.locator('.account-head').getByText('Closed', { exact: true }).waitFor();
  });

  test('shows transfers by pages of 20', async () => {
    const page = await site.open({ as: 'alice' });
    await createSubAccount(page, 'Savings');
    const sub = (await readGroup(page)).at(-1);
    const transfer = JSON.stringify({ to: sub, asset: 'USDT', amount: 1 });
    const send = `fetch('/api/transfers', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '${transfer}',
    }).then(({ status }) => status)`;
    for (let count = 0; count < 25; count++) expect(await page.evaluate(send)).toBe(200);
    await page.reload();
    const rows = page.getByRole('table', { name: 'Transfers' }).locator('tbody tr');
    const more = page.getByRole('button', { name: 'Load more' });
    await more.waitFor();
    expect(await rows.count()).toBe(20);
    await more.click();
    await more.waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(28);
    // A reload of the newest rows keeps the older ones.
    for (let reloads = 0; reloads < 2; reloads++) {
      await page.waitForResponse((response) => response.url().includes('/api/transfers?'));
    }
    expect(await rows.count()).toBe(28);
  });

  test('a tab trades for the account that it shows, whatever other tabs select', async () => {
    const stale = await site.open({ as: 'alice' });
    await stale.goto('/trade/BTC-USDT');
    await bar(stale).waitFor();
    const [main, sub] = await readGroup(stale);
    const other = await stale.context().newPage();
    await other.goto('/trade/BTC-USDT');
    await switchTo(other, 'Grid bot');
    await buy(other, '0.00311');
    await other.locator('.orders tbody tr', { hasText: '0.00311' }).waitFor();
    await stale.getByLabel('Limit price').fill('40000');
    await stale.getByLabel('Amount', { exact: true }).fill('0.00422');
    await stale.getByRole('button', { name: 'Buy BTC' }).click();
    await stale.locator('.orders tbody tr', { hasText: '0.00422' }).waitFor();
    expect(await openAmounts(stale, main!)).toEqual([0.00422]);
    expect(await openAmounts(stale, sub!)).toEqual([0.00311]);
    expect(await stale.locator('.orders tbody tr', { hasText: '0.00311' }).count()).toBe(0);
    expect(await chosen(stale)).toBe('Main account');
    // The choice survives a reload in each tab, and new tabs begin with the last one.
    await stale.reload();
    await bar(stale).waitFor();
    expect(await chosen(stale)).toBe('Main account');
    const late = await stale.context().newPage();
    await late.goto('/portfolio');
    await bar(late).waitFor();
    expect(await chosen(late)).toBe('Grid bot');
  });

  test('requests of a page are rejected once another user has signed in', async () => {
    const stale = await site.open({ as: 'alice' });
    await stale.goto('/accounts');
    const form = stale.getByRole('form', { name: 'New transfer' });
    await form.getByLabel('Amount').fill('1');
    const other = await stale.context().newPage();
    await site.signIn(other, 'bob@buttonwood.test', site.readPassword('bob'));
    await other.waitForURL('**/trade');
    await form.getByRole('button', { name: 'Review transfer' }).click();
    await stale.getByRole('dialog').getByRole('button', { name: 'Transfer 1 ' }).click();
    await stale.getByText('Another user has signed in.').first().waitFor();
    await check(stale);
    const { json } = await site.send('bob', 'GET', '/api/transfers');
    expect(json.data.transfers.map(({ from }: { from: string }) => from)).toEqual(['alice']);
    await stale.reload();
    await stale.getByRole('heading', { name: 'Your accounts' }).waitFor();
    expect(await stale.getByText('Another user has signed in.').count()).toBe(0);
  });

  test('operators see the main account of a sub-account', async () => {
    const page = await site.open({ as: 'operator' });
    await page.goto('/operator#accounts');
    await page.getByLabel('Search accounts').fill('grid');
    const row = page.getByRole('row', { name: 'Grid bot' });
    await row.getByText('sub-account of alice').waitFor();
    await row.getByRole('link').first().click();
    await page.getByRole('definition').filter({ hasText: 'alice' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Grid bot' }).waitFor();
    expect(await page.title()).toStartWith('Grid bot · Accounts · ');
    await check(page);
    await page.locator('.record-title').getByRole('link', { name: 'Accounts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
  });
});

describePages([accounts]);
