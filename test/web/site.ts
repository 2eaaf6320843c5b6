import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Credential, temporaryDirectory } from '../process/exchange-process.ts';
import { MainProcess } from '../process/main-process.ts';

export interface Look {
  /** The person of the sandbox who is signed in: the part of the address before the @. */
  readonly as?: string | undefined;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Pixels of the screen to one of the page. */
  readonly scale?: number;
}

interface SandboxFile {
  readonly accounts: readonly Credential[];
  readonly people: readonly { readonly email: string; readonly password: string }[];
}

const TIMEOUT_MS = 20_000;

/** A sandbox of its own, a real process, and what a real browser has open before it. */
export class Site {
  exchange!: MainProcess;
  /** By name, because passkeys belong to names. */
  baseUrl = '';
  private browser!: Browser;
  private readonly directory = temporaryDirectory();
  private contexts: BrowserContext[] = [];
  /** By who is signed in, '' where nobody is. */
  private readonly shared = new Map<string, Page>();
  private faults: string[] = [];

  /** @param env Settings of the exchange, beside those that tests want. */
  async start(browser: Browser, env: Record<string, string> = {}): Promise<void> {
    this.browser = browser;
    this.exchange = MainProcess.start(['start'], {
      BUTTONWOOD_DATA: this.directory.path,
      BUTTONWOOD_RATE_LIMITS: 'off',
      ...env,
    });
    this.baseUrl = (await this.exchange.serving()).replace('127.0.0.1', 'localhost');
  }

  async close(): Promise<void> {
    await this.closePages();
    for (const page of this.shared.values()) await page.context().close();
    await this.exchange?.stop();
    this.directory.remove();
  }

  /** A page of a browser with cookies of its own; paths are below the site. */
  async open(look: Look = {}): Promise<Page> {
    const page = await this.newPage(look);
    this.contexts.push(page.context());
    return page;
  }

  /**
   * The same, but of a browser that tests have had before, with what they kept cleared: Chromium spends two
   * seconds on a new one. Whoever signs out, or comes between the page and the exchange, opens one.
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
  }: Look): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: this.baseUrl,
      colorScheme: scheme,
      viewport: { width, height },
      deviceScaleFactor: scale,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(TIMEOUT_MS);
    this.watch(context);
    if (as !== undefined) await this.signInAtOnce(context, as);
    return context.newPage();
  }

  /** Closes what was opened; gives what went wrong in it: breaches of the policy, errors nobody caught. */
  async closePages(): Promise<string[]> {
    const { contexts, faults } = this;
    this.contexts = [];
    this.faults = [];
    for (const context of contexts) await context.close();
    for (const page of this.shared.values()) await leave(page);
    return faults;
  }

  /** As a person signs in, on the page. */
  async signIn(page: Page, email: string, password: string): Promise<void> {
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  passwordOf(name: string): string {
    return this.user(name).password;
  }

  /** Sends a request with a key of the sandbox, or one that was made. */
  async send(
    holder: string | { apiKey: string; apiSecret: string },
    method: string,
    path: string,
    body?: object,
    // biome-ignore lint/suspicious/noExplicitAny: what tests look into has every form there is
  ): Promise<{ status: number; json: any }> {
    const { apiKey, apiSecret } =
      typeof holder === 'string'
        ? this.sandbox.accounts.find(({ name }) => name === holder)!
        : holder;
    const answer = await fetch(this.baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'X-API-Secret': apiSecret,
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, json: await answer.json() };
  }

  /** The link of the last mail to an address, from the server's log. */
  async mailedLink(email: string): Promise<string> {
    const pattern = new RegExp(`Mail to ${email}:[^]*?(http\\S+#token=\\S+)`);
    const [, link] = await this.exchange.printed(pattern);
    return link!.replace('127.0.0.1', 'localhost');
  }

  private get sandbox(): SandboxFile {
    return JSON.parse(readFileSync(join(this.directory.path, 'sandbox.json'), 'utf8'));
  }

  private user(name: string) {
    return this.sandbox.people.find(({ email }) => email === `${name}@buttonwood.test`)!;
  }

  private async signInAtOnce(context: BrowserContext, name: string): Promise<void> {
    const { baseUrl } = this;
    const answer = await fetch(`${baseUrl}/api/account/sign-in`, {
      method: 'POST',
      headers: { Origin: baseUrl, 'Content-Type': 'application/json' },
      body: JSON.stringify(this.user(name)),
    });
    if (answer.status !== 200) throw new Error(await answer.text());
    const [cookie, value] = answer.headers.get('set-cookie')!.split(';')[0]!.split('=');
    // Chromium takes a Secure cookie of this machine over HTTP, but not under that address.
    const url = baseUrl.replace('http:', 'https:');
    await context.addCookies([{ name: cookie!, value: value!, url, secure: true }]);
  }

  private watch(context: BrowserContext): void {
    context.on('weberror', (error) => this.faults.push(`${error.error()}`));
    context.on('console', (message) => {
      // The browser itself notes every answer of the exchange that refuses something.
      if (message.type() === 'error' && !message.location().url.includes('/api/')) {
        this.faults.push(`${message.text()} at ${message.location().url}`);
      }
    });
  }
}

/** Ends what a test has left in a page: its streams, what it keeps, and what the mouse is over. */
async function leave(page: Page): Promise<void> {
  if (page.url() === 'about:blank') return;
  await page.evaluate('localStorage.clear()');
  await page.mouse.move(0, 0);
  await page.goto('about:blank');
}
