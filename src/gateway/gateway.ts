import { RegExpRouter } from 'hono/router/reg-exp-router';
import { tryDecodeURIComponent } from 'hono/utils/url';
import type { Authorization } from './auth/authorization.ts';
import { CustodianAuthorization } from './auth/custodian.ts';
import type { Decision } from './auth/decision.ts';
import { isSigned, readDeadlineHeaders } from './auth/signatures.ts';
import type { Dialect } from './binance/dialect.ts';
import { BINANCE_ENDPOINTS } from './binance/endpoints.ts';
import { BINANCE_PATH } from './binance/path.ts';
import { rejectUnknown, serveRest } from './binance/rest.ts';
import { type Endpoint, hasBody, isAvailable, isPrivate } from './endpoints/endpoint.ts';
import { ENDPOINTS } from './endpoints/endpoints.ts';
import { listRequestNames } from './faults/request-names.ts';
import { type Route, withApiFaults, withBinanceFaults } from './faults/routes.ts';
import { type Call, RequestCall } from './http/request/call.ts';
import type { PeerSource } from './http/request/client-address.ts';
import { checkVersion, NO_UPGRADE, SEVERAL_HOSTS } from './http/request/request-errors.ts';
import { hasSeveralHosts, readPath } from './http/request/request-path.ts';
import { RequestEnds } from './http/request-ends.ts';
import { RequestMetrics } from './http/request-metrics.ts';
import { successBody } from './http/response/envelope.ts';
import { ApiError } from './http/response/errors.ts';
import { ResponseCache } from './http/response/response-cache.ts';
import {
  NO_STORE,
  toErrorResponse,
  toPublicResponse,
  toResponse,
  toSuccessResponse,
} from './http/response/responses.ts';
import { NO_ENDPOINT, WEB_FILES } from './limits/windows.ts';
import { createPages, type Pages, type PathParameters } from './pages/page-routes.ts';
import { statusFeed } from './pages/status-feed.ts';
import { PastCalls } from './past/past-calls.ts';
import { AllowedMethods } from './paths.ts';
import type { SandboxServices, Services } from './services.ts';
import { STREAM_PATH } from './stream/path.ts';

export { AddressList } from './http/request/client-address.ts';

/** Options of the HTTP interface. */
export interface GatewayOptions {
  readonly isSandbox: boolean;
  /** The Binance dialect, if it is served. */
  readonly binance?: Dialect | undefined;
}

/** The routes of the Binance dialect, whose numbers follow those of all others. */
const BINANCE_ROUTES = BINANCE_ENDPOINTS.map(({ method, path }) => ({
  method,
  path: `${BINANCE_PATH}${path}`,
}));
const FIRST_BINANCE_ROUTE = WEB_FILES + 1;

/**
 * The whole HTTP interface as one web-standard handler. It uses Hono's router without its application: nothing here
 * needs the context that Hono creates for each request.
 */
export class Gateway {
  readonly metrics: RequestMetrics;
  private readonly router = new RegExpRouter<Route>();
  private readonly responseCache: ResponseCache;
  private readonly ends = new RequestEnds();
  private readonly custodian: CustodianAuthorization;
  private readonly allowedMethods: AllowedMethods;
  private readonly pages: Pages;
  /** Only in a sandbox. */
  private readonly past: PastCalls | undefined;

  constructor(
    private readonly services: Services,
    private readonly authorization: Authorization,
    private readonly options: GatewayOptions,
  ) {
    const { isSandbox, binance } = options;
    this.custodian = new CustodianAuthorization(services, authorization);
    this.responseCache = binance?.responseCache ?? new ResponseCache();
    this.allowedMethods = new AllowedMethods(isSandbox);
    this.past = isSandbox ? new PastCalls(services, authorization) : undefined;
    const { intake, floods } = authorization.operations;
    this.metrics = new RequestMetrics(ENDPOINTS, BINANCE_ROUTES, [intake.overloads, floods.count]);
    this.addEndpoints(isSandbox);
    const { faults } = services;
    if (faults !== undefined) faults.requestNames = listRequestNames(ENDPOINTS);
    if (binance !== undefined) this.addBinance(binance);
    const pageOptions = { isSandbox, hasBinance: binance !== undefined };
    this.pages = createPages(authorization, pageOptions, (url) => statusFeed(services, url));
    this.addPages();
    // Valid upgrades do not get here: the server handles them.
    this.router.add('GET', STREAM_PATH, (request, peers) =>
      this.withMetrics(request, peers, NO_ENDPOINT, () => this.reject(request, peers, NO_UPGRADE)),
    );
  }

  private addEndpoints(isSandbox: boolean): void {
    ENDPOINTS.forEach((endpoint, index) => {
      if (!isAvailable(endpoint, isSandbox)) return;
      const serve: Route = (request, peers, parameters) =>
        this.serve(request, peers, parameters, endpoint, index);
      this.router.add(endpoint.method, endpoint.path, this.withFaults(serve, endpoint, index));
    });
  }

  private addBinance(dialect: Dialect): void {
    BINANCE_ENDPOINTS.forEach((endpoint, index) => {
      const { method, path } = endpoint;
      const serve: Route = async (request, peers) => {
        const startedAt = performance.now();
        const response = await serveRest(dialect, this.ends, request, peers, endpoint);
        this.metrics.note(FIRST_BINANCE_ROUTE + index, startedAt, response);
        return response.status >= 400 ? this.delayFlood(request, peers, response) : response;
      };
      const { faults } = this.services;
      const route =
        faults === undefined ? serve : withBinanceFaults(faults, dialect, endpoint, serve);
      this.router.add(method, `${BINANCE_PATH}${path}`, route);
    });
  }

  /** Returns a route whose requests have the faults of the sandbox, if this is one. */
  private withFaults(serve: Route, endpoint: Endpoint, index: number): Route {
    const { faults } = this.services;
    if (faults === undefined) return serve;
    const reject = (request: Request, peers: PeerSource, error: ApiError) =>
      this.withMetrics(request, peers, index, () => this.reject(request, peers, error));
    return withApiFaults(this.services, faults, endpoint, serve, reject);
  }

  private addPages(): void {
    for (const { path, window, serve } of this.pages.routes) {
      this.router.add('GET', path, (request, peers, parameters) =>
        this.withMetrics(request, peers, window, () => serve(request, peers, parameters)),
      );
    }
  }

  fetch(request: Request, peers: PeerSource): Response | Promise<Response> {
    const { sandbox } = this.services;
    if (sandbox === undefined || sandbox.control.mode !== 'stepped') {
      return this.route(request, peers);
    }
    return this.fetchStepped(sandbox.control, request, peers);
  }

  /** Moves a stepped clock, except for requests that control it. */
  private async fetchStepped(
    control: SandboxServices['control'],
    request: Request,
    peers: PeerSource,
  ): Promise<Response> {
    if (!readPath(request).startsWith(SANDBOX_PATH)) await control.beforeRequest();
    return this.route(request, peers);
  }

  private route(request: Request, peers: PeerSource): Response | Promise<Response> {
    if (hasSeveralHosts(request)) {
      return this.withMetrics(request, peers, NO_ENDPOINT, () =>
        this.reject(request, peers, SEVERAL_HOSTS),
      );
    }
    const path = readPath(request);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const [matches, values] = this.router.match(method, path);
    const match = matches[0];
    if (match === undefined || this.isTakenByFixedPath(match[1] as Places, path)) {
      return this.withMetrics(request, peers, NO_ENDPOINT, () =>
        this.serveNoRoute(request, peers, path),
      );
    }
    const [route, places] = match;
    return route(request, peers, parametersAt(places as Places, values as string[]));
  }

  /** Returns whether a route with parameters matches a fixed path, which only has methods of its own. */
  private isTakenByFixedPath(places: Places, path: string): boolean {
    for (const _ in places) return this.allowedMethods.isFixed(path);
    return false;
  }

  /** Serves a request to an endpoint. */
  private async serve(
    request: Request,
    peers: PeerSource,
    parameters: PathParameters,
    endpoint: Endpoint,
    index: number,
  ): Promise<Response> {
    const { metrics } = this;
    const startedAt = performance.now();
    const deciding =
      endpoint.access === 'public'
        ? this.authorization.authorizePublic(request, peers, index)
        : endpoint.access === 'custodian'
          ? this.custodian.authorize(request, peers, index, () =>
              this.ends.read(request, peers, true),
            )
          : isSigned(request.headers)
            ? this.authorizeSigned(request, peers, index, endpoint)
            : this.authorization.authorizePrivate(request, peers, index, endpoint.access);
    // Awaiting a value that is there already would cost a turn of the microtask queue.
    const decision = deciding instanceof Promise ? await deciding : deciding;
    if (decision.error !== undefined) {
      const rejection = toErrorResponse(request, decision.error, decision);
      return this.noteRejection(request, peers, index, startedAt, rejection);
    }
    // Checked before the response cache, whose data is as old as the rest.
    if (endpoint.showsMarkets && this.services.replica.isStale) {
      return metrics.note(index, startedAt, toErrorResponse(request, STALE, decision));
    }
    try {
      if (endpoint.isLong) peers.timeout?.(request, 0);
      const bytes = await this.receive(request, peers, endpoint, decision);
      const call = this.createCall(request, peers, parameters, endpoint, index, decision, bytes);
      const past = this.past?.handle(request, peers, endpoint, decision, call);
      const data = await (past ?? this.handleCached(call, request.url, endpoint, index));
      const made = isPrivate(endpoint)
        ? toSuccessResponse(request, data, call, decision, NO_STORE)
        : toPublicResponse(request, data, call, decision);
      return metrics.note(index, startedAt, made instanceof Promise ? await made : made);
    } catch (error) {
      return metrics.note(index, startedAt, toErrorResponse(request, error, decision));
    }
  }

  /** Authorizes a request by its signature, which covers the body: that is read first. */
  private async authorizeSigned(
    request: Request,
    peers: PeerSource,
    index: number,
    endpoint: Endpoint,
  ): Promise<Decision> {
    const { authorization } = this;
    const signed = authorization.readSigned(request, peers, index);
    if ('rateLimit' in signed) return signed;
    try {
      const body =
        endpoint.method === 'GET'
          ? undefined
          : await this.ends.read(request, peers, hasBody(endpoint));
      if (body instanceof ApiError) throw body;
      return authorization.authorizeSigned(request, peers, index, endpoint.access, signed, body);
    } catch (error) {
      return authorization.rejectByAddress(request, peers, index, error);
    }
  }

  /**
   * Receives the rest of an authorized request: its body, if it has one. Repeats the checks whose result may have changed in the meantime.
   * @throws ApiError
   */
  private async receive(
    request: Request,
    peers: PeerSource,
    endpoint: Endpoint,
    { caller, address, signed, custodian }: Decision,
  ): Promise<Uint8Array | ApiError | undefined> {
    // Before the body is read, because under overload there is time for nothing but cheap rejections.
    const rejecting = this.authorization.operations.intake.check(endpoint);
    if (rejecting !== undefined) await rejecting;
    checkVersion(request);
    if (custodian !== undefined) return custodian.body;
    const takesBody = hasBody(endpoint);
    const isRead = endpoint.method === 'GET' || signed !== undefined;
    const bytes = isRead ? signed?.body : await this.ends.read(request, peers, takesBody);
    // Again, because requests that were read in the same turn may have filled the queue.
    const rejectingLate = this.authorization.operations.intake.check(endpoint);
    if (rejectingLate !== undefined) await rejectingLate;
    if (caller === undefined) return bytes;
    // A private read sees everything that any node has acknowledged before it, including a revocation of its key.
    const current = takesBody ? undefined : this.services.replica.whenCurrent();
    if (current !== undefined) await current;
    if (bytes !== undefined || current !== undefined) {
      const checking = this.authorization.recheck(request, caller, endpoint.access, peers, address);
      const error = checking instanceof Promise ? await checking : checking;
      if (error !== undefined) throw error;
    }
    // Last, so that a request which is rejected before can be repeated.
    if (signed !== undefined && endpoint.method !== 'GET') {
      await this.authorization.useSignature(signed.request);
    }
    return bytes;
  }

  private createCall(
    request: Request,
    peers: PeerSource,
    parameters: PathParameters,
    endpoint: Endpoint,
    index: number,
    decision: Decision,
    bytes: Uint8Array | ApiError | undefined,
  ): Call {
    const call = new RequestCall(request, this.services, parameters, bytes);
    if (decision.caller !== undefined) call.caller = decision.caller;
    call.custodianKey = decision.custodian?.keyNumber ?? 0;
    const { faults } = this.services;
    if (faults !== undefined) call.skewMs = faults.skews.get(request) ?? 0;
    if (endpoint.takesOrders) {
      call.deadline = readDeadlineHeaders(request.headers, this.services.now(), call.skewMs);
    }
    if (endpoint.countsOrders) {
      call.countFurther = (orders) => this.authorization.countFurther(decision, index, orders);
    }
    const { key } = call;
    if (endpoint.access === 'key' && key !== undefined) {
      call.listLimits = () => this.authorization.listLimits(key);
    }
    if (endpoint.isUserEndpoint)
      call.requestOrigin = this.authorization.readRequestOrigin(request, peers);
    return call;
  }

  /** Measures a request that is not to an endpoint; `serve` measures those to endpoints itself. */
  private async withMetrics(
    request: Request,
    peers: PeerSource,
    route: number,
    serve: () => Response | Promise<Response>,
  ): Promise<Response> {
    const startedAt = performance.now();
    const response = await serve();
    return response.status >= 400
      ? this.noteRejection(request, peers, route, startedAt, response)
      : this.metrics.note(route, startedAt, response);
  }

  /** Measures a rejection without the time for which it is delayed. */
  private async noteRejection(
    request: Request,
    peers: PeerSource,
    route: number,
    startedAt: number,
    rejection: Response,
  ): Promise<Response> {
    this.metrics.note(route, startedAt, rejection);
    return this.delayFlood(request, peers, rejection);
  }

  /** Resolves to a rejection: at once, or after a delay if its address floods the exchange with rejected requests. */
  async delayFlood(request: Request, peers: PeerSource, rejection: Response): Promise<Response> {
    const delay = this.authorization.paceRejection(request, peers);
    if (delay !== undefined) await delay;
    return rejection;
  }

  /** Handles a call, or returns the cached response if the endpoint's data has not changed. */
  private handleCached(
    call: Call,
    url: string,
    endpoint: Endpoint,
    index: number,
  ): string | Promise<string> {
    const { handle, version } = endpoint;
    if (version === undefined) return handle(call);
    const owner = endpoint.access === 'public' ? '' : call.account.index;
    const key = `${index} ${owner} ${url.slice(url.indexOf('?') + 1 || url.length)}`;
    return this.responseCache.get(key, version(call), () => handle(call));
  }

  private reject(request: Request, peers: PeerSource, error: ApiError): Response {
    const decision = this.authorization.authorizePublic(request, peers, NO_ENDPOINT);
    return toErrorResponse(request, decision.error ?? error, decision);
  }

  /** Serves a request that matches no route, by its path or by its method; it is counted by its address. */
  private serveNoRoute(
    request: Request,
    peers: PeerSource,
    path: string,
  ): Response | Promise<Response> {
    const { binance } = this.options;
    if (binance !== undefined && path.startsWith(`${BINANCE_PATH}/`)) {
      return rejectUnknown(binance, request, peers);
    }
    const decision = this.authorization.authorizePublic(request, peers, NO_ENDPOINT);
    if (decision.error !== undefined) return toErrorResponse(request, decision.error, decision);
    const methods = this.allowedMethods.find(path);
    if (methods.length === 0) return this.pages.notFound(request, decision);
    const headers = { Allow: methods.join(', ') };
    if (request.method !== 'OPTIONS') {
      return toErrorResponse(request, new ApiError('METHOD_NOT_ALLOWED'), decision, headers);
    }
    const body = successBody(`{"methods":${JSON.stringify(methods)}}`);
    return toResponse(request, 200, body, decision, headers);
  }
}

const SANDBOX_PATH = '/api/sandbox/';
const STALE = new ApiError('STALE');
/** The positions of a path's parameters in the router's values, by name. */
type Places = Readonly<Record<string, number>>;

const NO_PARAMETERS: PathParameters = {};

function parametersAt(places: Places, values: readonly string[]): PathParameters {
  if (values.length === 0) return NO_PARAMETERS;
  const parameters: Record<string, string> = {};
  for (const name in places) parameters[name] = tryDecodeURIComponent(values[places[name]!]!);
  return parameters;
}
