import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { suite } from './describe-pages.ts';
import { applyReviewed } from './review.ts';

/** Tests of approvals by a second operator, limits, notes and roles on the operator page. */
export const approvalsPage = suite('approvals', (site) => {
  const second = { apiKey: '', apiSecret: '' };
  const send = (who: 'operator' | typeof second, method: string, path: string, body?: object) =>
    site.send(who, method, `/api/admin${path}`, body);

  async function makeSecond(): Promise<void> {
    const terms = { label: 'second', permissions: ['operate'] };
    const { json } = await send('operator', 'POST', '/accounts/bob/keys', terms);
    Object.assign(second, { apiKey: json.data.key.apiKey, apiSecret: json.data.apiSecret });
  }

  /** Approves the only pending request with the key of the second operator. */
  async function approve(): Promise<void> {
    const { json } = await send(second, 'GET', '/approvals');
    const [request] = json.data.pending;
    const { status } = await send(second, 'POST', `/approvals/${request.id}/approve`, {});
    expect([json.data.pending.length, status]).toEqual([1, 200]);
  }

  /** Withdraws what an attempt that failed has left. */
  async function withdrawPending(): Promise<void> {
    const { json } = await send(second, 'GET', '/approvals');
    for (const { id } of json.data.pending) {
      await send(second, 'POST', `/approvals/${id}/reject`, { reason: 'left by a test' });
    }
  }

  async function limitBob(page: Page, orders: string): Promise<void> {
    const form = page.getByRole('form', { name: 'Trading limits of bob' });
    await form.getByLabel('Orders per 10 seconds').fill(orders);
    await form.getByLabel('Orders per 10 seconds').press('Enter');
  }

  test('the policy is edited on the page, and a second operator puts it in force', async () => {
    await makeSecond();
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#approvals');
    const summary = page.locator('.policy dl');
    await summary.getByText('None', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change policy…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Change the approval policy' });
    const form = dialog.getByRole('form', { name: 'Approval policy' });
    await form.getByLabel('Market rules, fees and trading limits').check();
    expect(await form.getByRole('button', { name: 'Add limit' }).count()).toBe(0);
    await form.getByLabel('Credits and debits above the limits').check();
    await form.getByRole('button', { name: 'Add limit' }).click();
    await form.getByLabel('Asset').selectOption('USDT');
    await form.getByLabel('Limit', { exact: true }).fill('ten');
    await form.getByLabel('Reason for the change').fill('two operators work here now');
    await form.getByLabel('Your password', { exact: true }).fill(site.readPassword('operator'));
    await form.getByRole('button', { name: 'Ask for approval' }).click();
    await form.getByText('Enter an amount, such as 10000.').waitFor();
    await form.getByLabel('Limit', { exact: true }).fill('10000');
    await form.getByRole('row', { name: /^Limit of USDT none 10,000 USDT$/ }).waitFor();
    await form.getByLabel('Your password', { exact: true }).fill('not the password');
    await form.getByRole('button', { name: 'Ask for approval' }).click();
    await form.getByText('Incorrect password').waitFor();
    await form.getByLabel('Your password', { exact: true }).fill(site.readPassword('operator'));
    await form.getByRole('button', { name: 'Ask for approval' }).click();
    const toast = page.locator('.toast.info', { hasText: 'Sent for approval' });
    await toast.getByRole('link', { name: 'Request 1' }).waitFor();
    // The page shows the policy in force, and the new one once it is approved, without a reload.
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.locator(':focus').innerText()).toBe('Change policy…');
    await summary.getByText('None', { exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await approve();
    await page.getByRole('table', { name: 'Requests that were decided' }).waitFor();
    await summary
      .getByText(/^Credits and debits above the limits · Market rules, fees and trading limits · /)
      .waitFor();
    await summary.getByText('10,000 USDT per operator in 24 hours.').waitFor();
    await page.getByRole('button', { name: 'Change policy…' }).press('Enter');
    await form.getByLabel('Market rules, fees and trading limits').waitFor();
    expect(await form.getByLabel('Market rules, fees and trading limits').isChecked()).toBe(true);
    expect(await form.getByLabel('Limit', { exact: true }).inputValue()).toBe('10,000');
    expect(await axeFindings(page, 'dialog[open]')).toEqual([]);
    await page.keyboard.press('Escape');
    const { json } = await send('operator', 'GET', '/approval-policy');
    expect(json.data.policy).toMatchObject({ limits: [{ asset: 'USDT', amount: 10000 }] });
    expect(json.data.policy.actions).toContain('rules');
  });

  test('a change that needs an approval asks for its reason, by keyboard alone', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#accounts/bob/limits');
    await limitBob(page, '50');
    const dialog = page.getByRole('dialog', { name: 'Trading limits of bob' });
    await dialog.getByLabel('Reason').waitFor();
    expect(await axeFindings(page, 'dialog[open]')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect((await send('operator', 'GET', '/approvals')).json.data.pending).toEqual([]);
    await limitBob(page, '50');
    await dialog.getByLabel('Reason').waitFor();
    expect(await dialog.locator(':focus').getAttribute('name')).toBe('reason');
    await page.keyboard.press('Enter');
    await page.keyboard.type('a new bot');
    await page.keyboard.press('Enter');
    // It was accepted: no error, and no dialog that waits for more.
    const toast = page.locator('.toast.info', { hasText: 'Sent for approval' });
    await toast.waitFor();
    expect(await page.locator('dialog:modal, .notice.error').count()).toBe(0);
    await toast.getByRole('link').click();
    await page.getByText('Orders per 10 seconds none → 50').waitFor();
    expect(await page.locator(':focus').innerText()).toContain('Set trading limits bob');
    await page.goto('/operator#audit');
    await page.getByLabel('Outcome').selectOption({ label: 'Sent for approval' });
    await page.getByLabel('Target').fill('bob');
    await page.getByLabel('Target').press('Enter');
    await page.getByRole('row', { name: /Set trading limits bob .* Sent for approval/ }).waitFor();
    await approve();
    const { json } = await send('operator', 'GET', '/accounts/bob');
    expect(json.data.account.tradingLimits).toMatchObject({ isDefault: false, orderRate: 50 });
  });

  test('a request is approved with the password, by keyboard alone', async () => {
    await withdrawPending();
    const off = { actions: [], limits: [], reason: 'one operator left' };
    expect((await send(second, 'POST', '/approval-policy', off)).status).toBe(202);
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#approvals');
    await page.getByRole('button', { name: 'Approve' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Approve request' });
    const password = dialog.getByLabel('Your password', { exact: true });
    await password.waitFor();
    expect(await axeFindings(page, 'dialog[open]')).toEqual([]);
    await password.fill('not the password');
    await password.press('Enter');
    await dialog.getByText('Incorrect password').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Approve' }).press('Enter');
    await password.waitFor();
    // Opened again before the browser has reported its end, it stays open.
    await page.evaluate(`document.querySelector('dialog:modal').requestClose();
      document.querySelector('.approval-buttons .primary').click()`);
    await Bun.sleep(100);
    await password.fill(site.readPassword('operator'));
    await password.press('Enter');
    await page.getByText('No requests are waiting.').waitFor();
    await page.locator('.toast.success', { hasText: 'approved and carried out' }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.className')).toBe('approval-table');
    expect((await send('operator', 'GET', '/approval-policy')).json.data.policy.actions).toEqual(
      [],
    );
  });

  test('a request is rejected with a reason, and the table fits its page', async () => {
    await withdrawPending();
    const ask = { actions: ['delisting'], limits: [{ asset: 'USDT', amount: 5 }] };
    const reason = 'a long reason, which wraps in its column instead of widening the whole table';
    expect((await send(second, 'POST', '/approval-policy', { ...ask, reason })).status).toBe(202);
    const page = await site.share({ as: 'operator' });
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/operator#approvals');
      await page.getByText('Limits none → 5 USDT').first().waitFor();
      const clipped = `[...document.querySelectorAll('.approval-table .table-box')].map((box) =>
        Math.max(0, box.scrollWidth - box.clientWidth))`;
      expect([width, ...(await page.evaluate<number[]>(clipped))]).toEqual([width, 0, 0]);
    }
    await page.getByRole('button', { name: 'Reject' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Reject request' });
    expect(await dialog.locator(':focus').getAttribute('name')).toBe('reason');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a reason.').waitFor();
    await page.keyboard.type('not today');
    await page.keyboard.press('Enter');
    await page.locator('.toast.success', { hasText: 'rejected' }).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: /Rejected.*not today/ })
      .waitFor();
    const { closed } = (await send('operator', 'GET', '/approvals')).json.data;
    expect(closed[0]).toMatchObject({ status: 'rejected', decision: { reason: 'not today' } });
  });

  test('an account has its limits, roles and notes, and is found by a user', async () => {
    const page = await site.share({ as: 'operator' });
    await page.goto('/operator#accounts');
    await page.getByLabel('Search accounts').fill('BOB@buttonwood');
    await page.getByRole('link', { name: 'alice' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'bob' }).click();
    const openTab = (name: string) => page.getByRole('tab', { name }).click();
    await openTab('Users & sessions');
    const roles = page.getByRole('table', { name: 'Operator roles of bob' });
    await roles.getByRole('row', { name: /^bwk_.* Administrator$/ }).waitFor();
    await openTab('Limits');
    await page.getByRole('button', { name: 'Use default limits' }).click();
    await applyReviewed(page, 'Limits of this account default limits');
    await page.getByText('bob has the default limits').waitFor();
    await openTab('Notes');
    await page.getByLabel('New note').fill('<b>called</b> back');
    await page.getByRole('button', { name: 'Add note' }).click();
    const notes = page.getByRole('table', { name: 'Notes about bob' });
    await notes.getByRole('row', { name: /<b>called<\/b> back/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await openTab('Timeline');
    await page.getByLabel('Kind', { exact: true }).selectOption({ label: 'Limits' });
    const timeline = page.getByRole('table', { name: 'Timeline of bob' });
    await timeline
      .getByRole('row', { name: /Set trading limits/ })
      .first()
      .waitFor();
    await timeline
      .getByRole('row', { name: /API keys/ })
      .first()
      .waitFor({ state: 'detached' });
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    const wide = `document.documentElement.scrollWidth <= innerWidth ? [] :
      [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > innerWidth)
        .map((each) => each.outerHTML.slice(0, 200))`;
    expect(await page.evaluate<string[]>(wide)).toEqual([]);
    await page.getByLabel('Records of the account').selectOption('Notes');
    await notes.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove note' }).click();
    await page.getByText('No notes').waitFor();
    await send('operator', 'DELETE', `/accounts/bob/keys/${second.apiKey}`);
  });
});
