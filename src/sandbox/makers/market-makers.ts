import * as logger from '../../monitoring/logger.ts';
import { canOpen } from '../../storage/reserved-descriptors.ts';
import type { TradersOptions } from './traders.ts';
import type { FromTraders, ToTraders } from './traders-worker.ts';

export { MAKER, TAKER } from './maker-accounts.ts';
export { cancelLeftovers, missingMakers } from './maker-genesis.ts';

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
/** After traders have run for this long, the next restart waits for FIRST_WAIT_MS again. */
const STEADY_MS = 60_000;
/**
 * File descriptors that must be free to start a thread: far more than it needs, because connections may take some
 * before it has started, and Bun exits if a new thread finds none.
 */
const DESCRIPTORS_PER_THREAD = 64;
/** Maximum wait of `stop` for the traders to cancel their open orders. */
const STOP_GRACE_MS = 2_000;

/**
 * Runs the sandbox's traders in their own thread. If they fail, it logs a warning and restarts them, with
 * increasing delays; the exchange keeps running.
 */
export class MarketMakers {
  private worker: Worker | undefined;
  private restart: Timer | undefined;
  private startedAt = 0;
  private waitMs = FIRST_WAIT_MS;
  private onStopped: (() => void) | undefined;

  constructor(
    private readonly options: TradersOptions,
    private readonly warn: (message: string) => void = logger.warn,
  ) {
    this.start();
  }

  /** Stops the traders. They cancel their open orders within the grace period if possible. */
  async stop(): Promise<void> {
    clearTimeout(this.restart);
    const { worker } = this;
    if (worker === undefined) return;
    await new Promise<void>((resolve) => {
      this.onStopped = resolve;
      setTimeout(resolve, STOP_GRACE_MS);
      worker.postMessage({ kind: 'stop' } satisfies ToTraders);
    });
    this.worker = undefined;
    worker.terminate();
  }

  private start(): void {
    if (!canOpen(DESCRIPTORS_PER_THREAD)) {
      this.restartLater('connections have left no file descriptor');
      return;
    }
    const worker = new Worker(new URL('./traders-worker.ts', import.meta.url).href);
    this.worker = worker;
    this.startedAt = performance.now();
    const onEnd = (reason: string) => {
      if (this.worker === worker) this.handleEnd(worker, reason);
    };
    worker.onmessage = ({ data }: MessageEvent<FromTraders>) =>
      onEnd(data.kind === 'failed' ? data.reason : 'they stopped');
    worker.onerror = (event) => onEnd(event.message);
    worker.addEventListener('close', () => onEnd('their thread exited'));
    worker.postMessage({ kind: 'start', options: this.options } satisfies ToTraders);
  }

  private handleEnd(worker: Worker, reason: string): void {
    this.worker = undefined;
    worker.terminate();
    if (this.onStopped !== undefined) {
      this.onStopped();
      return;
    }
    if (performance.now() - this.startedAt >= STEADY_MS) this.waitMs = FIRST_WAIT_MS;
    this.restartLater(reason);
  }

  private restartLater(reason: string): void {
    this.warn(
      `The sandbox's market makers have failed (${reason}). They restart in ${this.waitMs / 1000} s; ` +
        'the exchange keeps running.',
    );
    this.restart = setTimeout(() => this.start(), this.waitMs);
    this.waitMs = Math.min(MAX_WAIT_MS, 2 * this.waitMs);
  }
}
