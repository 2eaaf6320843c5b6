import { limitOf } from './describe.ts';

/** Clocks do not run alike: for how much longer a request counts here than with the exchange. */
const MARGIN_MS = 50;

/**
 * Keeps to the limit of one endpoint by waiting: of any span as long as a window no more requests than it
 * takes. A request counts until a window after its answer, so that the exchange, which begins its windows
 * before it answers, has never counted more, however long the way there is.
 */
export class RateWindow {
  private underWay = 0;
  /** When the requests that were answered stop counting. */
  private readonly endsMs: number[] = [];
  private readonly waiting: (() => void)[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private limit: number,
    private readonly lengthMs: number,
  ) {}

  /** Makes a request as soon as there is room for it; those who wait go first. */
  async run<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    await new Promise<void>((go) => {
      this.waiting.push(go);
      this.admit();
    });
    try {
      return await request();
    } finally {
      this.underWay--;
      this.endsMs.push(performance.now() + this.lengthMs + MARGIN_MS);
      this.admit();
    }
  }

  /** Takes over the limit that an answer tells: accounts may have a higher one. */
  adopt(limit: number): void {
    if (limit > 0) this.limit = limit;
  }

  private admit(): void {
    const nowMs = performance.now();
    while (this.endsMs[0]! <= nowMs) this.endsMs.shift();
    while (this.waiting.length > 0 && this.underWay + this.endsMs.length < this.limit) {
      this.underWay++;
      this.waiting.shift()!();
    }
    if (this.waiting.length === 0 || this.endsMs.length === 0) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.admit();
    }, this.endsMs[0]! - nowMs);
  }
}

/** A window for each endpoint, as the exchange has it. */
export class RateWindows {
  private readonly windows = new Map<string, RateWindow>();

  constructor(private readonly lengthMs: number) {}

  of(method: string, url: string): RateWindow {
    const endpoint = endpointOf(method, url);
    let window = this.windows.get(endpoint);
    if (window === undefined) {
      window = new RateWindow(limitOf(endpoint), this.lengthMs);
      this.windows.set(endpoint, window);
    }
    return window;
  }
}

/** Such as `DELETE orders/{id}`. */
function endpointOf(method: string, url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/^.*\/api\//s, '');
  return `${method} ${method === 'POST' ? path : path.replace(/^orders\/.*$/s, 'orders/{id}')}`;
}
