import * as logger from '../../monitoring/logger.ts';
import { canOpen } from '../../storage/spare-descriptors.ts';
import type { TradersOptions } from './traders.ts';
import type { FromTraders, ToTraders } from './traders-worker.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Traders that have lived for so long begin anew with the first wait. */
const STEADY_MS = 60_000;
/**
 * Far more than a thread begins with. Bun ends the process where a thread finds none, and what is free now
 * connections may take before it has begun.
 */
const ROOM_FOR_A_THREAD = 64;
/** How long a stop waits for them to cancel what they have open. */
const STOP_GRACE_MS = 2_000;

/**
 * Keeps the sandbox's traders going in a thread of their own. Where they fail it says so, the exchange
 * goes on, and they begin again, after ever longer waits.
 */
export class MarketMakers {
  private worker: Worker | undefined;
  private restart: Timer | undefined;
  private startedAt = 0;
  private waitMs = FIRST_WAIT_MS;
  private onEnd: (() => void) | undefined;

  constructor(
    private readonly options: TradersOptions,
    private readonly warn: (message: string) => void = logger.warn,
  ) {
    this.begin();
  }

  /** Their orders are canceled, if they get to it. */
  async stop(): Promise<void> {
    clearTimeout(this.restart);
    const { worker } = this;
    if (worker === undefined) return;
    await new Promise<void>((resolve) => {
      this.onEnd = resolve;
      setTimeout(resolve, STOP_GRACE_MS);
      worker.postMessage({ kind: 'stop' } satisfies ToTraders);
    });
    this.worker = undefined;
    worker.terminate();
  }

  private begin(): void {
    if (!canOpen(ROOM_FOR_A_THREAD)) {
      this.beginLater('connections have left no file descriptor');
      return;
    }
    const worker = new Worker(new URL('./traders-worker.ts', import.meta.url).href);
    this.worker = worker;
    this.startedAt = performance.now();
    const ended = (reason: string) => {
      if (this.worker === worker) this.end(worker, reason);
    };
    worker.onmessage = ({ data }: MessageEvent<FromTraders>) =>
      ended(data.kind === 'failed' ? data.reason : 'they stopped');
    worker.onerror = (event) => ended(event.message);
    worker.addEventListener('close', () => ended('their thread is gone'));
    worker.postMessage({ kind: 'start', options: this.options } satisfies ToTraders);
  }

  private end(worker: Worker, reason: string): void {
    this.worker = undefined;
    worker.terminate();
    if (this.onEnd !== undefined) {
      this.onEnd();
      return;
    }
    if (performance.now() - this.startedAt >= STEADY_MS) this.waitMs = FIRST_WAIT_MS;
    this.beginLater(reason);
  }

  private beginLater(reason: string): void {
    this.warn(
      `The sandbox's makers have failed (${reason}). They begin again in ${this.waitMs / 1000} s; ` +
        'the exchange goes on.',
    );
    this.restart = setTimeout(() => this.begin(), this.waitMs);
    this.waitMs = Math.min(LONGEST_WAIT_MS, 2 * this.waitMs);
  }
}
