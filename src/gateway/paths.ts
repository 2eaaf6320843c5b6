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
    const literal = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const pattern = new RegExp(`^${literal.replace(/:[^/]+/g, '[^/]+')}$`);
    return { path, pattern, methods };
  });
}

/** The methods of each path, for requests that match no route. */
export class AllowedMethods {
  private readonly paths: ReturnType<typeof listPaths>;
  private readonly fixed: ReadonlyMap<string, readonly string[]>;

  constructor(isSandbox: boolean) {
    this.paths = listPaths(isSandbox);
    const fixed = this.paths.filter(({ path }) => !path.includes(':'));
    this.fixed = new Map(fixed.map(({ path, methods }) => [path, methods]));
  }

  /** Returns whether a path is one without parameters, such as /api/orders/batch. */
  isFixed(path: string): boolean {
    return this.fixed.has(path);
  }

  /**
   * Returns the methods of a path, OPTIONS included; none if there is no such path. A fixed path has only its own, although
   * it matches a pattern too: /api/orders/batch is not an order, as in OpenAPI.
   */
  find(path: string): readonly string[] {
    const methods =
      this.fixed.get(path) ?? this.paths.find(({ pattern }) => pattern.test(path))?.methods;
    return methods === undefined ? [] : [...methods, 'OPTIONS'];
  }
}
