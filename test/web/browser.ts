import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

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
