import { type Endpoint, isAvailable } from './endpoints/endpoint.ts';
import { ENDPOINTS } from './endpoints/endpoints.ts';
import { PAGES } from './pages/pages.ts';
import { ASSET_PATH, WEB_PAGES } from './pages/web-pages.ts';
import { STREAM_PATH } from './stream/path.ts';

type Route = Pick<Endpoint, 'method' | 'path'>;

/** Returns every path of the exchange with its methods. */
function listPaths(isSandbox: boolean) {
  const readOnly = [
    STREAM_PATH,
    ASSET_PATH,
    ...PAGES.map(({ path }) => path),
    ...WEB_PAGES.flatMap(({ paths }) => paths),
  ];
  const routes: readonly Route[] = [
    ...readOnly.map((path): Route => ({ method: 'GET', path })),
    ...ENDPOINTS.filter((endpoint) => isAvailable(endpoint, isSandbox)),
  ];
  return [...new Set(routes.map(({ path }) => path))].map((path) => {
    const own = routes.filter((route) => route.path === path);
    const methods = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const pattern = new RegExp(`^${path.replace(/:[^/]+/g, '[^/]+')}$`);
    return { pattern, methods };
  });
}

/** The methods of each path, for requests that match no route. */
export class AllowedMethods {
  private readonly paths: ReturnType<typeof listPaths>;

  constructor(isSandbox: boolean) {
    this.paths = listPaths(isSandbox);
  }

  /** Returns the methods of a path, OPTIONS included; none if there is no such path. */
  find(path: string): readonly string[] {
    // A path can match several patterns: /api/orders/batch is also /api/orders/:id.
    const found = this.paths.filter(({ pattern }) => pattern.test(path));
    if (found.length === 0) return [];
    return [...new Set([...found.flatMap(({ methods }) => methods), 'OPTIONS'])];
  }
}
