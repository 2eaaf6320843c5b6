/**
 * npm run bench:page [-- --seconds N] [--orders N]
 *
 * Measures the trading page in a real Chromium, while an exchange in a separate process takes N orders per second
 * in the displayed market and the chart has five indicators. Counts painted frames and tasks over 50 ms. Prints one JSON line.
 *
 * A task of the page lasts longer while another process has its core. `longestTaskCpuMs` is the time that the task of the
 * page with the most work had a core: the length of the longest task on a machine with a core for the page alone.
 *
 * The exchange and its clients have a lower priority than the browser, because users have them on other machines; the
 * rate of changes in the output shows whether they kept up.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../test/web/browser.ts';
import { makeOrders, openAccounts } from './rest/orders.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    orders: { type: 'string', default: '1500' },
  },
});
const seconds = Number(values.seconds);
const PORT = 4306;
const ACCOUNTS = 100;
const WARM_UP_MS = 4000;
const baseUrl = `http://127.0.0.1:${PORT}`;
const root = join(import.meta.dir, '..');
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-page-'));

/** Priority of the exchange and its clients, as of `nice`. */
const NICENESS = 10;

/** Indicators of each kind that is drawn over the candles or in a pane of its own. */
const INDICATORS = [
  { kind: 'ma', parameters: [20] },
  { kind: 'bollinger', parameters: [20, 2] },
  { kind: 'vwap', parameters: [] },
  { kind: 'rsi', parameters: [14] },
  { kind: 'macd', parameters: [12, 26, 9] },
].map((each, index) => ({ id: index + 1, ...each }));

/** Counts frames by the second, long tasks, and messages of the book; runs before the page's own. */
const PROBE = `{
  const probe = (window.probe = { frames: [], longTasks: [], messages: 0 });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) probe.longTasks.push(duration);
  }).observe({ type: 'longtask' });
  const frame = (now) => { probe.frames.push(now); requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  const Socket = WebSocket;
  window.WebSocket = class extends Socket {
    constructor(url) {
      super(url);
      this.addEventListener('message', ({ data }) => {
        if (data.includes('"channel":"orderbook"')) probe.messages++;
      });
    }
  };
}`;

interface Probe {
  readonly frames: readonly number[];
  readonly longTasks: readonly number[];
  readonly messages: number;
}

/** The part of Chromium's trace format that is read. */
interface Trace {
  readonly traceEvents: readonly {
    readonly name: string;
    readonly pid: number;
    readonly tid: number;
    /** Time of the thread on a core, in microseconds. */
    readonly tdur?: number;
    readonly args?: { readonly name?: string };
  }[];
}

const children: Bun.Subprocess[] = [];
try {
  const exchange = spawn(['src/main.ts', 'start'], {
    PORT: `${PORT}`,
    BUTTONWOOD_DATA: join(directory, 'data'),
    BUTTONWOOD_RATE_LIMITS: 'off',
    BUTTONWOOD_MAKERS: 'off',
  });
  while ((await fetch(baseUrl).catch(() => undefined)) === undefined) {
    if (exchange.exitCode !== null) throw new Error('the exchange ended');
    await Bun.sleep(50);
  }
  const sandbox = JSON.parse(readFileSync(join(directory, 'data/sandbox.json'), 'utf8'));
  const accounts = await openAccounts(baseUrl, sandbox, ACCOUNTS);
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript(PROBE);
    const stored = JSON.stringify(INDICATORS);
    await page.addInitScript(`localStorage.setItem('buttonwood-indicators', '${stored}')`);
    await page.goto(`${baseUrl}/trade/BTC-USDT`);
    await page.locator('.connection.live').waitFor();
    // RSI and MACD have panes of their own, and lines between them.
    await page.locator('.tv-lightweight-charts tr').nth(5).waitFor({ state: 'attached' });
    const orders = join(directory, 'orders.json');
    await Bun.write(orders, JSON.stringify(makeOrders(accounts, 20_000, 1)));
    spawn(['bench/stream/orders.ts', `${PORT}`, orders, values.orders]);
    await Bun.sleep(WARM_UP_MS);
    await browser.startTracing(page, { categories: ['toplevel'] });
    await page.evaluate('Object.assign(probe, { frames: [], longTasks: [], messages: 0 })');
    const before = await sequence();
    const start = performance.now();
    await Bun.sleep(seconds * 1000);
    const probe = await page.evaluate<Probe>('probe');
    const elapsed = (performance.now() - start) / 1000;
    const changes = (await sequence()) - before;
    const trace: Trace = JSON.parse((await browser.stopTracing()).toString());
    const { frames, longTasks } = probe;
    const span = (frames.at(-1)! - frames[0]!) / 1000;
    const waits = frames.slice(1).map((time, index) => time - frames[index]!);
    console.log(
      JSON.stringify({
        fps: Math.round(((frames.length - 1) / span) * 10) / 10,
        slowestSecondFps: slowestSecond(frames),
        slowestFrameMs: Math.round(Math.max(...waits)),
        longTasks: longTasks.length,
        longestTaskMs: Math.round(Math.max(0, ...longTasks)),
        longestTaskCpuMs: Math.round(longestTaskCpuMs(trace)),
        bookChangesPerSecond: Math.round(changes / elapsed),
        bookMessagesPerSecond: Math.round(probe.messages / elapsed),
        seconds,
      }),
    );
  } finally {
    await browser.close();
  }
} finally {
  for (const child of children) child.kill();
  await Promise.all(children.map((child) => child.exited));
  rmSync(directory, { recursive: true, force: true });
}

/** Returns the longest time that a task of the page's main thread had a core. */
function longestTaskCpuMs({ traceEvents }: Trace): number {
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const times = traceEvents
    .filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000);
  if (times.length === 0) throw new Error('the trace has no task of the page');
  return Math.max(...times);
}

/** Returns the book's sequence, which grows by one with every order that changes the book. */
async function sequence(): Promise<number> {
  const answer = await fetch(`${baseUrl}/api/orderbook?symbol=BTC/USDT&depth=1`);
  return ((await answer.json()) as { data: { sequence: number } }).data.sequence;
}

function slowestSecond(frames: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const time of frames) {
    const second = Math.floor((time - frames[0]!) / 1000);
    counts.set(second, (counts.get(second) ?? 0) + 1);
  }
  // The last second is incomplete.
  return Math.min(...[...counts.values()].slice(0, -1));
}

function spawn(args: string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  setPriority(child.pid, NICENESS);
  children.push(child);
  return child;
}
