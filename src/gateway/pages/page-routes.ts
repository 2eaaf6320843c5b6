import type { Authorization } from '../auth/authorization.ts';
import type { Decision } from '../auth/decision.ts';
import { once } from '../http/once.ts';
import type { PeerSource } from '../http/request/client-address.ts';
import { toErrorResponse, toResponse } from '../http/response/responses.ts';
import { NO_ENDPOINT, WEB_FILES } from '../limits/windows.ts';
import { APP_FILES } from './app-files.ts';
import { CRAWLER_FILES } from './crawler-files.ts';
import { Encodings, type Served } from './encodings.ts';
import { toNotFoundResponse } from './not-found.ts';
import { PAGES, type Page } from './pages.ts';
import { Site } from './site.ts';
import { FEED_HEADERS, FEED_PATH } from './status-feed.ts';
import {
  ASSET_PATH,
  isServed,
  NOT_FOUND_PAGE,
  OFFLINE_PATH,
  type PageOptions,
  WEB_PAGES,
  WORKER_PATH,
} from './web-pages.ts';

export type PathParameters = Readonly<Record<string, string>>;

/** Serves GET requests to the path of a page or file. */
export interface PageRoute {
  readonly path: string;
  /** The rate-limit window that requests are counted in. */
  readonly window: number;
  readonly serve: (
    request: Request,
    peers: PeerSource,
    parameters: PathParameters,
  ) => Promise<Response>;
}

/** The routes of all pages and of the files of web/, and the response for a path that has none. */
export interface Pages {
  readonly routes: readonly PageRoute[];
  readonly notFound: (request: Request, decision: Decision) => Promise<Response>;
}

/** @param readFeed Returns the feed of the status page. */
export function createPages(
  authorization: Authorization,
  terms: Omit<PageOptions, 'baseUrl'>,
  readFeed: (baseUrl: string) => Promise<string>,
): Pages {
  const options = { ...terms, baseUrl: authorization.options.baseUrl };
  const site = new Site(options);
  const notFound = (request: Request, decision: Decision) =>
    toNotFoundResponse(request, decision, () =>
      site.page(NOT_FOUND_PAGE, acceptedEncoding(request)),
    ).catch((error: unknown) => toErrorResponse(request, error, decision));
  const route = (
    path: string,
    window: number,
    content: (request: Request, parameters: PathParameters) => Promise<Served | undefined>,
  ): PageRoute => ({
    path,
    window,
    serve: (request, peers, parameters) =>
      serve(request, peers, { authorization, window, notFound }, () =>
        content(request, parameters),
      ),
  });
  const plain = ({ path, headers, content }: Page, window: number) => {
    const encodings = once(async () => new Encodings(Buffer.from(await content(options))));
    return route(path, window, async (request) =>
      (await encodings()).serve(headers, acceptedEncoding(request)),
    );
  };
  const routes = [
    ...PAGES.map((page) => plain(page, NO_ENDPOINT)),
    ...[...APP_FILES, ...CRAWLER_FILES].map((page) => plain(page, WEB_FILES)),
    route(FEED_PATH, WEB_FILES, async () => ({
      body: new Blob([await readFeed(options.baseUrl)]),
      headers: FEED_HEADERS,
    })),
    route(WORKER_PATH, WEB_FILES, (request) => site.worker(acceptedEncoding(request))),
    route(OFFLINE_PATH, WEB_FILES, (request) => site.offline(acceptedEncoding(request))),
    ...WEB_PAGES.filter((page) => isServed(page, options)).flatMap((page) =>
      page.paths.map((path) =>
        route(path, WEB_FILES, (request) => site.page(page, acceptedEncoding(request))),
      ),
    ),
    route(ASSET_PATH, WEB_FILES, (request, { name }) =>
      site.asset(name!, acceptedEncoding(request)),
    ),
  ];
  return { routes, notFound };
}

async function serve(
  request: Request,
  peers: PeerSource,
  {
    authorization,
    window,
    notFound,
  }: Pick<Pages, 'notFound'> &
    Pick<PageRoute, 'window'> & { readonly authorization: Authorization },
  content: () => Promise<Served | undefined>,
): Promise<Response> {
  const decision = authorization.authorizePublic(request, peers, window);
  if (decision.error !== undefined) return toErrorResponse(request, decision.error, decision);
  try {
    const served = await content();
    if (served === undefined) return await notFound(request, decision);
    return toResponse(request, 200, served.body, decision, served.headers);
  } catch (error) {
    return toErrorResponse(request, error, decision);
  }
}

function acceptedEncoding(request: Request): string | null {
  return request.headers.get('accept-encoding');
}
