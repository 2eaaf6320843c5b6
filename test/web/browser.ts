import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PATHS = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Returns the path of Chromium, CHROMIUM_PATH first; undefined if it is not installed. */
export function chromiumPath(): string | undefined {
  return PATHS.find((path) => path !== undefined && existsSync(path));
}

/** @param flags Further ones. @throws Error if Chromium is not installed */
export function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) {
    throw new Error('Chromium not found. Install it, or set CHROMIUM_PATH.');
  }
  // Without a graphics card, Chromium's software rendering is faster than an emulated GPU.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...flags] });
}
