import { afterAll, beforeAll } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ExchangeProcess, temporaryDirectory } from '../process/exchange-process.ts';
import { launchBrowser, signIn } from './browser.ts';
import { describeInBrowser } from './describe-in-browser.ts';

/** A real browser before a real exchange. */
export interface Site {
  readonly exchange: ExchangeProcess;
  /** A page of its own: nothing of another's is in it. */
  open(options?: OpenOptions): Promise<OpenPage>;
}

interface OpenOptions {
  /** The name of a sandbox person who is signed in. */
  readonly as?: 'alice' | 'bob';
  readonly size?: { readonly width: number; readonly height: number };
}

export interface OpenPage {
  readonly page: Page;
  /** What went wrong in it: breaches of the policy, errors nobody caught. */
  readonly faults: string[];
}

/** The first page of all waits for the bundle. */
export const PAGE_TIMEOUT_MS = 30_000;

/** Tests of a site in a browser. */
export function describePages(name: string, tests: (site: Site) => void): void {
  describeInBrowser(name, () => {
    let browser: Browser;
    let exchange: ExchangeProcess;
    const directory = temporaryDirectory();
    const contexts: BrowserContext[] = [];
    beforeAll(async () => {
      [browser, exchange] = await Promise.all([
        launchBrowser(),
        ExchangeProcess.start(directory.path, { BUTTONWOOD_MAKERS: 'off' }),
      ]);
    }, PAGE_TIMEOUT_MS);
    afterAll(async () => {
      for (const context of contexts) await context.close();
      await browser?.close();
      await exchange?.stop();
      directory.remove();
    }, PAGE_TIMEOUT_MS);
    tests({
      get exchange() {
        return exchange;
      },
      async open(options = {}) {
        const { size = { width: 1440, height: 900 } } = options;
        const context = await browser.newContext({ colorScheme: 'light', viewport: size });
        contexts.push(context);
        if (options.as !== undefined) await signIn(context, exchange, directory.path, options.as);
        const page = await context.newPage();
        return { page, faults: await watch(page) };
      },
    });
  });
}

async function watch(page: Page): Promise<string[]> {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    // Who is not signed in is told so with 401.
    if (message.type() === 'error' && !text.includes('401')) faults.push(text);
  });
  await page.exposeFunction('noteBreach', (text: string) => faults.push(text));
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    noteBreach('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`);
  return faults;
}

const AXE = readFileSync(
  new URL('../../node_modules/axe-core/axe.min.js', import.meta.url),
  'utf8',
);

/** What axe-core finds in the page as it stands, a line each; in the dark the colours alone. */
export async function axeFindings(page: Page): Promise<string[]> {
  const inLight = await findings(page, {});
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await findings(page, { runOnly: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...inLight, ...inDark];
}

async function findings(page: Page, rules: object): Promise<string[]> {
  // By the debugger: the page's policy allows no foreign script.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: `${AXE};0` });
  const { result } = await session.send('Runtime.evaluate', {
    expression:
      `axe.run(document, ${JSON.stringify({ ...rules, resultTypes: ['violations'] })})` +
      '.then((r) => JSON.stringify(r.violations))',
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  const violations = JSON.parse(result.value) as AxeViolation[];
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' | ')}`,
  );
}

interface AxeViolation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}
