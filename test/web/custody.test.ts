import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { describeWherePossible } from '../describe-where-possible.ts';
import { freePort } from '../free-ports.ts';
import { CustodianProcess } from '../process/custodian-process.ts';
import { axeFindings } from './axe.ts';
import { chromiumPath, launchBrowser } from './browser.ts';
import { applyReviewed } from './review.ts';
import { Site } from './site.ts';

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/** The pages about deposits and withdrawals, with the reference custodian. */

const TIMEOUT_MS = 60_000;
const problem = chromiumPath() === undefined ? 'Chromium is not installed' : undefined;

describeWherePossible('in a browser', problem, 'install one or set CHROMIUM_PATH', () => {
  setDefaultTimeout(TIMEOUT_MS);
  const site = new Site();
  let browser: Browser;
  let custodian: CustodianProcess;
  beforeAll(async () => {
    browser = await launchBrowser();
    const port = freePort();
    await site.start(browser, {
      BUTTONWOOD_MAKERS: 'off',
      BUTTONWOOD_EXPLORERS: 'bitcoin=https://explorer.example/tx/{transaction}?view=all',
      BUTTONWOOD_CUSTODIAN: `http://127.0.0.1:${port}/instructions`,
    });
    custodian = await CustodianProcess.start(site.dataDirectory, port);
  }, TIMEOUT_MS);
  afterAll(async () => {
    expect(await site.closePages()).toEqual([]);
    await custodian.stop();
    await site.close();
    await browser.close();
  }, TIMEOUT_MS);

  const noFindings = async (page: Page) => expect(await axeFindings(page)).toEqual([]);
  const noOverflow = async (page: Page) => {
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1440, height: 900 });
  };

  test('a deposit appears with its confirmations and is credited', async () => {
    const page = await site.open({ as: 'alice' });
    await page.goto('/deposit');
    await page.getByRole('img', { name: 'QR code of your BTC address on Bitcoin' }).waitFor();
    const { address } = (await custodian.status()).addresses[0]!;
    await page.getByText(address).waitFor();
    const payment = { asset: 'BTC', network: 'bitcoin', address, amount: 0.5 };
    await custodian.send('POST', '/deposits', payment);
    await page.getByText('0 of 3 confirmations').waitFor();
    await custodian.send('POST', '/blocks', { count: 2 });
    await page.getByText('2 of 3 confirmations', { exact: true }).waitFor();
    await noFindings(page);
    await custodian.send('POST', '/blocks', {});
    await page.getByText('Credited', { exact: true }).waitFor();
    await page.getByLabel('Asset').selectOption({ label: 'USDT – Tether' });
    await page.getByLabel('Network').selectOption('ton');
    await page.getByText('Send with this memo.').waitFor();
    await noFindings(page);
    await noOverflow(page);
  });

  test('transactions link to the explorer of their network, in a new tab', async () => {
    const { deposits } = await custodian.status();
    const { transaction } = deposits[0]!;
    const address = `https://explorer.example/tx/${transaction}?view=all`;
    const open = async (as: string, path: string) => {
      const page = await site.open({ as });
      await page.goto(path);
      return page;
    };
    const checkLink = async (page: Page) => {
      const link = page.locator(`a[href="${address}"]`).first();
      await link.waitFor();
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
      expect(await link.getAttribute('target')).toBe('_blank');
      expect(await link.textContent()).toEndWith('(opens in a new tab)');
      await noFindings(page);
      await noOverflow(page);
    };
    await checkLink(await open('alice', '/deposit'));
    const operator = await open('operator', '/operator#custody/deposits');
    await checkLink(operator);
    await operator
      .getByRole('link', { name: /^Deposit \d+$/ })
      .first()
      .click();
    await operator.getByRole('heading', { name: /^Deposit \d+$/ }).waitFor();
    await checkLink(operator);
    expect((await site.send('alice', 'GET', '/api/networks')).json.data.networks).toMatchObject([
      { network: 'bitcoin', explorerUrl: 'https://explorer.example/tx/{transaction}?view=all' },
      { network: 'ethereum', explorerUrl: null },
      { network: 'ethereum', explorerUrl: null },
      { network: 'ton', explorerUrl: null },
    ]);
  });

  test('the time that deposits usually take is shown with their confirmations', async () => {
    const page = await site.open({ as: 'alice' });
    await page.route('**/api/networks', async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replaceAll(
        '"typicalDepositMs":null',
        '"typicalDepositMs":1800000',
      );
      await route.fulfill({ response, body: text });
    });
    const { address } = (await custodian.status()).addresses[0]!;
    const payment = { asset: 'BTC', network: 'bitcoin', address, amount: 0.25 };
    await custodian.send('POST', '/deposits', payment);
    await page.goto('/deposit');
    await page.getByText('3 confirmations, usually about 30 min', { exact: true }).waitFor();
    await page.getByText('0 of 3 confirmations, usually about 30 min').waitFor();
    await noFindings(page);
    await noOverflow(page);
    await custodian.send('POST', '/blocks', { count: 3 });
    await page.getByText('Credited', { exact: true }).nth(1).waitFor();
  });

  test('the books compare the coins at the custodian with what is owed', async () => {
    const page = await site.open({ as: 'operator' });
    await page.goto('/operator#books');
    await page
      .getByText('3 of 4 assets are covered. The custodian has not reported SOL.')
      .waitFor();
    const table = page.getByRole('table', { name: 'Coverage of each asset' });
    const row = (asset: string) => table.locator('tr', { hasText: asset });
    await row('BTC')
      .getByText(/✓ 1\d\d\.\d\d%/)
      .waitFor();
    await noFindings(page);
    await noOverflow(page);
    const network = { asset: 'USDT', network: 'ton' };
    const { json } = await site.send('operator', 'GET', '/api/networks');
    const rules = json.data.networks.find((each: typeof network) => each.network === 'ton');
    await site.send('operator', 'POST', '/api/admin/networks', { ...rules, network: 'tron' });
    await row('USDT').getByText('without Tron').waitFor();
    // A credit without a payment is owed, and no coins came for it.
    const credit = { account: 'bob', asset: 'BTC', amount: 5_000, reference: 'gift', reason: 'x' };
    await site.send('operator', 'POST', '/api/admin/transfers', credit);
    await page.getByText('Coins are missing').waitFor();
    await row('BTC')
      .getByText(/✗ \d+\.\d\d%/)
      .waitFor();
    await noFindings(page);
  });

  test('a withdrawal waits for its address, operators and the network', async () => {
    const page = await site.open({ as: 'alice' });
    await page.goto('/withdraw');
    await addAddress(page, 'bc1qcold', 'Cold wallet');
    await page.getByText('This address is new.').waitFor();
    const { json } = await site.send('alice', 'GET', '/api/networks');
    const [network] = json.data.networks;
    await site.send('operator', 'POST', '/api/admin/networks', { ...network, addressCoolingMs: 0 });
    await page.reload();
    await addAddress(page, 'bc1qhotwallet', 'Phone');
    const address = page.getByLabel('Address', { exact: true });
    const options = await address.locator('option').allInnerTexts();
    expect(options).toEqual([
      'Cold wallet · bc1qcold · Bitcoin',
      'Phone · bc1qhotwallet · Bitcoin',
    ]);
    await address.selectOption({ label: 'Phone · bc1qhotwallet · Bitcoin' });
    await page.getByLabel('Amount').fill('1000');
    await page.getByRole('button', { name: 'Review withdrawal' }).click();
    await page.getByText('You can withdraw up to', { exact: false }).waitFor();
    await page.getByLabel('Amount').fill('0.0001');
    await page.keyboard.press('Enter');
    await page.getByText('The minimum is 0.0005 BTC.').waitFor();
    await noFindings(page);
    await page.getByLabel('Amount').fill('0.9');
    await page.keyboard.press('Enter');
    const review = page.getByRole('dialog', { name: 'Review withdrawal' });
    for (const text of [
      '0.9 BTC',
      'Bitcoin',
      'Phone',
      'bc1qhotwallet',
      '0.0001 BTC',
      '0.9001 BTC',
    ]) {
      await review.getByText(text, { exact: true }).waitFor();
    }
    await noFindings(page);
    await review.getByRole('button', { name: 'Withdraw 0.9 BTC' }).click();
    await review.getByText('Confirm it’s you.').waitFor();
    await review.getByLabel('Your password').fill('wrong');
    // By keyboard.
    await page.keyboard.press('Enter');
    await review.getByText('Incorrect password').waitFor();
    await review.getByLabel('Your password').fill(site.readPassword('alice'));
    await page.keyboard.press('Enter');
    await review.waitFor({ state: 'hidden' });
    await page.getByRole('row', { name: /0.9 Fee 0.0001 Phone .* Waiting for approval/ }).waitFor();
    await noOverflow(page);
    await heldIsSplit();
    await reject();
    await page.getByText('Unusual activity').waitFor();
    await page.getByLabel('Amount').fill('0.1');
    await page.keyboard.press('Enter');
    await review.getByLabel('Your password').fill(site.readPassword('alice'));
    await page.keyboard.press('Enter');
    await page.getByText('Sent, waiting for confirmation').waitFor();
    await custodian.send('POST', '/blocks', { count: 9 });
    await page.getByText('Completed').waitFor();
  });

  test('an address is named, renamed and shown without its name again', async () => {
    const page = await site.open({ as: 'bob' });
    await page.goto('/withdraw');
    await addAddress(page, 'bc1qbobs', '', 'bob');
    const book = page.getByRole('table', { name: 'Address book' });
    await book.getByRole('button', { name: 'Add name for bc1qbobs' }).click();
    const name = book.getByLabel('Name of bc1qbobs');
    await name.fill('Ledger');
    await noFindings(page);
    // A phone has cards in place of the table, and a form of its own.
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole('button', { name: 'Add name for bc1qbobs' }).click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.setViewportSize({ width: 1280, height: 900 });
    await book.getByRole('button', { name: 'Add name for bc1qbobs' }).click();
    await name.fill('Ledger');
    // By keyboard.
    await name.press('Enter');
    await page.getByText('Renamed to Ledger').waitFor();
    await page
      .locator('option', { hasText: 'Ledger · bc1qbobs · Bitcoin' })
      .waitFor({ state: 'attached' });
    const rename = book.getByRole('button', { name: 'Rename Ledger' });
    await rename.click();
    await name.fill('Trezor');
    await name.press('Escape');
    await name.waitFor({ state: 'detached' });
    expect(await rename.evaluate((button) => button.matches(':focus'))).toBe(true);
    await noFindings(page);
    await rename.click();
    await name.fill('');
    await book.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Name removed').waitFor();
    await book.getByRole('button', { name: 'Add name for bc1qbobs' }).waitFor();
    const { json } = await site.send(
      'operator',
      'GET',
      '/api/admin/accounts/bob/withdrawal-addresses',
    );
    expect(json.data.addresses).toMatchObject([{ address: 'bc1qbobs', label: null }]);
  });

  test('a phone shows all of a long address, and when it can be used', async () => {
    const page = await site.open({ as: 'alice', width: 390, height: 844 });
    await page.goto('/withdraw');
    await addAddress(page, 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq');
    await page
      .getByRole('listitem')
      .filter({ hasText: '0.1 BTC' })
      .getByText('Completed')
      .waitFor();
    await noFindings(page);
    const book = page.locator('.panel', { hasText: 'Address book' });
    for (const cell of await book.locator('.row-card :is(span, button)').all()) {
      const box = (await cell.boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(390);
    }
    expect(await book.locator('.table-box').evaluate((each) => each.scrollWidth)).toBeLessThan(390);
  });

  test('a link with an asset chooses it', async () => {
    const page = await site.open({ as: 'bob' });
    await page.goto('/deposit?asset=ETH');
    expect(await page.getByLabel('Asset').inputValue()).toBe('ETH');
    await page.goto('/deposit?asset=SOL');
    await page.getByText('SOL cannot be deposited yet.', { exact: false }).waitFor();
    await page.goto('/withdraw?asset=ETH');
    await page.getByText('Add an address for ETH to your address book', { exact: false }).waitFor();
  });

  async function addAddress(page: Page, address: string, name = '', user = 'alice'): Promise<void> {
    await page.getByRole('button', { name: 'Add address' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(address);
    await dialog.getByLabel('Name (optional)').fill(name);
    await dialog.getByLabel('Your password').fill(site.readPassword(user));
    await dialog.getByRole('button', { name: 'Add address' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText(address).first().waitFor({ state: 'attached' });
  }

  /** Checks that the trading page shows what holds the balance: 0.9001 BTC in the withdrawal, 0.25 BTC in an order. */
  async function heldIsSplit(): Promise<void> {
    const order = { symbol: 'BTC/USDT', side: 'sell', type: 'limit', amount: 0.25, price: 900_000 };
    expect((await site.send('alice', 'POST', '/api/orders', order)).status).toBe(200);
    const page = await site.open({ as: 'alice', width: 1920, height: 1080 });
    await page.goto('/trade/BTC-USDT');
    const held = page.locator('.form-assets tr', { hasText: 'BTC' }).getByRole('button');
    const tip = page.getByRole('tooltip');
    const isSplit = async () => {
      await tip.getByText('0.25 BTC in orders').waitFor();
      await tip.getByText('0.9001 BTC in withdrawals').waitFor();
    };
    await held.hover();
    await isSplit();
    expect(await held.innerText()).toBe('1.1501');
    await noFindings(page);
    const [box, target] = await Promise.all([tip.boundingBox(), held.boundingBox()]);
    expect(box!.y + box!.height).toBeCloseTo(target!.y, 0);
    expect(overlap(box!, target!)).toBe(true);
    await page.mouse.move(0, 0);
    await tip.waitFor({ state: 'hidden' });
    await held.focus();
    await isSplit();
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'hidden' });
    const phone = await site.open({ as: 'alice', width: 390, height: 844, isPhone: true });
    await phone.goto('/trade/BTC-USDT');
    await phone.getByRole('button', { name: /^Orders/ }).tap();
    await phone.getByRole('tab', { name: 'Balances' }).tap();
    const amount = phone.getByRole('listitem').filter({ hasText: 'BTC' }).getByRole('button');
    await amount.tap();
    const shown = phone.getByRole('tooltip');
    await shown.getByText('0.9001 BTC in withdrawals').waitFor();
    const [tapped, above] = await Promise.all([amount.boundingBox(), shown.boundingBox()]);
    expect(above!.x).toBeGreaterThanOrEqual(0);
    expect(overlap(above!, tapped!)).toBe(true);
    // Scrolls of a list do not bubble.
    await phone.evaluate("document.querySelector('main').dispatchEvent(new Event('scroll'))");
    await shown.waitFor({ state: 'hidden' });
    await amount.tap();
    await shown.waitFor();
    await phone.getByRole('tab', { name: 'Balances' }).tap();
    await shown.waitFor({ state: 'hidden' });
    await site.send('alice', 'DELETE', '/api/orders?all=true');
  }

  /** Whether one of them is above the other. */
  function overlap(box: Box, other: Box): boolean {
    return box.x < other.x + other.width && other.x < box.x + box.width;
  }

  /** Rejects the withdrawal on the operator page. */
  async function reject(): Promise<void> {
    const page = await site.open({ as: 'operator' });
    await page.goto('/operator#accounts/alice');
    await page.getByRole('tab', { name: /^Deposits & withdrawals ?1$/ }).waitFor();
    await page.getByRole('link', { name: '1 withdrawal waits' }).click();
    await page.getByRole('heading', { name: 'Withdrawals to approve' }).waitFor();
    await page.goto('/operator#approvals');
    await page.getByText('No requests are waiting.').waitFor();
    await page.getByRole('link', { name: '1 withdrawal to approve' }).click();
    const row = page.getByRole('row', { name: /alice 0.9 BTC .* Fee 0.0001 BTC bc1qhotwallet/ });
    await row.getByText('0 of 2').waitFor();
    await row.getByText('First withdrawal to this address').waitFor();
    await page.getByRole('link', { name: 'Deposits & withdrawals 1' }).waitFor();
    await decisionIsOnFirstScreen(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Confirm it’s you').waitFor();
    const facts = page.getByRole('dialog').locator('.facts');
    await facts.getByText('Alice (alice@buttonwood.test)').waitFor();
    await facts.locator('div', { hasText: 'Two-factor authentication' }).getByText('Off').waitFor();
    await facts
      .locator('div', { hasText: 'Address added' })
      .getByText(/seconds? ago/)
      .waitFor();
    await facts.locator('div', { hasText: 'Earlier withdrawals' }).getByText('None').waitFor();
    await page.getByLabel('Your password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('Incorrect password').waitFor();
    await noFindings(page);
    await page.getByLabel('Your password').fill(site.readPassword('operator'));
    await page.keyboard.press('Enter');
    await page.getByText('Approved. It needs a second operator.').waitFor();
    await row.getByText('1 of 2').waitFor();
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByLabel('Reason').fill('Unusual activity');
    await noFindings(page);
    await page.getByRole('button', { name: 'Reject withdrawal' }).click();
    await page.getByText('No withdrawals wait for approval.').waitFor();
    await page.getByRole('link', { name: 'Deposits & withdrawals', exact: true }).waitFor();
    await noOverflow(page);
  }

  /** Checks the queue of withdrawals on a phone. */
  async function decisionIsOnFirstScreen(page: Page): Promise<void> {
    await page.setViewportSize({ width: 390, height: 844 });
    const card = page.getByRole('listitem').filter({ hasText: '0.9 BTC' });
    const box = (await card.getByRole('button', { name: 'Reject' }).boundingBox())!;
    expect(box.y + box.height).toBeLessThan(844);
    expect(box.height).toBeGreaterThanOrEqual(40);
    // The groups of an address do not change what is copied.
    expect(await card.locator('.grouped-address').innerText()).toBe('bc1qhotwallet');
    await noFindings(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  test('operators filter the histories of all accounts and of one', async () => {
    const page = await site.open({ as: 'operator' });
    await page.goto('/operator#custody/withdrawals');
    await page.getByRole('row', { name: /0.9 BTC .* Rejected/ }).waitFor();
    await page.getByRole('row', { name: /0.1 BTC .* Completed/ }).waitFor();
    await page.getByLabel('Status').selectOption('Rejected');
    await page.getByRole('row', { name: /Completed/ }).waitFor({ state: 'detached' });
    // By keyboard.
    await page.getByLabel('Account', { exact: true }).fill('bob');
    await page.getByLabel('Account', { exact: true }).press('Enter');
    await page.getByText('No withdrawals match the filter').waitFor();
    await page.getByLabel('Account', { exact: true }).fill('');
    await page.getByRole('row', { name: /0.9 BTC/ }).waitFor();
    await noFindings(page);
    await noOverflow(page);
    await page.getByRole('tab', { name: 'Deposits', exact: true }).click();
    await page.getByRole('row', { name: /0.5 BTC .* Credited/ }).waitFor();
    await page.getByLabel('Asset').selectOption('ETH');
    await page.getByText('No deposits match the filter').waitFor();
    await page.getByLabel('Asset').selectOption('BTC');
    await page.goto('/operator#audit');
    const request = page.getByRole('row', { name: /Request withdrawal/ }).last();
    await request.getByRole('link', { name: /^Withdrawal \d+$/ }).click();
    await page.getByRole('heading', { name: /^Withdrawal \d+$/ }).waitFor();
    await page.locator('.facts').getByText('0.9 BTC', { exact: true }).waitFor();
    await noFindings(page);
    await page.getByRole('tab', { name: 'Deposits', exact: true }).click();
    await page.getByLabel('Asset').selectOption('BTC');
    await page.getByRole('link', { name: 'alice' }).first().click();
    await page.getByRole('tab', { name: 'Deposits & withdrawals', selected: true }).waitFor();
    await page.getByRole('row', { name: /0.5 BTC .* Credited/ }).waitFor();
    await noFindings(page);
  });

  test('an operator credits a deposit with a wrong memo, and adds a network', async () => {
    const { addresses } = await custodian.status();
    const { address } = addresses.find(({ network }) => network === 'ton')!;
    const payment = { asset: 'USDT', network: 'ton', address, memo: '1', amount: 250 };
    await custodian.send('POST', '/deposits', payment);
    await custodian.send('POST', '/blocks', { count: 2 });
    const page = await site.open({ as: 'operator' });
    await page.goto('/operator#custody');
    await page.getByRole('button', { name: 'Decide' }).click();
    await noFindings(page);
    const decision = page.getByRole('dialog');
    await decision.getByLabel('Account', { exact: true }).fill('bob');
    await page.getByLabel('Your password').fill(site.readPassword('operator'));
    await page.getByRole('button', { name: 'Confirm decision' }).click();
    await page.getByText('No deposits wait for a decision.').waitFor();
    const { json } = await site.send('bob', 'GET', '/api/deposits');
    expect(json.data.deposits).toMatchObject([{ amount: 250, status: 'credited' }]);
    await page.getByRole('tab', { name: 'Networks & custodian' }).click();
    await page.getByRole('row', { name: /^SOL .*No network/ }).waitFor();
    await page.getByRole('button', { name: 'Add a network of SOL' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add network', exact: true });
    expect(await dialog.getByLabel('Asset').inputValue()).toBe('SOL');
    await dialog.getByLabel('Network').fill('solana');
    await dialog.getByLabel('Your password').fill(site.readPassword('operator'));
    await dialog.getByLabel('Confirmations').fill('none');
    await dialog.getByRole('button', { name: 'Review changes' }).click();
    await dialog.getByText('Enter a whole number.').waitFor();
    await noFindings(page);
    await dialog.getByLabel('Confirmations').fill('32');
    await dialog.getByRole('button', { name: 'Review changes' }).click();
    await applyReviewed(page, 'Confirmations none 32', 'Decimals none 8');
    await page.getByRole('row', { name: /^SOL .*Solana .* 32 0 SOL 0 SOL/ }).waitFor();
    await page.getByRole('button', { name: 'Edit SOL on Solana' }).waitFor();
    await page.goto('/operator#dashboard');
    await page.getByRole('link', { name: /^Sent to custodian/ }).click();
    await page.getByRole('heading', { name: 'Custodian', exact: true }).waitFor();
  });

  test('older deposits are loaded page by page, and stay when new ones come', async () => {
    const page = await site.open({ as: 'bob' });
    await page.goto('/deposit');
    await page.getByRole('img', { name: 'QR code of your BTC address on Bitcoin' }).waitFor();
    const { addresses } = await custodian.status();
    const { address } = addresses.find(
      (each) => each.account === 'bob' && each.network === 'bitcoin',
    )!;
    const pay = (amount: number) =>
      custodian.send('POST', '/deposits', { asset: 'BTC', network: 'bitcoin', address, amount });
    for (let count = 1; count <= 25; count++) await pay(count / 100);
    const cell = (amount: string) => page.getByRole('cell', { name: amount, exact: true });
    await cell('0.25').waitFor();
    await page.reload();
    await cell('0.25').waitFor();
    const rows = page.getByRole('table', { name: 'Deposits' }).locator('tbody tr');
    expect(await rows.count()).toBe(10);
    await page.getByRole('button', { name: 'Load more' }).click();
    await cell('0.06').waitFor();
    expect(await rows.count()).toBe(20);
    await pay(0.26);
    await cell('0.26').waitFor();
    await custodian.send('POST', '/blocks', {});
    await rows.nth(0).getByText('1 of 3 confirmations').waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await cell('0.01').waitFor();
    // The one that the operator has credited.
    await cell('250').waitFor();
    expect(await rows.count()).toBe(27);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
    await noOverflow(page);
  });
});
