import { asyncApiDocument } from '../asyncapi/asyncapi.ts';
import { openApiDocument } from '../openapi/openapi.ts';
import type { PageOptions } from './web-pages.ts';

/** A page or file that is not part of web/: the reference that sends requests, the OpenAPI and the AsyncAPI document. */
export interface Page {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Called at the first request. */
  readonly content: (options: PageOptions) => Promise<string | Uint8Array>;
}

const HTML = {
  'Content-Type': 'text/html; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/**
 * Allows no other sites and no framing. The page may call this exchange, which lets users try requests in the sandbox.
 * Its style sheets are inserted by its script.
 */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGES: readonly Page[] = [
  {
    path: '/openapi.json',
    headers: { 'Content-Type': 'application/json' },
    content: async ({ isSandbox }) => JSON.stringify(openApiDocument(isSandbox)),
  },
  {
    path: '/asyncapi.json',
    headers: { 'Content-Type': 'application/json' },
    content: async ({ isSandbox }) => JSON.stringify(asyncApiDocument(isSandbox)),
  },
  {
    path: '/docs/try',
    headers: { ...HTML, 'Content-Security-Policy': DOCS_POLICY },
    content: async () => TRY_PAGE,
  },
  {
    path: '/docs/scalar.js',
    headers: {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=86400',
      'X-Content-Type-Options': 'nosniff',
    },
    content: () => Bun.file(SCRIPT).text(),
  },
];

/** The browser script as its package ships it. */
const SCRIPT = new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'));

const SETTINGS = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: [['apiKey', 'apiSecret']] },
};

/** The reference that sends requests. It is large, so /docs links to it only. */
const TRY_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try requests · Buttonwood</title>
<link rel="icon" href="data:,">
</head>
<body>
<p><a href="/docs">← API documentation</a></p>
<script id="api-reference" data-url="/openapi.json" data-configuration='${JSON.stringify(SETTINGS)}'></script>
<script src="/docs/scalar.js"></script>
</body>
</html>
`;
