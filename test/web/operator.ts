import { expect, test } from 'bun:test';
import Big from 'big.js';
import { insertAlert } from '../process/insert-alert.ts';
import { axeFindings } from './axe.ts';
import { suite } from './describe-pages.ts';
import { applyReviewed } from './review.ts';

/** Tests of the operator page in a real browser. */
export const operatorPage = suite('operator page', (site) => {
  const ORDER = { symbol: 'SOL/USDT', side: 'buy', type: 'limit', amount: 1, price: 100 };
  const place = () => site.send('alice', 'POST', '/api/orders', ORDER);
  const readStatus = async (symbol: string) => {
    const response = await fetch(`${site.baseUrl}/api/markets?symbol=${symbol}`);
    return ((await response.json()) as { data: { markets: { status: string }[] } }).data.markets[0]!
      .status;
  };

  test('halts and delists a market after a preview of the affected orders', async () => {
    const page = await site.share({ as: 'operator' });
    expect((await place()).status).toBe(200);
    await page.goto('/operator#markets');
    await page.getByRole('button', { name: 'Status of SOL/USDT' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Status').selectOption('halted');
    await dialog.getByText('1 open order:').waitFor();
    await dialog.getByText('cannot fill and can be canceled').waitFor();
    await dialog.getByRole('cell', { name: 'alice' }).waitFor();
    await dialog.getByLabel('Reason').fill('bad prices');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('SOL/USDT is halted').waitFor();
    expect(await readStatus('SOL/USDT')).toBe('halted');

    await page.getByRole('button', { name: 'Status of SOL/USDT' }).click();
    await dialog.getByLabel('Status', { exact: true }).selectOption('delisted');
    const typed = dialog.getByLabel('Type SOL/USDT to delist it permanently');
    await dialog.getByLabel('Reason').fill('no volume');
    await typed.fill('SOL');
    await dialog.getByRole('button', { name: 'Delist market' }).click();
    await dialog.getByText('Type SOL/USDT exactly').waitFor();
    expect(await readStatus('SOL/USDT')).toBe('halted');
    await typed.fill('SOL/USDT');
    await dialog.getByRole('button', { name: 'Delist market' }).click();
    await page.getByText('SOL/USDT is delisted').waitFor();
    expect(await readStatus('SOL/USDT')).toBe('delisted');
  });

  test('changes market rules after a review, and rejects rules that are not numbers', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#markets');
    await page.getByRole('button', { name: 'Edit rules of ETH/USDT' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Maker fee').fill('a tenth');
    await dialog.getByRole('button', { name: 'Review changes' }).click();
    await dialog.getByText('Enter a percentage, such as 0.1.').waitFor();
    await dialog.getByLabel('Maker fee').fill('0.05');
    await dialog.getByRole('button', { name: 'Review changes' }).click();
    await dialog.getByText('No open orders are affected.').waitFor();
    await page.getByRole('button', { name: 'Apply changes' }).click();
    await page.getByText('Enter a reason.').waitFor();
    expect(await axeFindings(page, 'dialog:modal .change-list')).toEqual([]);
    await applyReviewed(page, 'Maker fee 0.08% 0.05%');
    await page.getByText('Rules of ETH/USDT updated').waitFor();
    await page.getByRole('cell', { name: '0.05% / 0.10%' }).waitFor();
    const { json } = await site.send('operator', 'GET', '/api/admin/audit?limit=1');
    expect(json.data.entries[0].details.reason).toBe('asked by a market maker');
  });

  test('freezes an account with a reason, which is recorded in the audit trail', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#accounts');
    await page.getByRole('button', { name: 'Value' }).click();
    await page.getByRole('row', { name: /alice .* USDT/ }).waitFor();
    await page.getByLabel('Search accounts').fill('ALI');
    const stop = {
      ...ORDER,
      symbol: 'ETH/USDT',
      type: 'stop_limit',
      price: 6100,
      triggerPrice: 6000,
    };
    expect((await site.send('alice', 'POST', '/api/orders', stop)).status).toBe(200);
    await page.getByRole('link', { name: 'alice' }).click();
    await page.getByRole('tab', { name: 'Orders' }).click();
    await page.getByRole('row', { name: /Buy stop limit 6,100 6,000 1 0/ }).waitFor();
    await page.getByRole('button', { name: 'Freeze' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Freeze account' }).click();
    await dialog.getByText('Enter a reason for the audit trail.').waitFor();
    await dialog.getByLabel('Reason').fill('<i>asked</i> by the court');
    await dialog.getByRole('button', { name: 'Freeze account' }).click();
    await page.getByText('alice is frozen').waitFor();
    expect((await place()).status).toBe(403);
    await page.goto('/operator#audit');
    await page.getByRole('combobox', { name: 'Action' }).fill('setAccountStatus');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('Reason <i>asked</i> by the court').waitFor();
    await page.getByText('Create API key').first().waitFor({ state: 'detached' });
  });

  test('an entry of the audit trail is compact, and a phone names its actor and target', async () => {
    const note = { text: 'called back' };
    expect(
      (await site.send('operator', 'POST', '/api/admin/accounts/alice/notes', note)).status,
    ).toBe(200);
    const page = await site.share({ as: 'operator', width: 1024, height: 768 });
    await page.goto('/operator#audit');
    const row = page.getByRole('row', { name: /Add note/ }).first();
    await row.getByText('Applied').waitFor();
    expect((await row.boundingBox())!.height).toBeLessThanOrEqual(64);
    const key = page.getByRole('row', { name: /Create API key/ }).first();
    const shortened = await key.innerText();
    await key.getByRole('button', { name: 'Show all' }).press('Enter');
    await key.getByText(/API key bwk_[0-9a-f]{32}/).waitFor();
    await key.getByRole('button', { name: 'Show less' }).press('Enter');
    expect(await key.innerText()).toBe(shortened);
    await page.setViewportSize({ width: 390, height: 844 });
    const card = page.getByRole('listitem').filter({ hasText: 'Add note' }).first();
    await card.getByText('Account alice').filter({ visible: true }).waitFor();
    await card.getByText('by operator').waitFor();
    expect(await axeFindings(page, '.section')).toEqual([]);
  });

  test('the accounts show the second factor and the last visit, and a row opens its account', async () => {
    for (const width of [1440, 1024, 390]) {
      const page = await site.share({ as: 'operator', width, height: 844 });
      await page.goto('/operator#accounts');
      const row = page.locator('.account-list tbody tr', { hasText: 'operator@' });
      await row.locator('[data-key="factor"]', { hasText: /^Off$/ }).waitFor();
      await row
        .locator('[data-key="seen"]', { hasText: /^\d\d \w{3} \d{4}\s*[\d:]{8}$/ })
        .waitFor();
      const hidden = await page
        .locator('.table-box')
        .evaluate((box) => box.scrollWidth - box.clientWidth);
      expect(hidden).toBe(0);
      expect(await axeFindings(page, '.section')).toEqual([]);
      const alice = page.locator('.account-list tbody tr', { hasText: 'alice@' });
      for (const [key, text] of [
        ['orders', /^\d+$/],
        ['tier', /^Market fees$/],
      ] as const) {
        const cell = alice.locator(`[data-key="${key}"]`, { hasText: text });
        // They give way between a phone and a desktop.
        expect([width, key, await cell.isVisible()]).toEqual([width, key, width !== 1024]);
      }
      await row.locator('[data-key="status"]').click();
      await page.locator('.account-head', { hasText: 'operator@' }).waitFor();
    }
  });

  test('a response to an earlier search does not replace that to a later one', async () => {
    const page = await site.open({ as: 'operator' });
    const held = Promise.withResolvers<void>();
    const handled = Promise.withResolvers<void>();
    await page.route(/\/api\/admin\/accounts\?search=a&/, async (route) => {
      const response = await route.fetch();
      await held.promise;
      await route.fulfill({ response });
      handled.resolve();
    });
    await page.goto('/operator#accounts');
    await page.getByRole('link', { name: 'bob' }).waitFor();
    await page.getByLabel('Search accounts').fill('a');
    await page.getByLabel('Search accounts').fill('bob');
    await page.getByRole('link', { name: 'alice' }).waitFor({ state: 'detached' });
    held.resolve();
    await handled.promise;
    // The page has handled that response once it has handled a later one.
    await page.evaluate(async () => (await fetch('/api/time')).text());
    expect(await page.getByRole('link', { name: 'bob' }).count()).toBe(1);
    expect(await page.getByRole('link', { name: 'alice' }).count()).toBe(0);
  });

  test('a credit moves money only once, and the books still balance', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#transfers/bob');
    const reference = await page.getByLabel('Reference').inputValue();
    const credit = async () => {
      await page.getByLabel('Amount').fill('12.5');
      await page.getByLabel('Reason').fill('deposit');
      await page.getByLabel('Reference').fill(reference);
      await page.getByRole('button', { name: 'Review credit' }).click();
      await page.getByLabel('Your password', { exact: true }).fill(site.readPassword('operator'));
      await page.getByRole('button', { name: 'Credit 12.5 USDT' }).click();
    };
    await credit();
    await page.getByText('1,000,012.5 USDT').waitFor();
    await page.getByRole('button', { name: 'New adjustment' }).click();
    await credit();
    await page.getByText('no money was moved now').waitFor();
    await page.getByText('1,000,012.5 USDT').waitFor();
    const earlier = page.locator('.panel', {
      has: page.getByRole('heading', { name: 'Recent adjustments' }),
    });
    await earlier.getByRole('row', { name: /bob \+12\.5 USDT operator deposit/ }).waitFor();
    expect(await earlier.getByRole('row', { name: /deposit/ }).count()).toBe(1);
    await page.goto('/operator#books');
    await page.getByText('The books balance.').waitFor();
  });

  test('a report about the exchange is created and removed, and passes axe', async () => {
    for (const width of [1440, 390]) {
      const page = await site.share({ as: 'operator', width, height: 844 });
      await page.goto('/operator#reports');
      const panel = page.locator('.panel', { has: page.getByRole('heading', { name: 'Reports' }) });
      await panel.getByText('No reports yet').waitFor();
      await panel.getByLabel('Report', { exact: true }).selectOption('Revenue');
      await panel.getByText('One row for each market, fee tier and asset').waitFor();
      const period = panel.getByLabel('Period (UTC)');
      await period.selectOption('Custom');
      await panel.getByLabel('From').fill('2026-01-31');
      await panel.getByLabel('To', { exact: true }).fill('2026-01-30');
      await panel.getByRole('button', { name: 'Create report' }).click();
      await panel.getByText('The last day must not be before the first one.').waitFor();
      expect(await axeFindings(page, '.panel:has(.report-form)')).toEqual([]);
      await period.selectOption('This month');
      await panel.getByRole('button', { name: 'Create report' }).click();
      await panel.getByText('Ready').waitFor();
      // Busy buttons are faded.
      await panel.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
      expect(await axeFindings(page, '.panel:has(.report-form)')).toEqual([]);
      const href = await panel.getByRole('link', { name: /^Download/ }).getAttribute('href');
      expect(href).toStartWith('/api/admin/reports/');
      await panel.getByRole('button', { name: /^Remove/ }).click();
      await panel.getByText('No reports yet').waitFor();
    }
  });

  test('an alert is assigned and its case closed with a note, and the pages pass axe', async () => {
    for (const [index, look] of ([{}, { scheme: 'dark', width: 390 }] as const).entries()) {
      const id = await insertAlert(site.dataDirectory, index);
      const page = await site.open({ as: 'operator', ...look });
      if (index === 1)
        await page.addInitScript(() => localStorage.setItem('buttonwood-theme', 'dark'));
      await page.goto('/operator#books');
      await page.goto('/operator#surveillance');
      // By keyboard: the market, the account and the case, and Enter.
      await page.getByRole('option', { name: 'BTC/USDT' }).waitFor({ state: 'attached' });
      if (index === 1) await page.locator('.filter-box > summary').press('Enter');
      await page.getByLabel('Account', { exact: true }).fill('unknown');
      await page.getByLabel('Account', { exact: true }).press('Enter');
      await page.locator('.field.has-error', { hasText: 'Account' }).waitFor();
      await page.getByLabel('Account', { exact: true }).fill('');
      await page.getByLabel('Case', { exact: true }).selectOption('Open');
      await page.getByLabel('Account', { exact: true }).press('Enter');
      await page.locator(`a[href="#surveillance/${id}"]`).waitFor();
      expect(await axeFindings(page, '.section')).toEqual([]);
      await page.locator(`a[href="#surveillance/${id}"]`).click();
      await page.getByText('Price rise (%)').waitFor();
      await page.getByLabel('Assignee', { exact: true }).selectOption('operator');
      await page.getByRole('button', { name: 'Save review' }).click();
      await page.locator('.badge', { hasText: 'Assigned' }).first().waitFor();
      await page.getByRole('button', { name: 'Close case' }).click();
      await page.getByText('Enter a note that says why the case is closed.').waitFor();
      await page.getByLabel('Note', { exact: true }).fill('A market maker');
      await page.getByRole('button', { name: 'Close case' }).click();
      await page.getByRole('cell', { name: 'A market maker' }).waitFor();
      await page.getByRole('button', { name: 'Reopen case' }).waitFor();
      expect(await axeFindings(page, '.section')).toEqual([]);
    }
  });

  test('several cases are closed with one reason, by keyboard alone', async () => {
    const ids = [
      await insertAlert(site.dataDirectory, 5),
      await insertAlert(site.dataDirectory, 6),
    ];
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#accounts');
    await page.getByRole('row', { name: /^operator 2 open alerts / }).waitFor();
    // A phone has a menu in place of the list of sections.
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await page.getByRole('navigation', { name: 'Operator' }).isVisible()).toBe(false);
    await page.getByRole('link', { name: '2 waiting in other sections' }).click();
    await page.getByRole('heading', { name: 'Orders per second' }).waitFor();
    const menu = page.getByRole('combobox', { name: 'Section' });
    expect(await menu.locator('option', { hasText: 'Surveillance' }).innerText()).toBe(
      'Surveillance (2)',
    );
    await menu.selectOption({ label: 'Markets' });
    await page.getByRole('list', { name: 'Assets' }).waitFor();
    expect(await page.evaluate('location.hash')).toBe('#markets');
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto('/operator#surveillance');
    await page.getByLabel('Case', { exact: true }).selectOption('Open');
    await page.getByLabel('Account', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Severity' }).press('Enter');
    await page.locator('th[aria-sort="ascending"]', { hasText: 'Severity' }).waitFor();
    await page.getByLabel('Select all 2').press('Space');
    await page.getByRole('button', { name: 'Close 2 cases…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Close cases' });
    expect(await dialog.locator(':focus').getAttribute('name')).toBe('note');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a reason.').waitFor();
    expect(await axeFindings(page, 'dialog:modal')).toEqual([]);
    await dialog.locator('[name=note]').fill('Our own market makers');
    await dialog.locator('[name=note]').press('Enter');
    await page.getByText('2 cases closed').waitFor();
    for (const id of ids) {
      const { json } = await site.send('operator', 'GET', `/api/admin/alerts/${id}`);
      expect(json.data.alert.caseStatus).toBe('closed');
      expect(json.data.reviews[0].note).toBe('Our own market makers');
    }
  });

  test('the page of surveillance shows what the detectors have read', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#surveillance');
    const detectors = page.getByRole('table', { name: 'Detectors' });
    await detectors.getByRole('row', { name: /^Pump .* High 1 hour .* Running$/ }).waitFor();
    const stuffing = detectors.getByRole('row', { name: /^Quote stuffing/ });
    await stuffing.getByText('When it raises an alert').click();
    await stuffing.getByText('Orders canceled unfilled within 500 ms').waitFor();
    await stuffing.getByText(/^At least 500 such orders, and 100 for each/).waitFor();
    await page.getByText(/[\d,]+ order changes and [\d,]+ trades of all markets/).waitFor();
    const account = page.getByLabel('Account', { exact: true });
    await account.fill('alice@');
    await page.getByRole('option', { name: 'alice@buttonwood.test' }).click();
    expect(await account.inputValue()).toBe('alice');
    // A choice applies at once; the account applies with the button.
    await page.getByLabel('Severity').selectOption('Low');
    await page.getByText('No alerts match the filter.').waitFor();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('No alerts match the filter.').waitFor();
    expect(await axeFindings(page, '.section')).toEqual([]);
  });

  test('times are typed in 24 hours, and a phone shows the filters on request', async () => {
    const page = await site.share({ as: 'operator', width: 390, height: 844 });
    await page.goto('/operator#audit');
    await page.getByRole('link', { name: /^Times: UTC/ }).waitFor();
    const from = page.getByRole('textbox', { name: 'From' });
    expect(await from.isVisible()).toBe(false);
    await page.locator('summary', { hasText: 'Filters' }).press('Enter');
    await from.fill('2026-02-30');
    await from.press('Enter');
    await page.getByText('Enter a time, such as 2026-01-31 14:05.').waitFor();
    await from.fill('2099-1-5 9:05');
    await from.press('Enter');
    await page.getByText('No entries match the filter.').waitFor();
    await page.getByText('Filters (1)').waitFor();
    await from.blur();
    expect(await from.inputValue()).toBe('2099-01-05 09:05');
    expect(await axeFindings(page, '.section')).toEqual([]);
  });

  test('the books show every digit, which add up to the sum, and pass axe', async () => {
    for (const width of [1440, 390]) {
      const page = await site.share({ as: 'operator', width, height: 844 });
      await page.goto('/operator#books');
      const table = page.getByRole('table', { name: 'Totals of each asset' });
      const row = table.locator('tr', { hasText: 'BTC' });
      await row.getByText('✓ Balanced').waitFor();
      const amounts: string[] = await row.locator('.exact-amount').allInnerTexts();
      const sum = amounts
        .map((text) => new Big(text.replaceAll(',', '').replace('−', '-')))
        .reduce((total, amount) => total.plus(amount));
      expect(amounts).toHaveLength(4);
      expect(sum.toFixed()).toBe(await row.locator('.col-sum b').innerText());
      expect(await axeFindings(page, '.section')).toEqual([]);
    }
  });

  test('reports books that do not balance', async () => {
    const broken = await site.open({ as: 'operator' });
    await broken.route('**/api/admin/state', async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replace(/"held":0,/, '"held":0.00000001,');
      await route.fulfill({ response, body: text });
    });
    await broken.goto('/operator#books');
    await broken.getByText('The books do not balance').waitFor();
    await broken.getByText('✗ Not balanced').waitFor();
  });

  test('an invited user sets a password and has access until removed', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#accounts/bob/users');
    await page.getByRole('button', { name: 'Invite user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('dave@example.com');
    await dialog.getByLabel('View only').check();
    await dialog.getByLabel('Your password', { exact: true }).fill('not the password');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await dialog.getByText('Incorrect password').waitFor();
    await dialog.getByLabel('Your password', { exact: true }).fill(site.readPassword('operator'));
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    const link = await dialog.locator('code').innerText();
    await page.goto('/operator#audit');
    await page.getByRole('cell', { name: 'dave@example.com' }).waitFor();
    const dave = await site.open();
    await dave.goto(link.replace('127.0.0.1', 'localhost'));
    await dave.getByLabel('New password', { exact: true }).fill('four words of one user');
    await dave.getByRole('button', { name: 'Change password' }).click();
    await dave.getByRole('heading', { name: 'Password changed' }).waitFor();
    await site.signIn(dave, 'dave@example.com', 'four words of one user');
    await dave.waitForURL('**/trade');
    await dave.goto('/settings');
    await dave.getByRole('definition').filter({ hasText: 'bob' }).first().waitFor();

    await page.goto('/operator#accounts/bob/users');
    await page.getByRole('button', { name: 'Remove dave@example.com' }).click();
    await dialog.getByText('dave@example.com is signed out immediately').waitFor();
    await dialog.getByLabel('Your password', { exact: true }).fill('not the password');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('Incorrect password').waitFor();
    await dialog.getByLabel('Your password', { exact: true }).fill(site.readPassword('operator'));
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('dave@example.com removed').waitFor();
    const row = page.getByRole('table', { name: 'Users of bob' }).getByRole('row');
    await row.filter({ hasText: 'dave@example.com' }).waitFor({ state: 'detached' });
    await row.filter({ hasText: 'bob@buttonwood.test' }).waitFor();
    const status = await dave.evaluate("fetch('/api/account').then((answer) => answer.status)");
    expect(status).toBe(401);
    await page.goto('/operator#audit');
    const audit = page.getByRole('table', { name: 'User audit trail' }).getByRole('row');
    await audit.filter({ hasText: 'removed' }).filter({ hasText: 'dave@example.com' }).waitFor();
  });
});
