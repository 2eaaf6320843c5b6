import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import type { ExchangeProcess } from '../process/exchange-process.ts';

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where the system has Chromium; CHROMIUM_PATH names another. Undefined where it has none. */
export function chromiumPath(): string | undefined {
  return PLACES.find((path) => path !== undefined && existsSync(path));
}

/** @throws Error where there is no Chromium */
export function launchBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) {
    throw new Error('There is no Chromium: install one, or name it in CHROMIUM_PATH.');
  }
  // Where there is no graphics card, Chromium's own software is quicker than one that is made up.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** Signs a sandbox's person in, for all pages of the context. */
export async function signIn(
  context: BrowserContext,
  { baseUrl }: Pick<ExchangeProcess, 'baseUrl'>,
  directory: string,
  name: string,
): Promise<void> {
  const file = JSON.parse(readFileSync(join(directory, 'sandbox.json'), 'utf8'));
  const person = file.people.find(({ email }: { email: string }) => email.startsWith(name));
  const answer = await context.request.post(`${baseUrl}/api/account/sign-in`, {
    headers: { Origin: baseUrl },
    data: person,
  });
  if (answer.status() !== 200) throw new Error(await answer.text());
  const { cookies } = await context.storageState();
  if (cookies.length > 0) return;
  // Chromium takes a Secure cookie from this machine over HTTP; what speaks for it here does not.
  const [cookie, value] = answer.headers()['set-cookie']!.split(';')[0]!.split('=');
  await context.addCookies([
    { name: cookie!, value: value!, url: baseUrl.replace('http:', 'https:'), secure: true },
  ]);
}
