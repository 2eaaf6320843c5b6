import * as logger from '../../monitoring/logger.ts';
import { Counter, DURATION_BOUNDS_SECONDS, Histogram, labels } from '../../monitoring/metrics.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';

/** Every status that an answer has: each route has a slot for each. */
const STATUSES = [
  ...[200, 400, 401, 403, 404, 405, 408, 409, 413, 415],
  ...[422, 426, 429, 500, 501, 502, 503, 504],
];
/** Any other one. */
const OTHER = STATUSES.length;
const SLOTS = STATUSES.length + 1;
/** Status to slot. */
const slotOf = new Uint8Array(600).fill(OTHER);
for (const [slot, status] of STATUSES.entries()) slotOf[status] = slot;

const SLOW_MS = 1000;
/** So many slow ones are told in a second: what is slow for one is often slow for all. */
const MAX_TOLD_PER_SECOND = 5;

/** Requests by route and status. The route is the endpoint's pattern: no id, key or address is in it. */
export class RequestMetrics {
  readonly overloads = new Counter(
    'buttonwood_overload_refusals_total',
    'Requests that take orders and were refused because too much waits.',
  );
  readonly floods = new Counter(
    'buttonwood_flood_refusals_total',
    'Refusals held back because their address had too many in a minute.',
  );
  private readonly names: readonly string[];
  private readonly requests: Counter;
  private readonly durations: Histogram;
  private toldSecond = 0;
  private told = 0;

  /** @param endpoints Their routes have the numbers of their places; the next two are other routes, and pages. */
  constructor(endpoints: readonly Pick<Endpoint, 'method' | 'path'>[]) {
    const routes = [
      ...endpoints.map(({ method, path }) => ({ method, route: path })),
      { method: 'any', route: 'other' },
      { method: 'GET', route: 'web' },
    ];
    this.names = routes.map(({ method, route }) => `${method} ${route}`);
    this.requests = new Counter(
      'buttonwood_requests_total',
      'Requests answered, by route and status.',
      routes.flatMap((route) =>
        [...STATUSES, 'other'].map((status) => labels({ ...route, status: `${status}` })),
      ),
    );
    this.durations = new Histogram(
      'buttonwood_request_duration_seconds',
      'From the headers of a request to its answer, by route.',
      DURATION_BOUNDS_SECONDS,
      routes.map(labels),
    );
  }

  get all() {
    return [this.requests, this.durations, this.overloads, this.floods];
  }

  /**
   * Counts an answer, and gives it back.
   * @param startedAt Of `performance.now()`.
   */
  note(route: number, startedAt: number, response: Response): Response {
    const tookMs = performance.now() - startedAt;
    this.requests.add(route * SLOTS + slotOf[response.status]!);
    this.durations.note(tookMs / 1000, route);
    if (tookMs > SLOW_MS) this.tellSlow(route, tookMs, response);
    return response;
  }

  private tellSlow(route: number, tookMs: number, { status, headers }: Response): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.toldSecond) {
      this.toldSecond = second;
      this.told = 0;
    }
    if (++this.told > MAX_TOLD_PER_SECOND) return;
    const requestId = headers.get('X-Request-Id');
    logger.warn('slow request', {
      requestId,
      route: this.names[route],
      status,
      ms: Math.round(tookMs),
    });
  }
}
