import { describe, test } from 'bun:test';
import { chromiumPath } from './browser.ts';

/** Tests in a browser. Without Chromium they are passed over aloud; in CI they fail. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (chromiumPath() !== undefined || process.env.CI === 'true') {
    describe(name, tests);
    return;
  }
  console.warn(`${name}: not run, there is no Chromium; install one or set CHROMIUM_PATH.`);
  test.skip(name, () => {});
}
