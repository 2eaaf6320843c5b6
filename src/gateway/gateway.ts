import { type Context, Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { Admission, type AdmissionOptions, type Admitted, NO_ENDPOINT } from './admission.ts';
import { Call } from './call.ts';
import { newRequestId, respond, successBody } from './envelope.ts';
import { ApiError, errorBody } from './errors.ts';
import { ENDPOINTS, type Endpoint } from './rest/endpoints.ts';
import type { Services } from './services.ts';
import { welcomePage } from './welcome.ts';

/** What the server tells of a request's connection; absent where there is no server (tests). */
export interface PeerSource {
  requestIP(request: Request): { address: string } | null;
}

type Environment = { Bindings: PeerSource };
type GatewayContext = Context<Environment>;

const RETRY_OVERLOADED_SECONDS = 1;

/** The whole HTTP interface as one web-standard handler. */
export function createGateway(services: Services, options: AdmissionOptions): Hono<Environment> {
  const app = new Hono<Environment>({ getPath: pathOf });
  const gateway = new Gateway(services, new Admission(services, options));
  ENDPOINTS.forEach((endpoint, index) => {
    app.on(endpoint.method, endpoint.path, (context) => gateway.serve(context, endpoint, index));
  });
  app.get('/', (context) => context.html(welcomePage(options.isSandbox)));
  // What matches no endpoint, by path or by method, ends here: one handler a request, because Hono
  // composes a chain, at a cost, where a second one matches.
  app.notFound((context) => {
    const methods = PATHS.find(({ pattern }) => pattern.test(context.req.path))?.methods;
    return methods === undefined
      ? gateway.refuse(context, new ApiError('NOT_FOUND'))
      : gateway.serveOtherMethod(context, methods);
  });
  return app;
}

class Gateway {
  constructor(
    private readonly services: Services,
    private readonly admission: Admission,
  ) {}

  /** One request to an endpoint, from its credentials to its answer. */
  async serve(context: GatewayContext, endpoint: Endpoint, index: number): Promise<Response> {
    const request = context.req.raw;
    const admitted =
      endpoint.access === 'public'
        ? this.admission.admitPublic(request, peerOf(context), index)
        : this.admission.admitPrivate(request, () => peerOf(context), index, endpoint.access);
    if (admitted.error !== undefined) return answerError(admitted.error, admitted);
    try {
      checkVersion(request);
      const call = new Call(request, this.services, (name) => context.req.param(name) ?? '');
      if (admitted.key !== undefined) {
        call.key = admitted.key;
        call.account = admitted.key.account;
      }
      const data = await endpoint.handle(call);
      return respond(200, successBody(data), admitted.rateLimit, newRequestId());
    } catch (error) {
      return answerError(error, admitted);
    }
  }

  /** OPTIONS, and methods that the path does not take. */
  serveOtherMethod(context: GatewayContext, methods: readonly string[]): Response {
    const headers = { Allow: methods.join(', ') };
    if (context.req.method !== 'OPTIONS') {
      return this.refuse(context, new ApiError('METHOD_NOT_ALLOWED'), headers);
    }
    const admitted = this.admission.admitPublic(context.req.raw, peerOf(context), NO_ENDPOINT);
    if (admitted.error !== undefined) return answerError(admitted.error, admitted);
    const body = successBody(`{"methods":${JSON.stringify(methods)}}`);
    return respond(200, body, admitted.rateLimit, newRequestId(), headers);
  }

  /** A request that leads nowhere, counted by its address. */
  refuse(context: GatewayContext, error: ApiError, headers?: Record<string, string>): Response {
    const admitted = this.admission.admitPublic(context.req.raw, peerOf(context), NO_ENDPOINT);
    return answerError(admitted.error ?? error, admitted, headers);
  }
}

function answerError(
  thrown: unknown,
  admitted: Admitted,
  headers: Record<string, string> = {},
): Response {
  const requestId = newRequestId();
  let error: ApiError;
  if (thrown instanceof ApiError) error = thrown;
  else {
    // The client gets no more than the request's id; the operator finds the rest under it.
    console.error(`request ${requestId} failed:`, thrown);
    error = new ApiError('INTERNAL_ERROR');
  }
  const retryAfter = retryAfterOf(error);
  const all = retryAfter === undefined ? headers : { ...headers, 'Retry-After': `${retryAfter}` };
  return respond(error.status, errorBody(error), admitted.rateLimit, requestId, all);
}

function retryAfterOf(error: ApiError): number | undefined {
  if (error.code === 'OVERLOADED') return RETRY_OVERLOADED_SECONDS;
  return error.code === 'RATE_LIMIT_EXCEEDED' ? Number(error.details.retryAfter) : undefined;
}

function checkVersion(request: Request): void {
  const version = request.headers.get('x-api-version');
  if (version === null || version === '1' || version === 'v1') return;
  throw new ApiError('UNSUPPORTED_VERSION', undefined, { field: 'X-API-Version', rule: '1' });
}

/** Repeated slashes count as one: a base address may end in a slash. */
function pathOf(request: Request): string {
  const path = getPath(request);
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
}

function peerOf(context: GatewayContext): string {
  return context.env?.requestIP?.(context.req.raw)?.address ?? '127.0.0.1';
}

/** Every path that there is, and the methods that it takes. */
const PATHS = [...new Set(ENDPOINTS.map(({ path }) => path))].map((path) => {
  const own = ENDPOINTS.filter((endpoint) => endpoint.path === path);
  const methods = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const pattern = new RegExp(`^${path.replace(/:[^/]+/g, '[^/]+')}$`);
  return { pattern, methods: [...methods, 'OPTIONS'] };
});
