/**
 * npm run bench:page-load [-- --runs N]
 *
 * Measures how long pages need until their data is visible in a real Chromium without a cache: on a desktop, and on a
 * slow phone (CPU 4 times slower, 1.6 Mbit/s, 150 ms round trip: Lighthouse's "slow 4G"). Prints one JSON line per page.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../test/web/browser.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
const PORT = 4307;
const baseUrl = `http://localhost:${PORT}`;
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-load-'));

/** The pages, and what is visible once their data is there. */
const PAGES = [
  ['/', '.home-book[aria-busy="false"] td.buy:not(:empty)'],
  ['/trade', '.connection.live'],
  ['/docs', '.docs-entry'],
  ['/status', '.status-head.good'],
] as const;

const SLOW = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1_000_000) / 8,
  uploadThroughput: 750_000 / 8,
};

const exchange = Bun.spawn([process.execPath, 'src/main.ts', 'start'], {
  cwd: join(import.meta.dir, '..'),
  env: {
    ...process.env,
    PORT: `${PORT}`,
    BUTTONWOOD_DATA: join(directory, 'data'),
    BUTTONWOOD_RATE_LIMITS: 'off',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});
try {
  while ((await fetch(baseUrl).catch(() => undefined)) === undefined) {
    if (exchange.exitCode !== null) throw new Error('the exchange ended');
    await Bun.sleep(50);
  }
  const browser = await launchBrowser();
  try {
    for (const [path, selector] of PAGES) {
      // The first visit bundles the pages and compresses them.
      await load(browser, path, selector, false);
      const desktop = await repeat(() => load(browser, path, selector, false));
      const phone = await repeat(() => load(browser, path, selector, true));
      console.log(
        JSON.stringify({
          path,
          desktopMs: times(desktop),
          slowPhoneMs: times(phone),
          kilobytes: desktop[0]!.kilobytes,
        }),
      );
    }
  } finally {
    await browser.close();
  }
} finally {
  exchange.kill();
  await exchange.exited;
  rmSync(directory, { recursive: true, force: true });
}

interface Load {
  readonly ms: number;
  /** The compressed size of all responses until the data was visible. */
  readonly kilobytes: number;
}

async function repeat(run: () => Promise<Load>): Promise<Load[]> {
  const loads: Load[] = [];
  for (let left = Number(values.runs); left > 0; left--) loads.push(await run());
  return loads.sort((a, b) => a.ms - b.ms);
}

/** Returns the median and the longest time. */
function times(loads: readonly Load[]) {
  return { median: loads[Math.floor(loads.length / 2)]!.ms, longest: loads.at(-1)!.ms };
}

async function load(
  browser: Browser,
  path: string,
  selector: string,
  isSlow: boolean,
): Promise<Load> {
  const viewport = isSlow ? { width: 390, height: 844 } : { width: 1440, height: 900 };
  const context = await browser.newContext({ viewport, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    if (isSlow) {
      await session.send('Network.emulateNetworkConditions', SLOW);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    }
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    const start = performance.now();
    await page.goto(baseUrl + path, { waitUntil: 'commit' });
    await page.locator(selector).first().waitFor({ state: 'visible' });
    return { ms: Math.round(performance.now() - start), kilobytes: Math.round(bytes / 1000) };
  } finally {
    await context.close();
  }
}
