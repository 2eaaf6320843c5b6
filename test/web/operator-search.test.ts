import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { axeFindings } from './axe.ts';
import { describePages, suite } from './describe-pages.ts';
import { sendAsUser } from './screenshots/payments.ts';

/** Search, credits and the audit trail on the operator page. */
const operatorSearch = suite('operator search', (site) => {
  test('the search finds a user and an order by keyboard', async () => {
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.1, price: 100 };
    const placed = { ...order, clientOrderId: 'grid-4711' };
    expect((await site.send('alice', 'POST', '/api/orders', placed)).status).toBe(200);
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#markets');
    await page.getByRole('table', { name: 'Markets' }).waitFor();
    await page.keyboard.press('/');
    const search = page.getByRole('combobox', { name: 'Search the exchange' });
    await page.keyboard.type('alice@');
    const list = page.getByRole('listbox');
    await list
      .getByRole('group', { name: 'Accounts' })
      .getByText('alice@buttonwood.test')
      .waitFor();
    expect(await axeFindings(page, '.operator-head')).toEqual([]);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/operator#accounts/alice');
    await search.fill('grid-4711');
    const found = list.getByRole('group', { name: 'Orders' }).getByRole('option');
    await found.getByText('Buy 0.1 BTC/USDT').waitFor();
    await search.press('Enter');
    await page.getByRole('heading', { name: /^Order \d+$/ }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Alice' }).waitFor();
    expect(await page.title()).toStartWith('Alice · Accounts · ');
    await search.fill('no such thing');
    await page.getByText('Nothing found').waitFor();
  });

  test('an ended order is found with its row, its fills and the ledger of its account', async () => {
    const order = { symbol: 'ETH/USDT', type: 'limit', amount: 0.1, price: 99 };
    const clientOrderId = 'ended-4712';
    const bought = await site.send('alice', 'POST', '/api/orders', {
      ...{ ...order, side: 'buy', clientOrderId },
    });
    const { orderId } = bought.json.data;
    await site.send('bob', 'POST', '/api/orders', { ...order, side: 'sell', price: 50 });
    await site.send('alice', 'DELETE', '/api/orders?all=true');
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#markets');
    const search = page.getByRole('combobox', { name: 'Search the exchange' });
    await search.fill(clientOrderId);
    await page.getByRole('option').getByText('Buy 0.1 ETH/USDT').click();
    await page.waitForURL(`**/operator#accounts/alice/orders/${orderId}`);
    const heading = page.getByRole('heading', { name: `Order ${orderId}` });
    await heading.waitFor();
    expect(await heading.evaluate((element) => element.matches(':focus'))).toBe(true);
    const row = page.getByRole('table', { name: 'Orders of alice' }).locator('[aria-current=true]');
    await row.getByRole('link', { name: orderId }).waitFor();
    await page.getByRole('table', { name: `Fills of order ${orderId}` }).waitFor();
    expect(await axeFindings(page, '.section')).toEqual([]);
    await page.getByLabel('Status', { exact: true }).selectOption('Open');
    await page.getByText('No orders match the filter').waitFor();
    await page.getByRole('tab', { name: 'Fills' }).click();
    const fills = page.getByRole('table', { name: 'Fills of alice' });
    await fills.getByRole('link', { name: orderId }).waitFor();
    await page.getByRole('tab', { name: 'Ledger' }).click();
    const ledger = page.getByRole('table', { name: 'Ledger of alice' });
    await ledger.getByRole('cell', { name: 'Trade' }).first().waitFor();
    expect(await axeFindings(page, '.section')).toEqual([]);
  });

  test('a credit shows the owner, the value and the new balance, and large ones are typed again', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#transfers');
    await page.getByRole('combobox', { name: 'Account' }).fill('bob@butt');
    await page.getByRole('option', { name: 'bob@buttonwood.test' }).click();
    await page.getByLabel('Asset').selectOption('BTC');
    await page.getByLabel('Amount').fill('1,000.0');
    await page.getByRole('button', { name: 'Review credit' }).click();
    await page.getByText('Enter a reason for the audit trail.').waitFor();
    await page.getByLabel('Reason').fill('Refund');
    await page.getByRole('button', { name: 'Review credit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm credit' });
    await dialog.getByText('+1,000 BTC').waitFor();
    await dialog.getByText('bob@buttonwood.test').waitFor();
    await dialog.getByText(/→ [\d,]+ BTC/).waitFor();
    await dialog.getByText(/USDT$/).first().waitFor();
    expect(await axeFindings(page, 'dialog')).toEqual([]);
    await dialog.getByLabel('Your password', { exact: true }).fill(site.readPassword('operator'));
    await dialog.getByLabel('Type the amount again').fill('100');
    await dialog.getByRole('button', { name: 'Credit 1,000 BTC' }).click();
    await dialog.getByText('This is not the amount above. Check both.').waitFor();
    await dialog.getByLabel('Type the amount again').fill('1,000.0');
    await dialog.getByRole('button', { name: 'Credit 1,000 BTC' }).click();
    await page.getByText('Done. The adjustment is recorded').waitFor();
  });

  test('the audit trail is filtered by a readable action and exported', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#audit');
    const action = page.getByRole('combobox', { name: 'Action' });
    await action.fill('credit');
    await page.getByRole('group', { name: 'Balances' }).getByRole('option').first().click();
    expect(await action.inputValue()).toBe('Credit or debit');
    await page.getByRole('button', { name: 'Filter' }).click();
    const rows = page.getByRole('table', { name: 'Audit trail', exact: true }).getByRole('row');
    await rows.filter({ hasText: 'Create API key' }).first().waitFor({ state: 'detached' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines[0]).toStartWith('id,timestamp,logPosition');
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.slice(1).every((line) => line.includes(',transfer,'))).toBeTrue();
    await action.fill('no such');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('Choose an action from the list.').waitFor();
    expect(await axeFindings(page, '.section')).toEqual([]);
  });

  test('the audit trail names what each command changed, in short rows', async () => {
    const network = {
      ...{ asset: 'BTC', network: 'bitcoin', decimals: 8, confirmations: 3, memo: 'none' },
      ...{ minDeposit: 0.0001, minWithdrawal: 0.0005, withdrawalFee: 0.0001, approvalAbove: 0.5 },
      ...{ deposits: true, withdrawals: true, dailyLimit: 5, hourlyCount: 20 },
      ...{ addressCoolingMs: 0, newDeviceDelayMs: 0 },
    };
    const { status } = await site.send('operator', 'POST', '/api/admin/networks', network);
    expect(status).toBe(200);
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#audit');
    await page.getByLabel('Target').fill('alice');
    await page.getByLabel('Target').press('Enter');
    const table = page.getByRole('table', { name: 'Audit trail', exact: true });
    await table.getByRole('row', { name: /Set network/ }).waitFor({ state: 'detached' });
    const row = table
      .getByRole('row', { name: /Credit or debit alice Amount [\d,.]+ USDT/ })
      .first();
    await row.getByRole('link', { name: 'alice' }).waitFor();
    expect(await row.innerText()).toMatch(/Log position [\d,]+\n/);
    expect(await row.innerText()).not.toContain('Asset');
    expect((await row.boundingBox())!.height).toBeLessThan(80);
  });

  test('the audit trail names sub-accounts by their owner and name, also in files', async () => {
    const user = await site.share({ as: 'bob' });
    await user.goto('/portfolio');
    const sub = { name: 'Arbitrage' };
    const { accountId } = (await sendAsUser(site, user, 'POST', '/accounts', sub)).account;
    const sent = { from: 'bob', to: accountId, asset: 'USDT', amount: 250 };
    await sendAsUser(site, user, 'POST', '/transfers', sent);
    const name = 'bob / Arbitrage';
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#audit');
    const table = page.getByRole('table', { name: 'Audit trail', exact: true });
    const moved = table.getByRole('row', { name: `USDT From bob · To ${name}` });
    const opened = table.getByRole('row', { name: /Create sub-account/ });
    for (const row of [moved, opened]) {
      const link = row.getByRole('link', { name });
      expect(await link.getAttribute('title')).toBe(accountId);
      expect(await link.getAttribute('href')).toBe(`#accounts/${accountId}`);
      expect(await row.innerText()).not.toContain('sub_');
    }
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(lines[0]).toEndWith(',accountName,subjectName');
    const line = lines.find((each) => each.includes(',createSubAccount,'));
    expect(line).toContain(accountId);
    expect(line).toEndWith(`,bob,${name}`);
  });

  test('a table that does not fit fades and scrolls below its last column', async () => {
    const page = await site.open({ as: 'operator', width: 1024, height: 768 });
    await page.goto('/operator#markets');
    const box = page.locator('.table-box').first();
    await box.evaluate((element) => {
      element.style.width = '400px';
    });
    const isButtonInView = async () => {
      const button = page.getByRole('button', { name: 'Edit rules of BTC/USDT' });
      const [outer, inner] = [(await box.boundingBox())!, (await button.boundingBox())!];
      return inner.x > outer.x && inner.x + inner.width < outer.x + outer.width;
    };
    await page.locator('.table-box.cut-right:not(.cut-left)').first().waitFor();
    expect(await isButtonInView()).toBe(true);
    await box.evaluate((element) => {
      element.scrollLeft = element.scrollWidth;
    });
    await page.locator('.table-box.cut-left:not(.cut-right)').first().waitFor();
    expect(await isButtonInView()).toBe(true);
  });

  test.each([
    ['accounts', ['2FA', 'Last seen']],
    ['markets', ['Maker / taker', 'Tick / lot size']],
    ['dashboard', ['Two-sided uptime', '24h volume']],
    ['custody/networks', ['Minimum deposit', 'Approval above']],
  ] as const)('%s shows all of its main columns on a small screen', async (section, columns) => {
    const page = await site.open({ as: 'operator', width: 1024, height: 768 });
    await page.goto(`/operator#${section}`);
    for (const name of columns) await page.getByRole('columnheader', { name }).waitFor();
    expect(await page.locator('.table-box:is(.cut-left, .cut-right)').count()).toBe(0);
  });
});

/** The kill switch, maintenance, announcements and notes. */
const protection = suite('protection', (site) => {
  const isFocused = (element: { matches(selector: string): boolean }) => element.matches(':focus');
  const post = async (path: string, body: object) => {
    expect((await site.send('operator', 'POST', path, body)).status).toBe(200);
  };

  test('maintenance is shown with its message and ended, apart from the kill switch', async () => {
    await post('/api/admin/trading-status', { status: 'halted', reason: 'old drill' });
    await post('/api/admin/trading-status', { status: 'trading', reason: 'old resume' });
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#protection');
    await page.getByText('Trading is on').waitFor();
    const from = Date.now();
    await post('/api/admin/maintenance', {
      ...{ from: new Date(from).toISOString(), to: new Date(from + 3_600_000).toISOString() },
      ...{ mode: 'cancel_only', message: 'New release' },
    });
    await page.reload();
    const panel = page.locator('.panel', {
      has: page.getByRole('heading', { name: 'Kill switch' }),
    });
    await panel.getByText('Maintenance: all markets are cancel-only.').waitFor();
    await panel.getByText(/New release · until/).waitFor();
    expect(await panel.getByText('old resume').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Resume trading' }).count()).toBe(0);
    expect(await axeFindings(page, '.section')).toEqual([]);
    await panel.getByRole('button', { name: 'End maintenance…' }).click();
    const dialog = page.getByRole('dialog', { name: 'End maintenance now?' });
    await dialog.getByRole('button', { name: 'End maintenance' }).click();
    await page.getByText('Maintenance ended').waitFor();
    await page.getByText('Trading is on').waitFor();
    const heading = page.getByRole('heading', { name: 'Kill switch' });
    await page.locator('h2:focus').waitFor();
    expect(await heading.evaluate(isFocused)).toBe(true);
  });

  test('the times of maintenance and announcements follow the clock of the exchange', async () => {
    const page = await site.open({ as: 'operator', timezoneId: 'UTC' });
    // The computer is years behind.
    await page.route('**/api/time', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      body.data.timestamp = '2041-05-06T07:08:09.000Z';
      await route.fulfill({ response, json: body });
    });
    await page.goto('/operator#protection');
    await page.getByRole('button', { name: '30 min' }).click();
    const until = page.getByRole('textbox', { name: 'Until' });
    while ((await until.inputValue()) === '') await Bun.sleep(10);
    expect(await until.inputValue()).toBe('2041-05-06 07:44');
    await page.goto('/operator#protection/announcements');
    await page.getByLabel('Title').fill('Too late');
    await page.getByRole('textbox', { name: 'Until' }).fill('2041-05-06 07:00');
    await page.getByRole('button', { name: 'Announce' }).click();
    await page.getByText('Choose a time in the future.').waitFor();
  });

  test('cancel-only of all markets is named so, and resuming is the primary action', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#protection');
    await page.getByRole('button', { name: 'Halt all markets…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Status').selectOption('Cancel-only');
    await dialog.getByLabel('Reason').fill('drill');
    await dialog.getByLabel('Type HALT').fill('HALT');
    await dialog.getByRole('button', { name: 'Set all markets to cancel-only' }).click();
    await page.getByText('All markets are cancel-only', { exact: true }).waitFor();
    await page.getByText('Cancel-only in all markets.').waitFor();
    expect(await page.locator('.section .button.danger').count()).toBe(0);
    const resume = page.getByRole('button', { name: 'Resume trading' });
    expect(await resume.getAttribute('class')).toContain('primary');
    await page.getByLabel('Reason to resume').fill('over');
    await page.keyboard.press('Enter');
    await page.getByText('Trading resumed').waitFor();
    await page.locator('h2:focus').waitFor();
  });

  test('an announcement and a note are removed only after a question', async () => {
    await post('/api/admin/announcements', { severity: 'info', title: 'SOL opens', text: '' });
    await post('/api/admin/accounts/alice/notes', { text: 'Called back' });
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#protection/announcements');
    await page.getByRole('button', { name: 'Withdraw… SOL opens' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('cell', { name: 'SOL opens', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Withdraw… SOL opens' }).click();
    await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByText('Announcement withdrawn').waitFor();
    await page.goto('/operator#accounts/alice/notes');
    await page.getByRole('button', { name: /^Remove… note/ }).click();
    await dialog.getByRole('button', { name: 'Remove note' }).click();
    await page.getByText('Note removed').waitFor();
    expect(await axeFindings(page, '.section')).toEqual([]);
  });

  test('the market of a trade to bust is asked for at its field', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#protection/busts');
    await page.getByRole('button', { name: 'Request bust' }).click();
    await page.locator('.has-error', { hasText: 'Choose the market of the trade.' }).waitFor();
    await page.locator('select:focus').waitFor();
    expect(await page.getByLabel('Market').evaluate(isFocused)).toBe(true);
    expect(await axeFindings(page, '.section')).toEqual([]);
  });

  test('the tabs of protection fit a phone', async () => {
    const page = await site.share({ as: 'operator', width: 360, height: 640 });
    for (const path of ['protection', 'custody']) {
      await page.goto(`/operator#${path}`);
      const tabs = page.getByRole('tablist');
      await tabs.waitFor();
      expect(await tabs.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    }
    await page.getByRole('tab', { name: 'Networks & custodian' }).waitFor();
    await page.goto('/operator#protection/limits');
    await page.getByPlaceholder('No limit').first().waitFor();
    expect(await axeFindings(page, '.section')).toEqual([]);
  });

  test('rules show the reference price, and errors the labels of the form', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#markets');
    await page.getByRole('button', { name: 'Edit rules of SOL/USDT' }).click();
    const dialog = page.getByRole('dialog').first();
    expect(await dialog.getByLabel('Reference price').inputValue()).not.toBe('');
    await dialog.getByLabel('Tick size').fill('7');
    await dialog.getByRole('button', { name: 'Review changes' }).click();
    await dialog.getByText('Min price and max price must be multiples of the tick size').waitFor();
  });

  test('markets and assets are cards of labels and values on a phone', async () => {
    const page = await site.share({ as: 'operator', width: 390, height: 844 });
    await page.goto('/operator#markets');
    const card = page
      .getByRole('list', { name: 'Markets' })
      .getByRole('listitem')
      .filter({ hasText: 'BTC/USDT' });
    const rates = card.locator('dl > div', { hasText: 'Maker / taker' });
    expect(await rates.locator('dd').innerText()).toBe('0.08% / 0.10%');
    const asset = page.getByRole('list', { name: 'Assets' }).getByRole('listitem').first();
    expect(await asset.locator('dl > div', { hasText: 'Ledger decimals' }).count()).toBe(1);
    await card.getByRole('button', { name: 'Status of BTC/USDT' }).press('Enter');
    await page.getByRole('dialog', { name: 'BTC/USDT status' }).waitFor();
    expect(await axeFindings(page, '.section')).toEqual([]);
  });

  test('a missing custodian is marked', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#custody/networks');
    await page.locator('.badge.wait', { hasText: 'Not connected' }).waitFor();
    expect(await page.getByText('No custodian is connected').count()).toBe(1);
    expect(await axeFindings(page, '.section')).toEqual([]);
  });

  test('a button shows accounts after the first hundred', async () => {
    const page = await site.open({ as: 'operator' });
    await page.route('**/api/admin/accounts?**', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const [first] = body.data.accounts;
      body.data.accounts = Array.from({ length: 130 }, (_, index) => ({
        ...first,
        accountId: `account-${index}`,
      }));
      await route.fulfill({ response, json: body });
    });
    await page.goto('/operator#accounts');
    const rows = page.locator('.account-list tbody tr');
    await rows.nth(99).waitFor();
    expect(await rows.count()).toBe(100);
    await page.getByRole('button', { name: 'Show 30 more' }).click();
    await rows.nth(129).waitFor();
    expect(await page.getByRole('button', { name: /^Show \d+ more/ }).count()).toBe(0);
  });

  test('accounts show their owners and are filtered by role', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#accounts');
    const table = page.getByRole('table', { name: 'Accounts' });
    await table.getByText('alice@buttonwood.test').waitFor();
    await table.getByRole('row', { name: /^alice .* Market fees/ }).waitFor();
    await page.getByLabel('Role').selectOption('Operator');
    await table.getByText('alice@buttonwood.test').waitFor({ state: 'detached' });
    await table.getByText('operator@buttonwood.test').waitFor();
    expect(await axeFindings(page, '.section')).toEqual([]);
    // Without its column the role is next to the name.
    await page.setViewportSize({ width: 1024, height: 768 });
    const role = table.locator('.owner-role', { hasText: 'Operator' });
    await role.waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await role.waitFor({ state: 'hidden' });
    await table.getByRole('link', { name: 'operator' }).click();
    const figures = page.locator('.figures div');
    const secondFactor = figures.filter({ hasText: '2FA' });
    await secondFactor.locator('.badge.wait', { hasText: 'Off' }).waitFor();
    await figures.filter({ hasText: 'Fee tier' }).getByText('Market fees').waitFor();
    await figures.filter({ hasText: 'Maker / taker' }).getByText('0.08% / 0.10%').waitFor();
    await figures.filter({ hasText: 'Role' }).getByText('Operator').waitFor();
  });

  test('the records of an account are in one line of tabs, and in a menu on a phone', async () => {
    const page = await site.share({ as: 'operator', width: 1280, height: 720 });
    await page.goto('/operator#accounts/alice');
    const tabs = page.getByRole('tablist', { name: 'Account' });
    await tabs.getByRole('tab', { name: 'Reports' }).waitFor();
    expect((await tabs.getAttribute('class')) ?? '').not.toContain('cut-right');
    // A narrower window shows short names, and needs no scrolling either.
    for (const width of [1101, 1024, 981]) {
      await page.setViewportSize({ width, height: 768 });
      await tabs
        .getByText('Deposits/withdrawals', { exact: true })
        .filter({ visible: true })
        .waitFor();
      const hidden = await tabs.evaluate((list) => list.scrollWidth - list.clientWidth);
      expect([width, hidden]).toEqual([width, 0]);
    }
    await tabs.getByRole('tab', { name: 'Deposits & withdrawals' }).waitFor();
    const phone = await site.share({ as: 'operator', width: 390, height: 844 });
    await phone.goto('/operator#accounts/alice');
    // The search is an icon that opens over the menu.
    const search = phone.getByRole('combobox', { name: 'Search the exchange' });
    expect((await search.boundingBox())?.width).toBeLessThanOrEqual(44);
    await search.fill('bob@');
    await phone.getByRole('option', { name: 'bob@buttonwood.test' }).waitFor();
    expect((await search.boundingBox())?.width).toBeGreaterThan(300);
    await search.fill('');
    await search.blur();
    await phone.getByText('More', { exact: true }).click();
    await phone.getByText('Rate-limit multiplier').waitFor();
    await phone.getByLabel('Records of the account').selectOption('Timeline');
    await phone.getByText('Filters', { exact: true }).click();
    await phone.getByLabel('Kind').waitFor();
    expect(await axeFindings(phone, '.section')).toEqual([]);
  });
});

/** The first page of operators. */
const dashboard = suite('dashboard', (site) => {
  test('shows figures and markets in both themes and widths, and passes axe', async () => {
    for (const look of [
      { scheme: 'dark', width: 1440 },
      { width: 390, height: 844 },
    ] as const) {
      const page = await site.share({ as: 'operator', ...look });
      await page.goto('/operator');
      await page.getByRole('heading', { name: 'Orders per second' }).waitFor();
      await page.getByText('Healthy').waitFor();
      await page.getByRole('link', { name: 'Approvals 0' }).waitFor();
      const quality = page.getByRole('table', { name: 'Quality of the markets' });
      await quality.getByRole('row', { name: 'BTC/USDT' }).waitFor();
      await page.getByRole('heading', { name: '24h fees' }).waitFor();
      const chart = page.getByRole('slider', { name: 'New users by day (UTC)' });
      await chart.press('Home');
      expect(await chart.getAttribute('aria-valuetext')).toMatch(/^\d\d \w+: 0$/);
      expect(await axeFindings(page)).toEqual([]);
      const isWide = 'document.documentElement.scrollWidth > innerWidth';
      expect(await page.evaluate(isWide)).toBe(false);
      const height = Number(await page.evaluate('document.body.scrollHeight'));
      if (look.width === 390) expect(height).toBeLessThan(1600);
    }
  });

  test('the tiles keep their places whatever was measured', async () => {
    const page = await site.open({ as: 'operator' });
    const measured = {
      ...{ median: null as string | null, p99: null as string | null, lag: 0 },
      fees: [] as readonly string[],
    };
    await page.route('**/api/admin/dashboard*', async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const { series, node } = answer.data;
      const hours = Array(24).fill('0');
      answer.data.fees = ['USDT', 'BTC', 'ETH'].map((asset, index) => ({
        ...{ asset, amount: measured.fees[index], hours },
      }));
      for (const name of ['orderMedianMs', 'otherMedianMs']) series[name] = [measured.median];
      for (const name of ['orderP99Ms', 'otherP99Ms']) series[name] = [measured.p99];
      Object.assign(node, { archivistLagMs: measured.lag, waitingCommands: measured.lag });
      await route.fulfill({ response, body: JSON.stringify(answer) });
    });
    for (const [width, height] of [
      ...[1440, 1280, 1024, 768].map((each) => [each, 900] as const),
      ...([
        [390, 844],
        [360, 640],
      ] as const),
    ]) {
      await page.setViewportSize({ width, height });
      const heights: number[] = [];
      for (const [median, p99, lag, fees] of [
        [null, null, 0, ['1', '0.00001', '0.0004']],
        ['0.612', '2.4', 7, ['78.125', '0.0007', '0.025']],
        ['1234.5', '12345.6', 1999, ['345678.9', '3.2105', '78.25']],
      ] as const) {
        Object.assign(measured, { median, p99, lag, fees });
        await page.goto('about:blank');
        await page.goto('/operator');
        const text = `History lag ${lag.toLocaleString('en')} ms`;
        await page.locator('.tile', { hasText: text }).waitFor();
        for (const figures of ['.latencies', '.node-figures']) {
          const isCut = `(() => {
            const box = document.querySelector('${figures}');
            return box.scrollWidth > box.clientWidth;
          })()`;
          expect([width, figures, await page.evaluate(isCut)]).toEqual([width, figures, false]);
        }
        heights.push((await page.locator('.tiles').boundingBox())!.height);
      }
      expect([width, new Set(heights).size]).toEqual([width, 1]);
    }
  });

  test('markets are sorted, and one market or all are halted from the dashboard', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator');
    const quality = page.getByRole('table', { name: 'Quality of the markets' });
    await quality.getByRole('button', { name: 'Market' }).click();
    await quality.getByRole('button', { name: 'Market' }).click();
    await quality.getByRole('row').nth(1).filter({ hasText: 'SOL/USDT' }).waitFor();
    const header = quality.getByRole('columnheader', { name: 'Market' });
    expect(await header.getAttribute('aria-sort')).toBe('descending');

    const dialog = page.getByRole('dialog');
    await quality.getByRole('button', { name: 'Status of SOL/USDT' }).click();
    await dialog.getByLabel('Status').selectOption('halted');
    await dialog.getByLabel('Reason').fill('drill');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await quality.getByRole('row', { name: 'SOL/USDT Halted' }).waitFor();

    await page.getByRole('button', { name: 'Halt all markets…' }).click();
    await dialog.getByLabel('Reason').fill('drill');
    await dialog.getByLabel('Type HALT').fill('HALT');
    await dialog.getByRole('button', { name: 'Halt all markets' }).click();
    await page.getByText('Halted in all markets.').waitFor();
    await quality.getByRole('row', { name: 'BTC/USDT Halted' }).waitFor();
  });
});

describePages([operatorSearch, protection, dashboard]);
