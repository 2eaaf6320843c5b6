import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Credential, temporaryDirectory } from '../process/exchange-process.ts';
import { MainProcess } from '../process/main-process.ts';

export interface Look {
  /** Signed-in sandbox user: the local part of the email address. */
  readonly as?: string | undefined;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Device pixels per CSS pixel. */
  readonly scale?: number;
  /** Time zone of the browser; that of the machine if undefined. */
  readonly timezoneId?: string;
  /** Language of the browser, as a BCP 47 tag. */
  readonly language?: string;
  /** Whether the page may use a service worker, whose requests tests cannot intercept. */
  readonly hasWorker?: boolean;
  /** Whether the browser is that of a phone: with touch, and with a viewport that the page sets. */
  readonly isPhone?: boolean;
}

interface SandboxFile {
  readonly accounts: readonly Credential[];
  readonly users: readonly { readonly email: string; readonly password: string }[];
}

const TIMEOUT_MS = 20_000;

/** A sandbox in its own process, and the pages of a real browser that are open on it. */
export class Site {
  exchange!: MainProcess;
  /** Uses a host name, because passkeys are bound to one. */
  baseUrl = '';
  private browser!: Browser;
  private readonly directory = temporaryDirectory();
  private contexts: BrowserContext[] = [];
  /** Shared pages by signed-in user; '' is signed out. */
  private readonly shared = new Map<string, Page>();
  private errors: string[] = [];

  /** @param env Settings of the exchange, in addition to those of all tests. */
  async start(browser: Browser, env: Record<string, string> = {}): Promise<void> {
    this.browser = browser;
    this.exchange = MainProcess.start(['start'], {
      BUTTONWOOD_DATA: this.directory.path,
      BUTTONWOOD_RATE_LIMITS: 'off',
      ...env,
    });
    this.baseUrl = (await this.exchange.serving()).replace('127.0.0.1', 'localhost');
    // The first request for a page waits until all pages are bundled, on a busy machine for longer than a test waits.
    await fetch(`${this.baseUrl}/trade`);
  }

  get dataDirectory(): string {
    return this.directory.path;
  }

  async close(): Promise<void> {
    await this.closePages();
    for (const page of this.shared.values()) await page.context().close();
    await this.exchange?.stop();
    this.directory.remove();
  }

  /** Opens a page in its own browser context; paths are relative to the site. */
  async open(look: Look = {}): Promise<Page> {
    const page = await this.newPage(look);
    this.contexts.push(page.context());
    return page;
  }

  /**
   * Returns a page in a shared browser context with cleared storage, because Chromium needs two seconds for a new one.
   * Tests that sign out or intercept requests use `open` instead.
   */
  async share({ as, width = 1440, height = 900 }: Look = {}): Promise<Page> {
    const page = this.shared.get(as ?? '') ?? (await this.newPage({ as }));
    this.shared.set(as ?? '', page);
    await page.setViewportSize({ width, height });
    return page;
  }

  private async newPage({
    as,
    scheme = 'light',
    width = 1440,
    height = 900,
    scale = 1,
    timezoneId,
    language,
    hasWorker = false,
    isPhone = false,
  }: Look): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: this.baseUrl,
      colorScheme: scheme,
      viewport: { width, height },
      deviceScaleFactor: scale,
      isMobile: isPhone,
      hasTouch: isPhone,
      ...(timezoneId === undefined ? {} : { timezoneId }),
      ...(language === undefined ? {} : { locale: language }),
      reducedMotion: 'reduce',
      serviceWorkers: hasWorker ? 'allow' : 'block',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(TIMEOUT_MS);
    this.watch(context);
    if (as !== undefined) await this.addSessionCookie(context, as);
    return context.newPage();
  }

  /** Returns the errors of the opened pages so far, which then do not fail the test. */
  takeErrors(): string[] {
    return this.errors.splice(0);
  }

  /** Closes the opened pages; returns their uncaught errors and content security policy violations. */
  async closePages(): Promise<string[]> {
    const { contexts, errors } = this;
    this.contexts = [];
    this.errors = [];
    for (const context of contexts) await context.close();
    for (const page of this.shared.values()) await reset(page);
    return errors;
  }

  /** Signs in with the form. */
  async signIn(page: Page, email: string, password: string): Promise<void> {
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  readPassword(name: string): string {
    return this.user(name).password;
  }

  /** Sends a request with the key of a sandbox account, or with the given key. */
  async send(
    account: string | { apiKey: string; apiSecret: string },
    method: string,
    path: string,
    body?: object,
    // biome-ignore lint/suspicious/noExplicitAny: responses of all endpoints
  ): Promise<{ status: number; json: any }> {
    const { apiKey, apiSecret } =
      typeof account === 'string'
        ? this.sandbox.accounts.find(({ name }) => name === account)!
        : account;
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'X-API-Secret': apiSecret,
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: await response.json() };
  }

  /** Returns the link of the first email to an address, from the server's log. */
  async mailedLink(email: string): Promise<string> {
    const pattern = new RegExp(
      `Mail to ${email}: [^\\n]*\\n(?: {2}[^\\n]*\\n)*? {2}[^\\n]*?(http\\S+#token=\\S+)`,
    );
    const [, link] = await this.exchange.printed(pattern);
    return link!.replace('127.0.0.1', 'localhost');
  }

  private get sandbox(): SandboxFile {
    return JSON.parse(readFileSync(join(this.directory.path, 'sandbox.json'), 'utf8'));
  }

  private user(name: string) {
    return this.sandbox.users.find(({ email }) => email === `${name}@buttonwood.test`)!;
  }

  private async addSessionCookie(context: BrowserContext, name: string): Promise<void> {
    const { baseUrl } = this;
    const response = await fetch(`${baseUrl}/api/account/sign-in`, {
      method: 'POST',
      headers: { Origin: baseUrl, 'Content-Type': 'application/json' },
      body: JSON.stringify(this.user(name)),
    });
    if (response.status !== 200) throw new Error(await response.text());
    const [cookie, value] = response.headers.get('set-cookie')!.split(';')[0]!.split('=');
    // Chromium sends a Secure cookie to localhost over HTTP, but accepts it only for an https: URL.
    const url = baseUrl.replace('http:', 'https:');
    await context.addCookies([{ name: cookie!, value: value!, url, secure: true }]);
  }

  private watch(context: BrowserContext): void {
    context.on('weberror', (error) => this.errors.push(`${error.error()}`));
    context.on('console', (message) => {
      // The browser logs an error for each API response with an error status.
      if (message.type() === 'error' && !message.location().url.includes('/api/')) {
        this.errors.push(`${message.text()} at ${message.location().url}`);
      }
    });
  }
}

/** Resets a shared page: storage, mouse position and streams. */
async function reset(page: Page): Promise<void> {
  if (page.url() === 'about:blank') return;
  await page.evaluate('localStorage.clear()');
  await page.mouse.move(0, 0);
  await page.goto('about:blank');
}
