import { rateLimit } from './describe.ts';

/** Extra time for which a window counts as open here, to tolerate clock drift. */
const MARGIN_MS = 50;

/** The state of the window that a request was counted in, as its response reports it. */
export interface WindowState {
  /** Requests per window; NaN if it was not reported. */
  readonly limit: number;
  readonly remaining: number;
  /** End of the window, Unix seconds of the exchange's clock. */
  readonly reset: number;
}

/**
 * Delays reads to keep to the rate limit of one endpoint, by what the responses report. That includes requests of other
 * programs with the same account. A window ends at the latest one length after the first response that reports it.
 */
export class RateWindow {
  /** Requests that the window still allows; infinite while the exchange counts none. */
  private remaining: number;
  private inFlight = 0;
  private reset = 0;
  private endsMs = Number.POSITIVE_INFINITY;
  private readonly waiting: (() => void)[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param limit Requests per window, until a response reports another. */
  constructor(
    private limit: number,
    private readonly lengthMs: number,
  ) {
    this.remaining = limit;
  }

  /** Sends a request as soon as the window has capacity, first come, first served. */
  async run<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    await new Promise<void>((go) => {
      this.waiting.push(go);
      this.sendWaiting();
    });
    try {
      return await request();
    } finally {
      this.inFlight--;
      this.sendWaiting();
    }
  }

  /** Adopts what a response reports. */
  note({ limit, remaining, reset }: WindowState): void {
    if (!(limit > 0)) return;
    this.limit = limit;
    // A counted request leaves less than the limit, so limits are off.
    if (remaining >= limit) {
      this.remaining = Number.POSITIVE_INFINITY;
      this.endsMs = Number.POSITIVE_INFINITY;
    } else if (reset > this.reset || this.endsMs === Number.POSITIVE_INFINITY) {
      this.reset = reset;
      this.remaining = remaining;
      this.endsMs = performance.now() + this.lengthMs + MARGIN_MS;
    } else if (reset === this.reset) this.remaining = Math.min(this.remaining, remaining);
  }

  private sendWaiting(): void {
    const nowMs = performance.now();
    if (nowMs >= this.endsMs) {
      this.remaining = this.limit;
      this.endsMs = Number.POSITIVE_INFINITY;
    }
    while (this.waiting.length > 0 && this.inFlight < this.remaining) {
      this.inFlight++;
      this.waiting.shift()!();
    }
    // Without a reported end, the response to a request in flight continues.
    if (this.waiting.length === 0 || this.endsMs === Number.POSITIVE_INFINITY) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.sendWaiting();
    }, this.endsMs - nowMs);
  }
}

/** One rate window per endpoint, as on the exchange. */
export class RateWindows {
  private readonly windows = new Map<string, RateWindow>();

  constructor(private readonly lengthMs: number) {}

  /** Returns the window of a read. */
  get(url: string): RateWindow {
    const endpoint = findEndpoint(url);
    let window = this.windows.get(endpoint);
    if (window === undefined) {
      window = new RateWindow(rateLimit(`GET ${endpoint}`), this.lengthMs);
      this.windows.set(endpoint, window);
    }
    return window;
  }
}

/** Returns the endpoint of a URL, such as `orders/{id}`. */
function findEndpoint(url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/^.*\/api\//s, '');
  return path.replace(/^orders\/.*$/s, 'orders/{id}');
}
