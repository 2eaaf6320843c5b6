import { rateLimit } from './describe.ts';

/** Extra time for which a request counts here, to tolerate clock drift. */
const MARGIN_MS = 50;

/**
 * Delays requests to keep to the limit of one endpoint. A request counts until one window after its response. The
 * exchange starts its windows before it responds, so it never counts more requests than this does.
 */
export class RateWindow {
  private pending = 0;
  /** Times at which answered requests stop counting. */
  private readonly endsMs: number[] = [];
  private readonly waiting: (() => void)[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private limit: number,
    private readonly lengthMs: number,
  ) {}

  /** Sends a request as soon as the window has capacity, first come, first served. */
  async run<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    await new Promise<void>((go) => {
      this.waiting.push(go);
      this.sendWaiting();
    });
    try {
      return await request();
    } finally {
      this.pending--;
      this.endsMs.push(performance.now() + this.lengthMs + MARGIN_MS);
      this.sendWaiting();
    }
  }

  /** Adopts the limit reported in a response; accounts may have a higher one. */
  adopt(limit: number): void {
    if (limit > 0) this.limit = limit;
  }

  private sendWaiting(): void {
    const nowMs = performance.now();
    while (this.endsMs[0]! <= nowMs) this.endsMs.shift();
    while (this.waiting.length > 0 && this.pending + this.endsMs.length < this.limit) {
      this.pending++;
      this.waiting.shift()!();
    }
    if (this.waiting.length === 0 || this.endsMs.length === 0) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.sendWaiting();
    }, this.endsMs[0]! - nowMs);
  }
}

/** One rate window per endpoint, as on the exchange. */
export class RateWindows {
  private readonly windows = new Map<string, RateWindow>();

  constructor(private readonly lengthMs: number) {}

  get(method: string, url: string): RateWindow {
    const endpoint = findEndpoint(method, url);
    let window = this.windows.get(endpoint);
    if (window === undefined) {
      window = new RateWindow(rateLimit(endpoint), this.lengthMs);
      this.windows.set(endpoint, window);
    }
    return window;
  }
}

/** Returns the endpoint of a URL, such as `DELETE orders/{id}`. */
function findEndpoint(method: string, url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/^.*\/api\//s, '');
  return `${method} ${method === 'POST' ? path : path.replace(/^orders\/.*$/s, 'orders/{id}')}`;
}
