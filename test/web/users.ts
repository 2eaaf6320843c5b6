import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import type { Page, WebSocket } from 'playwright-core';
import { newKeyPair } from '../http/signing.ts';
import { axeFindings } from './axe.ts';
import { suite } from './describe-pages.ts';

/** Tests of accounts and settings in a real browser, from sign-up to signing out everywhere. */
export const usersAndSettings = suite('users and settings', (site) => {
  const ASK = { symbol: 'BTC/USDT', side: 'sell', type: 'limit', amount: 0.004, price: 100_000 };
  const PASSWORD = 'four words of one user';

  test('signs up, trades by hand and by API key, and signs out everywhere', async () => {
    const page = await site.open();
    const email = 'carol@example.com';
    await signUp(page, email, '<b>Carol</b>');
    await page.goto('/portfolio');
    const first = page.getByRole('region', { name: 'Fund your account' });
    await first.getByRole('button', { name: 'Get USDT from the faucet' }).waitFor();
    await page.goto('/settings');
    const accountId = await page.getByRole('definition').nth(1).locator('code').innerText();

    const secret = await enroll(page);
    const code = codeAt(secret, 30);
    const { curl, ...credentials } = await createKey(page, code);
    await fund(accountId);
    const held = { asset: 'USDT', total: 10_000, available: 10_000, held: 0 };
    expect(await paste(curl)).toMatchObject({ success: true, data: { balances: [held] } });
    const byKey = await site.send(credentials, 'POST', '/api/orders', {
      symbol: 'BTC/USDT',
      side: 'buy',
      type: 'limit',
      amount: 0.01,
      price: 45_000,
    });
    expect(byKey.status).toBe(200);

    await tradeByHand(page);
    await signOutEverywhere(page, email, code);
    // API keys keep working without a session.
    expect((await site.send(credentials, 'GET', '/api/orders')).status).toBe(200);
  });

  test('creates a key with a public key, whose signed request works when pasted', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'buttonwood-keys-'));
    const { privateKey, publicPem } = newKeyPair();
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
    writeFileSync(join(directory, 'key.pem'), pem);
    const page = await site.open({ as: 'alice' });
    await page.goto('/settings#keys');
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('Signer');
    await dialog.getByLabel('Type').selectOption('ed25519');
    await dialog.getByLabel('Your password').fill(site.readPassword('alice'));
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Paste the public key.').waitFor();
    await dialog.getByLabel('Public key').fill(pem);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('is a private key', { exact: false }).waitFor();
    await dialog.getByLabel('Public key').fill(publicPem);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'API key created: Signer' }).waitFor();
    expect(await page.getByRole('region', { name: 'API secret' }).count()).toBe(0);
    const commands = await page.getByRole('region', { name: 'Try it', exact: true }).innerText();
    expect(await paste(`cd ${directory}\n${commands.trim()}`)).toMatchObject({ success: true });
    rmSync(directory, { recursive: true });
  });

  test('edits label and IP allowlist of a key by keyboard, with the password', async () => {
    const page = await site.open({ as: 'alice' });
    await page.goto('/settings#keys');
    const row = page.getByRole('row').filter({ hasText: 'Signer' });
    await row.getByRole('button', { name: 'Edit Signer' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Edit API key' });
    const [label, allowlist] = [dialog.getByLabel('Label'), dialog.getByLabel('IP allowlist')];
    expect([await label.inputValue(), await allowlist.inputValue()]).toEqual(['Signer', '']);
    expect(await axeFindings(page, '[open]')).toEqual([]);
    await label.fill(' ');
    await label.press('Enter');
    await dialog.getByText('Enter a label.').waitFor();
    await label.fill('Office');
    await allowlist.fill('10.0.0.1/8');
    await dialog.getByLabel('Your password').fill('not the password');
    await allowlist.press('Enter');
    await dialog.locator('.field:has([name="addresses"]) .error').waitFor();
    await allowlist.fill('192.0.2.7, ::1');
    await allowlist.press('Enter');
    await dialog.getByText('Incorrect password').waitFor();
    await dialog.getByLabel('Your password').fill(site.readPassword('alice'));
    await allowlist.press('Enter');
    await page.getByText('API key changed').waitFor();
    expect(await dialog.count()).toBe(0);
    const changed = page.getByRole('row').filter({ hasText: 'Office' });
    expect(await changed.innerText()).toContain('192.0.2.7, ::1');
    expect(await row.count()).toBe(0);
  });

  test('a key that can withdraw only loses addresses', async () => {
    const page = await site.open({ as: 'alice' });
    await page.goto('/settings#keys');
    // The dialog does not offer the permission to users of the sandbox.
    const terms = {
      ...{ label: 'Payouts', permissions: ['read', 'withdraw'], type: 'secret' },
      ...{ addresses: ['192.0.2.7', '192.0.2.8'], password: site.readPassword('alice') },
    };
    const create = `fetch('/api/account/keys', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: ${JSON.stringify(JSON.stringify(terms))},
    }).then((response) => response.text())`;
    expect(JSON.parse(await page.evaluate<string>(create))).toMatchObject({ success: true });
    await page.reload();
    await page.getByRole('button', { name: 'Edit Payouts' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit API key' });
    const allowlist = dialog.getByLabel('IP allowlist');
    await dialog.getByText('you can remove addresses, not add any').waitFor();
    await allowlist.fill('192.0.2.9');
    await dialog.getByLabel('Your password').fill(site.readPassword('alice'));
    await allowlist.press('Enter');
    await dialog.getByText('gets no further addresses').waitFor();
    await allowlist.fill('192.0.2.8');
    await allowlist.press('Enter');
    await page.getByText('API key changed').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Payouts' });
    await row.getByText('192.0.2.8', { exact: true }).waitFor();
  });

  test('creates an HMAC key, after a word about its secret', async () => {
    const page = await site.open({ as: 'alice' });
    await page.goto('/settings#keys');
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('Grid');
    await dialog.getByLabel('Type').selectOption('hmac');
    await dialog.getByText('stores it encrypted', { exact: false }).waitFor();
    await dialog.getByLabel('Your password').fill(site.readPassword('alice'));
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'API key created: Grid' }).waitFor();
    const secret = await page.getByRole('region', { name: 'API secret', exact: true }).innerText();
    expect(secret.trim()).toMatch(/^bws_[0-9a-f]{72}$/);
    expect(await page.getByRole('region', { name: 'Try it' }).count()).toBe(0);
  });

  test('adds a passkey and signs in with it', async () => {
    const page = await site.open({ as: 'bob' });
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto('/settings#security');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Phone');
    await dialog.getByLabel('Your password').fill('not that');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('Incorrect password').waitFor();
    await dialog.getByLabel('Your password').fill(site.readPassword('bob'));
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('cell', { name: 'Phone', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Bob' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL('**/sign-in');
    await page.goto('/sign-in?next=/settings%23security');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL('**/settings#security');
    const history = page.getByRole('table', { name: 'Sign-in history' });
    await history.getByRole('row').nth(1).waitFor();
    expect(await history.getByRole('row').nth(1).innerText()).toMatch(
      /\tSuccessful\tPasskey\tChrome on Linux\t127\.0\.0\.1$/,
    );
    await page.getByRole('button', { name: 'Remove Phone' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No passkeys yet.').waitFor();
  });

  test('a tab keeps working when another one changes the password, until the session ends', async () => {
    const tab = await site.open({ as: 'bob' });
    await tab.goto('/trade/BTC-USDT');
    await tab.getByRole('button', { name: 'Buy BTC' }).waitFor();
    await tab.locator('.connection.live').waitFor();
    const other = await tab.context().newPage();
    await other.goto('/settings#security');
    await other.getByLabel('Current password').fill(site.readPassword('bob'));
    await other.getByLabel('New password').fill(PASSWORD);
    await other.getByRole('button', { name: 'Change password' }).click();
    await other.getByText('Password changed.').waitFor();
    await site.send('bob', 'POST', '/api/orders', { ...ASK, amount: 0.00789 });
    await tab.locator('.orders tbody tr', { hasText: '0.00789' }).waitFor();
    await tab.locator('.connection.live').waitFor();
    await other.getByRole('button', { name: 'Sign out everywhere' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await tab.getByText('You were signed out.').waitFor();
    await tab.getByRole('link', { name: 'Sign in to trade' }).waitFor();
    await tab.locator('.connection.live').waitFor();
  });

  test('changes the email address with a link and the password, or cancels the change', async () => {
    const [old, email] = ['erin@example.com', 'erin.new@example.com'];
    const page = await site.open();
    await signUp(page, old, 'Erin');
    const begin = async () => {
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('New email address').fill(email);
      await dialog.getByLabel('Your password').fill('not that');
      await dialog.getByRole('button', { name: 'Send link' }).click();
      await dialog.getByText('Incorrect password').waitFor();
      await dialog.getByLabel('Your password').fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Send link' }).click();
      await page.getByText(`Open the link that we sent to ${email}.`).waitFor();
    };
    await begin();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Email change canceled').waitFor();
    const canceled = await site.mailedLink(email);
    await begin();
    await page.goto(canceled);
    await page.getByLabel('Password', { exact: true }).fill('not that');
    await page.getByRole('button', { name: 'Change email address' }).click();
    await page.getByText('Incorrect password').waitFor();
    expect(page.url()).toBe(`${site.baseUrl}/verify-email`);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Change email address' }).click();
    await page.getByRole('heading', { name: 'Email address changed' }).waitFor();
    await page.goto('/verify-email?change#token=any');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Change email address' }).click();
    await page.getByText('This link was used, has expired or is incomplete.').waitFor();
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/trade');
    await page.goto('/settings');
    await page.getByRole('definition').filter({ hasText: email }).waitFor();
  });

  test('sets and removes an anti-phishing code with the password', async () => {
    const page = await site.open({ as: 'alice' });
    await page.goto('/settings#security');
    const panel = page.locator('.panel').filter({ hasText: 'Anti-phishing code' });
    await panel.getByText('Off', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Set code' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New code').fill('two words');
    await dialog.getByLabel('Your password').fill('not that');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Use 4 to 20 letters (A to Z) or digits.').waitFor();
    await dialog.getByLabel('New code').fill('Clover42');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Incorrect password').waitFor();
    await dialog.getByLabel('Your password').fill(site.readPassword('alice'));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('Your code: Clover42').waitFor();
    await panel.getByText('On', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Remove code' }).click();
    await dialog.getByText('Emails from us will no longer show a code.').waitFor();
    await dialog.getByLabel('Your password').fill(site.readPassword('alice'));
    await dialog.getByRole('button', { name: 'Remove code' }).click();
    await panel.getByRole('button', { name: 'Set code' }).waitFor();
  });

  test('resets a forgotten password and removes the token from the URL', async () => {
    const page = await site.open();
    const email = 'alice@buttonwood.test';
    await page.goto('/forgot-password');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await page.goto(await site.mailedLink(email));
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    expect(page.url()).toBe(`${site.baseUrl}/reset-password`);
    const field = page.getByLabel('New password', { exact: true });
    expect(await field.evaluate('document.activeElement.name')).toBe('password');
    await field.fill('short');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('at least 12 characters.').last().waitFor();
    expect(await field.evaluate('document.activeElement.name')).toBe('password');
    await field.fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('heading', { name: 'Password changed' }).waitFor();
    await site.signIn(page, email, 'not that at all');
    await page.getByText('Incorrect email or password').waitFor();
    await site.signIn(page, email, PASSWORD);
    await page.waitForURL('**/trade');
  });

  test('a link that does not work leads to the sign-in, which sends a new one', async () => {
    const page = await site.open();
    await page.goto('/verify-email#token=any');
    await page.getByText('This link was used, has expired or is incomplete.').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    const links = page.getByRole('main').getByRole('link');
    expect(await links.allInnerTexts()).toEqual(['Sign in']);
    expect(await links.getAttribute('href')).toBe('/sign-in');
    await page.goto('/reset-password#token=any');
    // Another language keeps the link.
    await page.getByLabel('Language').selectOption({ label: 'Deutsch' });
    await page.getByRole('heading', { name: 'Neues Passwort wählen' }).waitFor();
    await page.getByLabel('Neues Passwort').waitFor();
    expect(page.url()).not.toContain('token');
    await page.getByLabel('Sprache').selectOption({ label: 'English' });
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await links.filter({ hasText: 'Request a new link' }).click();
    await page.waitForURL('**/forgot-password');
  });

  test('shows script in names and labels as text', async () => {
    const page = await site.open({ as: 'operator' });
    const script = '<img src=x onerror="document.title=1">';
    await page.goto('/settings');
    await page.getByLabel('Name').fill(script);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Name saved').waitFor();
    await page.goto('/settings#keys');
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill(script);
    await dialog.getByLabel('Your password').fill(site.readPassword('operator'));
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: `API key created: ${script}` }).waitFor();
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    expect(await page.getByText(script).count()).toBeGreaterThanOrEqual(2);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Settings · Buttonwood');
  });

  async function signUp(page: Page, email: string, name: string): Promise<void> {
    await page.goto('/sign-up');
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Email').fill(email);
    await page.getByText('Free test funds from a faucet').waitFor();
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('carol12345678');
    await page.getByRole('status').getByText('Easy to guess.').waitFor();
    await password.fill(PASSWORD);
    await page.getByRole('status').getByText('Strong').waitFor();
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('This sandbox prints emails in its terminal.').waitFor();
    expect(await page.getByText('spam folder').count()).toBe(0);
    await page.goto(await site.mailedLink(email));
    await page.getByText(`Account for ${name}, ${email}.`).waitFor();
    const confirm = page.getByRole('button', { name: 'Confirm and sign in' });
    await page.getByLabel('Password', { exact: true }).fill('not that');
    await confirm.click();
    await page.getByText('Incorrect password.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await confirm.click();
    await page.waitForURL('**/trade');
    await page.goto('/settings');
    await page.getByRole('definition').filter({ hasText: email }).waitFor();
  }

  /** Sets up two-factor authentication; returns its secret. */
  async function enroll(page: Page): Promise<string> {
    await page.goto('/settings#security');
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set up 2FA' }).click();
    const secret = await page.locator('code.secret').innerText();
    // Each step takes the focus, so that screen readers continue there.
    await page.locator('[name=code]:focus').waitFor();
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await page.getByRole('button', { name: 'Turn on 2FA' }).click();
    await page.getByText('Incorrect code.').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, 0));
    await page.getByRole('button', { name: 'Turn on 2FA' }).click();
    await page.getByRole('button', { name: 'I’ve saved them' }).waitFor();
    await page.locator(':focus > * > .codes').waitFor();
    expect(await page.locator('.codes li').count()).toBe(10);
    recoveryCode = await page.locator('.codes code').first().innerText();
    await page.getByRole('button', { name: 'I’ve saved them' }).click();
    return secret;
  }
  let recoveryCode = '';

  /** @param afterSeconds Each code works once, so the second one must be of the next 30 seconds. */
  function codeAt(secret: string, afterSeconds: number): string {
    return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + afterSeconds });
  }

  async function createKey(page: Page, code: string) {
    await page.goto('/settings#keys');
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Enter a label.').waitFor();
    await dialog.getByLabel('Label').fill('Grid bot');
    await dialog.getByLabel('Trade:', { exact: false }).check();
    await dialog.getByLabel('IP allowlist').fill('10.0.0.1/8');
    await dialog.getByLabel('Code', { exact: true }).fill(code);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.locator('.field:has([name="addresses"]) .error').waitFor();
    await dialog.getByLabel('IP allowlist').fill('127.0.0.1, ::1');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const shown = async (name: string) =>
      (await page.getByRole('region', { name, exact: true }).innerText()).trim();
    await page.getByRole('heading', { name: 'API key created: Grid bot' }).waitFor();
    const [apiKey, apiSecret] = [await shown('API key'), await shown('API secret')];
    const curl = await shown('Try it');
    expect(curl).toContain(`X-API-Secret: ${apiSecret}`);
    await page.getByRole('button', { name: 'Copy API secret' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(apiSecret);
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    expect(await page.getByText(apiSecret).count()).toBe(0);
    return { apiKey, apiSecret, curl };
  }

  /** Runs a curl command in a shell and returns the response. */
  async function paste(line: string): Promise<unknown> {
    const quiet = line.replace('curl', 'curl --silent --show-error');
    const shell = Bun.spawn(['bash', '-c', quiet], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, error] = await Promise.all([shell.stdout.text(), shell.stderr.text()]);
    expect(error).toBe('');
    return JSON.parse(out);
  }

  /** Credits the account and places an order on the other side of the book. */
  async function fund(account: string): Promise<void> {
    const credit = { account, asset: 'USDT', amount: 10_000, reference: 'first', reason: 'a test' };
    expect((await site.send('operator', 'POST', '/api/admin/transfers', credit)).status).toBe(200);
    expect((await site.send('alice', 'POST', '/api/orders', ASK)).status).toBe(200);
  }

  /** Places an order that fills partially, reduces it and cancels it. */
  async function tradeByHand(page: Page): Promise<void> {
    await page.goto('/trade/BTC-USDT');
    await page.getByLabel('Limit price').fill('100000');
    await page.getByLabel('Amount', { exact: true }).fill('0.01');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByText(/^Bought 0.004 of 0.01 BTC at 100,000.00 USDT/).waitFor();
    const row = page.getByRole('row').filter({ hasText: '100,000' }).filter({ hasText: '0.004' });
    await row.getByRole('button', { name: /^Amend/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Total amount').fill('0.006');
    await dialog.getByRole('button', { name: 'Amend' }).click();
    await page.getByText('Order amended.').waitFor();
    await row
      .filter({ hasText: '0.006' })
      .getByRole('button', { name: /^Cancel/ })
      .click();
    await page.getByText(/^Canceled: buy 0.006 BTC/).waitFor();
  }

  /** Signs out everywhere and checks that another browser loses its session and its stream. */
  async function signOutEverywhere(page: Page, email: string, usedCode: string): Promise<void> {
    const other = await site.open();
    await site.signIn(other, email, PASSWORD);
    await other.locator('[name=code]:focus').waitFor();
    await other.getByLabel('Code', { exact: true }).fill(usedCode);
    await other.getByRole('button', { name: 'Continue' }).click();
    await other.getByText('Incorrect code, or already used.').waitFor();
    await other.getByLabel('Code', { exact: true }).fill(recoveryCode);
    const authenticated = new Promise<WebSocket>((resolve) => {
      other.on('websocket', (socket) => {
        socket.on('framesent', ({ payload }) => {
          if (`${payload}`.includes('"auth"')) resolve(socket);
        });
      });
    });
    await other.getByRole('button', { name: 'Continue' }).click();
    const socket = await authenticated;
    await page.goto('/settings#security');
    await page.getByRole('row').filter({ hasText: 'This session' }).waitFor();
    const closed = socket.waitForEvent('close');
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.waitForURL('**/sign-in');
    await closed;
    const status = await other.evaluate("fetch('/api/account').then((answer) => answer.status)");
    expect(status).toBe(401);
  }
});
