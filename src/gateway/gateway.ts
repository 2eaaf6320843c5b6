import { RegExpRouter } from 'hono/router/reg-exp-router';
import { getPath, tryDecodeURIComponent } from 'hono/utils/url';
import type { Authorization, PeerSource } from './auth/authorization.ts';
import { type Endpoint, exists, isPrivate } from './endpoints/endpoint.ts';
import { ENDPOINTS } from './endpoints/endpoints.ts';
import { Call } from './http/call.ts';
import { successBody } from './http/envelope.ts';
import { ApiError } from './http/errors.ts';
import { once } from './http/once.ts';
import { RequestEnds } from './http/request-ends.ts';
import { RequestMetrics } from './http/request-metrics.ts';
import { ResponseCache } from './http/response-cache.ts';
import { answer, answerError, NO_STORE } from './http/responses.ts';
import { DelayedRejections, FloodRejections } from './limits/delayed-rejections.ts';
import { NO_ENDPOINT, WEB_FILES } from './limits/windows.ts';
import { PAGES, type Page } from './pages/pages.ts';
import { type Served, Site } from './pages/site.ts';
import { WEB_PAGES } from './pages/web-pages.ts';
import type { Services } from './services.ts';
import { STREAM_PATH } from './stream/path.ts';

const SLASH = 0x2f;
const ASSET_PATH = '/assets/:name';

/** What serves a path that exists; a request's parameters are those in the path, by name. */
type Route = (
  request: Request,
  peers: PeerSource,
  parameters: Parameters,
) => Response | Promise<Response>;
type Parameters = Readonly<Record<string, string>>;

/**
 * The whole HTTP interface as one web-standard handler. Of Hono it takes the router alone: nothing
 * here would use the context that Hono makes for each request.
 */
export class Gateway {
  readonly metrics = new RequestMetrics(ENDPOINTS);
  private readonly router = new RegExpRouter<Route>();
  private readonly answers = new ResponseCache();
  private readonly refusals = new DelayedRejections();
  private readonly floods = new FloodRejections();
  private readonly ends = new RequestEnds();
  private readonly site: Site;
  private readonly paths: ReturnType<typeof pathsOf>;

  constructor(
    private readonly services: Services,
    private readonly authorization: Authorization,
    isSandbox: boolean,
  ) {
    this.site = new Site(isSandbox);
    this.paths = pathsOf(isSandbox);
    ENDPOINTS.forEach((endpoint, index) => {
      if (!exists(endpoint, isSandbox)) return;
      this.router.add(endpoint.method, endpoint.path, (request, peers, parameters) =>
        this.serve(request, peers, parameters, endpoint, index),
      );
    });
    // An upgrade that is one does not come here.
    this.router.add('GET', STREAM_PATH, (request, peers) =>
      this.counted(request, peers, NO_ENDPOINT, () => this.refuse(request, peers, NO_UPGRADE)),
    );
    for (const page of PAGES) {
      // Who does not read it costs no copy of a Blob, but one of a string.
      const content = once(async () => new Blob([await page.content(isSandbox)]));
      this.router.add('GET', page.path, (request, peers) =>
        this.counted(request, peers, NO_ENDPOINT, () =>
          this.servePage(request, peers, page, content),
        ),
      );
    }
    for (const page of WEB_PAGES) {
      for (const path of page.paths) {
        this.router.add('GET', path, (request, peers) =>
          this.counted(request, peers, WEB_FILES, () =>
            this.serveWeb(request, peers, () => this.site.page(page, acceptedBy(request))),
          ),
        );
      }
    }
    this.router.add('GET', ASSET_PATH, (request, peers, { name }) =>
      this.counted(request, peers, WEB_FILES, () =>
        this.serveWeb(request, peers, () => this.site.asset(name!, acceptedBy(request))),
      ),
    );
  }

  fetch(request: Request, peers: PeerSource): Response | Promise<Response> {
    if (hasSeveralHosts(request)) {
      return this.counted(request, peers, NO_ENDPOINT, () =>
        this.refuse(request, peers, SEVERAL_HOSTS),
      );
    }
    const path = pathOf(request);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const [matches, values] = this.router.match(method, path);
    const match = matches[0];
    if (match === undefined) {
      return this.counted(request, peers, NO_ENDPOINT, () =>
        this.serveNoRoute(request, peers, path),
      );
    }
    const [route, places] = match;
    return route(request, peers, parametersAt(places as Places, values as string[]));
  }

  /** One request to an endpoint, from its credentials to its answer. */
  private async serve(
    request: Request,
    peers: PeerSource,
    parameters: Parameters,
    endpoint: Endpoint,
    index: number,
  ): Promise<Response> {
    const { metrics } = this;
    const startedAt = performance.now();
    const authorization =
      endpoint.access === 'public'
        ? this.authorization.authorizePublic(request, peers, index)
        : this.authorization.authorizePrivate(request, peers, index, endpoint.access);
    // Waiting for what is there costs a turn of the event loop's queue: only a session's look-up waits.
    const authorized = authorization instanceof Promise ? await authorization : authorization;
    if (authorized.error !== undefined) {
      const refusal = answerError(request, authorized.error, authorized);
      return this.noteRefusal(request, peers, index, startedAt, refusal);
    }
    // Checked before the cache of answers: what it holds is as old as the rest.
    if (endpoint.showsMarkets && this.services.replica.isStale) {
      return metrics.note(index, startedAt, answerError(request, STALE, authorized));
    }
    try {
      // Before the body is looked at: a refusal must cost little, or refusing is all there is time for.
      const refused = this.refuseOrders(endpoint);
      if (refused !== undefined) await refused;
      checkVersion(request);
      const { caller } = authorized;
      const bytes =
        endpoint.method === 'GET'
          ? undefined
          : await this.ends.readWhole(request, peers, hasBody(endpoint));
      // Requests that were read in the same turn may have filled the queue in the meantime.
      const refusedLate = this.refuseOrders(endpoint);
      if (refusedLate !== undefined) await refusedLate;
      // What another node has acknowledged is seen by every private read that comes after it, and no longer by
      // a key that was revoked there.
      const current =
        caller === undefined || hasBody(endpoint) ? undefined : this.services.replica.whenCurrent();
      if (current !== undefined) await current;
      if ((bytes !== undefined || current !== undefined) && caller !== undefined) {
        const since = this.authorization.refusalSince(request, caller, endpoint.access);
        const refusal = since instanceof Promise ? await since : since;
        if (refusal !== undefined) throw refusal;
      }
      const call = new Call(request, this.services, parameters, bytes);
      if (caller !== undefined) call.caller = caller;
      if (endpoint.countsOrders) {
        call.countFurther = (orders) => this.authorization.countFurther(authorized, index, orders);
      }
      if (endpoint.ofUsers) call.visit = this.authorization.visitOf(request, peers);
      const data = await this.dataOf(call, endpoint, index);
      const headers = isPrivate(endpoint) ? NO_STORE : undefined;
      const response = answer(request, 200, successBody(data), authorized, headers);
      if (call.cookies !== undefined) {
        for (const cookie of call.cookies) response.headers.append('Set-Cookie', cookie);
      }
      return metrics.note(index, startedAt, response);
    } catch (error) {
      return metrics.note(index, startedAt, answerError(request, error, authorized));
    }
  }

  /** Refuses new orders, after a while, if none are taken now. @throws ApiError OVERLOADED */
  private refuseOrders({ takesOrders }: Endpoint): Promise<never> | undefined {
    const refusal = takesOrders ? refusalOfOrders(this.services) : undefined;
    return refusal === undefined ? undefined : this.refuseLater(refusal);
  }

  private async refuseLater(refusal: ApiError): Promise<never> {
    this.metrics.overloads.add();
    await this.refusals.hold();
    throw refusal;
  }

  /** For what is no endpoint: those count themselves, which costs them nothing. */
  private async counted(
    request: Request,
    peers: PeerSource,
    route: number,
    serve: () => Response | Promise<Response>,
  ): Promise<Response> {
    const startedAt = performance.now();
    const response = await serve();
    return response.status >= 400
      ? this.noteRefusal(request, peers, route, startedAt, response)
      : this.metrics.note(route, startedAt, response);
  }

  /** Counts a refusal like any answer, without the time that it is held. */
  private async noteRefusal(
    request: Request,
    peers: PeerSource,
    route: number,
    startedAt: number,
    refusal: Response,
  ): Promise<Response> {
    this.metrics.note(route, startedAt, refusal);
    return this.paced(request, peers, refusal);
  }

  /** Gives a refusal back: at once, or after a while if its address floods the exchange with refused requests. */
  async paced(request: Request, peers: PeerSource, refusal: Response): Promise<Response> {
    if (!this.authorization.isFlooding(request, peers)) return refusal;
    this.metrics.floods.add();
    await this.floods.hold();
    return refusal;
  }

  private dataOf(call: Call, endpoint: Endpoint, index: number): string | Promise<string> {
    const { handle, version } = endpoint;
    if (version === undefined) return handle(call);
    const { url } = call.request;
    const asker = endpoint.access === 'public' ? '' : call.account.index;
    const question = `${index} ${asker} ${url.slice(url.indexOf('?') + 1 || url.length)}`;
    return this.answers.get(question, version(call), () => handle(call));
  }

  /** A page, counted as what leads to no endpoint. */
  private async servePage(
    request: Request,
    peers: PeerSource,
    { headers }: Page,
    content: () => Promise<Blob>,
  ): Promise<Response> {
    const authorized = this.authorization.authorizePublic(request, peers, NO_ENDPOINT);
    if (authorized.error !== undefined) return answerError(request, authorized.error, authorized);
    try {
      return answer(request, 200, await content(), authorized, headers);
    } catch (error) {
      return answerError(request, error, authorized);
    }
  }

  private refuse(request: Request, peers: PeerSource, reason: ApiError): Response {
    const authorized = this.authorization.authorizePublic(request, peers, NO_ENDPOINT);
    return answerError(request, authorized.error ?? reason, authorized);
  }

  /** A page of web/ or a file of one, counted apart: a reload takes several. */
  private async serveWeb(
    request: Request,
    peers: PeerSource,
    content: () => Promise<Served | undefined>,
  ): Promise<Response> {
    const authorized = this.authorization.authorizePublic(request, peers, WEB_FILES);
    if (authorized.error !== undefined) return answerError(request, authorized.error, authorized);
    try {
      const served = await content();
      if (served === undefined) throw new ApiError('NOT_FOUND');
      return answer(request, 200, served.body, authorized, served.headers);
    } catch (error) {
      return answerError(request, error, authorized);
    }
  }

  /** What matches no endpoint, by its path or by its method; counted by its address. */
  private serveNoRoute(request: Request, peers: PeerSource, path: string): Response {
    const authorized = this.authorization.authorizePublic(request, peers, NO_ENDPOINT);
    if (authorized.error !== undefined) return answerError(request, authorized.error, authorized);
    // A word in a path may be a parameter of another.
    const found = this.paths.filter(({ pattern }) => pattern.test(path));
    const methods = [...new Set([...found.flatMap((each) => each.methods), 'OPTIONS'])];
    if (found.length === 0) return answerError(request, new ApiError('NOT_FOUND'), authorized);
    const headers = { Allow: methods.join(', ') };
    if (request.method !== 'OPTIONS') {
      return answerError(request, new ApiError('METHOD_NOT_ALLOWED'), authorized, headers);
    }
    const body = successBody(`{"methods":${JSON.stringify(methods)}}`);
    return answer(request, 200, body, authorized, headers);
  }
}

const OVERLOADED = new ApiError('OVERLOADED');
const STALE = new ApiError('STALE');
const SEVERAL_HOSTS = new ApiError('INVALID_REQUEST', 'Send exactly one Host header.', {
  field: 'Host',
  rule: 'one',
});
const DISK_FULL = new ApiError(
  'OVERLOADED',
  'The exchange has no room to store new orders until its operator makes some. Cancels and reads work.',
);

/** Why new orders are refused now, so that what was accepted is served; undefined while they are taken. */
function refusalOfOrders({ replica, disk }: Services): ApiError | undefined {
  if (disk?.isFull) return DISK_FULL;
  return replica.isOverloaded ? OVERLOADED : undefined;
}

const NO_UPGRADE = new ApiError(
  'INVALID_REQUEST',
  'Open a WebSocket here: send Upgrade: websocket and what belongs to it.',
  { field: 'Upgrade', rule: 'websocket' },
);

/** Where the router put each parameter of a path. */
type Places = Readonly<Record<string, number>>;

const NO_PARAMETERS: Parameters = {};

function parametersAt(places: Places, values: readonly string[]): Parameters {
  if (values.length === 0) return NO_PARAMETERS;
  const parameters: Record<string, string> = {};
  for (const name in places) parameters[name] = tryDecodeURIComponent(values[places[name]!]!);
  return parameters;
}

/** On GET and DELETE a body is ignored (API section 1). */
function hasBody({ method }: Endpoint): boolean {
  return method === 'POST' || method === 'PATCH';
}

function checkVersion(request: Request): void {
  const version = request.headers.get('x-api-version');
  if (version === null || version === '1' || version === 'v1') return;
  throw new ApiError('UNSUPPORTED_VERSION', undefined, { field: 'X-API-Version', rule: '1' });
}

/** Whether a request has several Host headers: they arrive joined by commas. */
export function hasSeveralHosts({ headers }: Request): boolean {
  return headers.get('host')?.includes(',') === true;
}

function acceptedBy(request: Request): string | null {
  return request.headers.get('accept-encoding');
}

/** Repeated slashes count as one: a base address may end in a slash. */
export function pathOf(request: Request): string {
  // Without a sound Host header, which HTTP/1.0 does not ask for, the URL is the path alone.
  const isWhole = request.url.charCodeAt(0) !== SLASH;
  const path = getPath(isWhole ? request : ({ url: `http://-${request.url}` } as Request));
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
}

/** Every path that there is, and the methods that it takes. */
function pathsOf(isSandbox: boolean) {
  const routes: readonly Pick<Endpoint, 'method' | 'path'>[] = [
    ...[
      STREAM_PATH,
      ASSET_PATH,
      ...PAGES.map(({ path }) => path),
      ...WEB_PAGES.flatMap(({ paths }) => paths),
    ].map((path) => ({ method: 'GET', path }) as const),
    ...ENDPOINTS.filter((endpoint) => exists(endpoint, isSandbox)),
  ];
  return [...new Set(routes.map(({ path }) => path))].map((path) => {
    const own = routes.filter((route) => route.path === path);
    const methods = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const pattern = new RegExp(`^${path.replace(/:[^/]+/g, '[^/]+')}$`);
    return { pattern, methods };
  });
}
