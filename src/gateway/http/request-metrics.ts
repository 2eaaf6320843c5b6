import * as logger from '../../monitoring/logger.ts';
import { Counter, DURATION_BOUNDS_SECONDS, Histogram, labels } from '../../monitoring/metrics.ts';
import { type Latencies, RequestLatencies } from '../activity/latencies.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';

/** The statuses of responses; each route has a counter for each. */
const STATUSES = [
  200, 400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 426, 429, 500, 501, 502, 503, 504,
];
/** The values of the label `status`, one for each slot; the last one is for all other statuses. */
export const STATUS_LABELS: readonly string[] = [...STATUSES.map(String), 'other'];
const SLOTS = STATUS_LABELS.length;
/** The slot of each status. */
const slotByStatus = new Uint8Array(600).fill(STATUSES.length);
for (const [slot, status] of STATUSES.entries()) slotByStatus[status] = slot;

/** Returns the position of a status, from 100 to 599, in STATUS_LABELS. */
export function statusSlot(status: number): number {
  return slotByStatus[status]!;
}

const SLOW_MS = 1000;
/** Maximum slow requests logged per second, because they often come in bursts. */
const MAX_LOGGED_PER_SECOND = 5;

/** Requests by route and status. A route is an endpoint's path pattern, so it contains no ids, keys or addresses. */
export class RequestMetrics {
  private readonly names: readonly string[];
  private readonly requests: Counter;
  /** A slot for each route. */
  readonly durations: Histogram;
  /** The same times for the dashboard of operators, in finer buckets. */
  readonly latencies = new RequestLatencies();
  /** The part of `latencies` of each route; undefined for pages and unknown paths. */
  private readonly routeLatencies: readonly (Latencies | undefined)[];
  private loggedSecond = 0;
  private logged = 0;

  /**
   * @param endpoints Routes in the order of their numbers; the next two numbers are for other routes and web pages.
   * @param further Routes whose numbers follow.
   */
  constructor(
    endpoints: readonly Pick<Endpoint, 'method' | 'path'>[],
    further: readonly { readonly method: string; readonly path: string }[],
    private readonly others: readonly Counter[],
  ) {
    const routes = [
      ...endpoints.map(({ method, path }) => ({ method, route: path })),
      { method: 'any', route: 'other' },
      { method: 'GET', route: 'web' },
      ...further.map(({ method, path }) => ({ method, route: path })),
    ];
    this.routeLatencies = routes.map(({ method, route }) =>
      route.startsWith('/')
        ? this.latencies[isOrderRoute(method, route) ? 'orders' : 'others']
        : undefined,
    );
    this.names = routes.map(({ method, route }) => `${method} ${route}`);
    this.requests = new Counter(
      'buttonwood_requests_total',
      'Requests by route and response status.',
      routes.flatMap((route) => STATUS_LABELS.map((status) => labels({ ...route, status }))),
    );
    this.durations = new Histogram(
      'buttonwood_request_duration_seconds',
      'Time from the headers of a request to its response, by route.',
      DURATION_BOUNDS_SECONDS,
      routes.map(labels),
    );
  }

  get all() {
    return [this.requests, this.durations, ...this.others];
  }

  /**
   * Counts a response and returns it.
   * @param startedAt A value of `performance.now()`.
   */
  note(route: number, startedAt: number, response: Response): Response {
    const tookMs = performance.now() - startedAt;
    this.requests.add(route * SLOTS + statusSlot(response.status));
    this.durations.note(tookMs / 1000, route);
    this.routeLatencies[route]?.note(tookMs);
    if (tookMs > SLOW_MS) this.logSlow(route, tookMs, response);
    return response;
  }

  private logSlow(route: number, tookMs: number, { status, headers }: Response): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.loggedSecond) {
      this.loggedSecond = second;
      this.logged = 0;
    }
    if (++this.logged > MAX_LOGGED_PER_SECOND) return;
    const requestId = headers.get('X-Request-Id');
    logger.warn('slow request', {
      requestId,
      route: this.names[route],
      status,
      ms: Math.round(tookMs),
    });
  }
}

/** Returns whether requests of a route place, amend or cancel orders. */
function isOrderRoute(method: string, route: string): boolean {
  return (
    method !== 'GET' &&
    /\/(api\/orders|order|orderList|openOrders)(\/|$)/.test(route) &&
    !route.includes('test')
  );
}
