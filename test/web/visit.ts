import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Credential, temporaryDirectory } from '../process/exchange-process.ts';
import { MainProcess } from '../process/main-process.ts';
import { launchBrowser } from './browser.ts';

export interface Look {
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

/** A sandbox of its own, a real process, with a real browser before it. */
export class Visit {
  /** What pages broke: rules of their content policy, or their own script. */
  readonly problems: string[] = [];

  private constructor(
    readonly exchange: MainProcess,
    /** By name, because passkeys belong to names. */
    readonly baseUrl: string,
    private readonly browser: Browser,
    private readonly directory: ReturnType<typeof temporaryDirectory>,
  ) {}

  /** @param env Settings of the exchange, beside those that tests want. */
  static async start(env: Record<string, string> = {}): Promise<Visit> {
    const directory = temporaryDirectory();
    const exchange = MainProcess.start(['start'], {
      BUTTONWOOD_DATA: directory.path,
      BUTTONWOOD_RATE_LIMITS: 'off',
      BUTTONWOOD_MAKERS: 'off',
      ...env,
    });
    const [browser, baseUrl] = await Promise.all([launchBrowser(), exchange.serving()]);
    return new Visit(exchange, baseUrl.replace('127.0.0.1', 'localhost'), browser, directory);
  }

  /** A browser with cookies of its own. */
  async person({
    scheme = 'light',
    width = 1280,
    height = 900,
    scale = 1,
  }: Look = {}): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: this.baseUrl,
      colorScheme: scheme,
      viewport: { width, height },
      deviceScaleFactor: scale,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(10_000);
    this.watch(context);
    return context.newPage();
  }

  /** One who is signed in: a person of the sandbox, by the part of the address before the @. */
  async signedIn(name: string, look: Look = {}): Promise<Page> {
    const page = await this.person(look);
    await this.signIn(page, `${name}@buttonwood.test`, this.passwordOf(name));
    await page.waitForURL('**/trade**');
    return page;
  }

  async signIn(page: Page, email: string, password: string): Promise<void> {
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  passwordOf(name: string): string {
    return this.sandbox.people.find(({ email }) => email === `${name}@buttonwood.test`)!.password;
  }

  /** Sends a request with a key of the sandbox, or one that was made. */
  async send(
    holder: string | { apiKey: string; apiSecret: string },
    method: string,
    path: string,
    body?: object,
  ): Promise<Response> {
    const { apiKey, apiSecret } =
      typeof holder === 'string'
        ? this.sandbox.accounts.find(({ name }) => name === holder)!
        : holder;
    return fetch(this.baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'X-API-Secret': apiSecret,
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** The link of the last mail to an address, from the server's log. */
  async mailedLink(email: string): Promise<string> {
    const pattern = new RegExp(`Mail to ${email}:[^]*?(http\\S+#token=\\S+)`);
    const [, link] = await this.exchange.printed(pattern);
    return link!.replace('127.0.0.1', 'localhost');
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.exchange.stop();
    this.directory.remove();
  }

  private get sandbox(): SandboxFile {
    return JSON.parse(readFileSync(join(this.directory.path, 'sandbox.json'), 'utf8'));
  }

  private watch(context: BrowserContext): void {
    context.on('weberror', (error) => this.problems.push(`${error.error()}`));
    context.on('console', (message) => {
      if (/content.security.policy/i.test(message.text())) this.problems.push(message.text());
    });
  }
}
