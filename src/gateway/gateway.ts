import { type Context, Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { Admission, type AdmissionOptions, type Admitted, NO_ENDPOINT } from './admission.ts';
import { Call, readBytes } from './call.ts';
import { newRequestId, respond, successBody } from './envelope.ts';
import { ApiError, errorBody } from './errors.ts';
import { PAGES, type Page } from './pages.ts';
import { ENDPOINTS, type Endpoint } from './rest/endpoints.ts';
import type { Services } from './services.ts';

/** What the server tells of a request's connection: nothing, where it is gone already. */
export interface PeerSource {
  requestIP(request: Request): { address: string } | null;
}

type Environment = { Bindings: PeerSource };
type GatewayContext = Context<Environment>;

const RETRY_OVERLOADED_SECONDS = 1;
const SLASH = 0x2f;

/** The whole HTTP interface as one web-standard handler. */
export function createGateway(services: Services, options: AdmissionOptions): Hono<Environment> {
  const app = new Hono<Environment>({ getPath: pathOf });
  const gateway = new Gateway(services, new Admission(services, options));
  ENDPOINTS.forEach((endpoint, index) => {
    app.on(endpoint.method, endpoint.path, (context) => gateway.serve(context, endpoint, index));
  });
  for (const page of PAGES) {
    let content: Promise<string> | undefined;
    app.get(page.path, (context) => {
      content ??= page.content(options.isSandbox);
      return gateway.servePage(context, page, content);
    });
  }
  // What matches no endpoint, by path or by method, ends here: one handler a request, because Hono
  // composes a chain, at a cost, where a second one matches.
  app.notFound((context) => {
    const methods = PATHS.find(({ pattern }) => pattern.test(context.req.path))?.methods;
    return methods === undefined
      ? gateway.refuse(context, new ApiError('NOT_FOUND'))
      : gateway.serveOtherMethod(context, methods);
  });
  app.onError((error, context) => gateway.refuse(context, error));
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
    if (admitted.error !== undefined) return answerError(context, admitted.error, admitted);
    try {
      checkVersion(request);
      const bytes = hasBody(endpoint) ? await readBytes(request) : undefined;
      const parameter = (name: string) => context.req.param(name) ?? '';
      const call = new Call(request, this.services, parameter, bytes);
      if (admitted.key !== undefined) {
        call.key = admitted.key;
        call.account = admitted.key.account;
      }
      const data = await endpoint.handle(call);
      return answer(context, 200, successBody(data), admitted);
    } catch (error) {
      return answerError(context, error, admitted);
    }
  }

  /** A page, counted as what leads to no endpoint. */
  async servePage(
    context: GatewayContext,
    { headers }: Page,
    content: Promise<string>,
  ): Promise<Response> {
    const admitted = this.admission.admitPublic(context.req.raw, peerOf(context), NO_ENDPOINT);
    if (admitted.error !== undefined) return answerError(context, admitted.error, admitted);
    return answer(context, 200, await content, admitted, headers);
  }

  /** OPTIONS, and methods that the path does not take. */
  serveOtherMethod(context: GatewayContext, methods: readonly string[]): Response {
    const headers = { Allow: methods.join(', ') };
    if (context.req.method !== 'OPTIONS') {
      return this.refuse(context, new ApiError('METHOD_NOT_ALLOWED'), headers);
    }
    const admitted = this.admission.admitPublic(context.req.raw, peerOf(context), NO_ENDPOINT);
    if (admitted.error !== undefined) return answerError(context, admitted.error, admitted);
    const body = successBody(`{"methods":${JSON.stringify(methods)}}`);
    return answer(context, 200, body, admitted, headers);
  }

  /** A request that leads nowhere, counted by its address. */
  refuse(context: GatewayContext, error: Error, headers?: Headers): Response {
    const admitted = this.admission.admitPublic(context.req.raw, peerOf(context), NO_ENDPOINT);
    return answerError(context, admitted.error ?? error, admitted, headers);
  }
}

type Headers = Readonly<Record<string, string>>;

function answer(
  context: GatewayContext,
  status: number,
  body: string,
  { rateLimit }: Admitted,
  headers?: Headers,
  requestId = newRequestId(),
): Response {
  if (context.req.method !== 'HEAD') return respond(status, body, rateLimit, requestId, headers);
  // Hono drops the body; the length must be that of GET's (RFC 9110, 8.6).
  const length = { 'Content-Length': `${Buffer.byteLength(body)}` };
  return respond(status, body, rateLimit, requestId, { ...headers, ...length });
}

function answerError(
  context: GatewayContext,
  thrown: unknown,
  admitted: Admitted,
  headers: Headers = {},
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
  return answer(context, error.status, errorBody(error), admitted, all, requestId);
}

function retryAfterOf(error: ApiError): number | undefined {
  if (error.code === 'OVERLOADED') return RETRY_OVERLOADED_SECONDS;
  return error.code === 'RATE_LIMIT_EXCEEDED' ? Number(error.details.retryAfter) : undefined;
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

/** Repeated slashes count as one: a base address may end in a slash. */
function pathOf(request: Request): string {
  // Without a sound Host header, which HTTP/1.0 does not ask for, the URL is the path alone.
  const isWhole = request.url.charCodeAt(0) !== SLASH;
  const path = getPath(isWhole ? request : ({ url: `http://-${request.url}` } as Request));
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
}

/** The other end's address; of a connection that is gone, one that no list includes. */
function peerOf(context: GatewayContext): string {
  return context.env.requestIP(context.req.raw)?.address ?? '';
}

/** Every path that there is, and the methods that it takes. */
const ROUTES: readonly Pick<Endpoint, 'method' | 'path'>[] = [
  ...PAGES.map(({ path }) => ({ method: 'GET', path }) as const),
  ...ENDPOINTS,
];
const PATHS = [...new Set(ROUTES.map(({ path }) => path))].map((path) => {
  const own = ROUTES.filter((route) => route.path === path);
  const methods = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const pattern = new RegExp(`^${path.replace(/:[^/]+/g, '[^/]+')}$`);
  return { pattern, methods: [...methods, 'OPTIONS'] };
});
