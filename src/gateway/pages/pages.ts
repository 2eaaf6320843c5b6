import { openApiDocument } from '../openapi/openapi.ts';
import { WELCOME_STYLE, welcomePage } from './welcome.ts';

/** What there is beside the API: pages for people, and the description of the API for programs. */
export interface Page {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Made when it is first asked for. */
  readonly content: (isSandbox: boolean) => Promise<string>;
}

const HTML = {
  'Content-Type': 'text/html; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** No script, no frame around it, and no style but its own. */
const WELCOME_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${Bun.SHA256.hash(WELCOME_STYLE, 'base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Nothing from elsewhere, no frame around it. The page may call this exchange, as a key may from
 * here in the sandbox; its style sheets are written by the script.
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
    path: '/',
    headers: { ...HTML, 'Content-Security-Policy': WELCOME_POLICY },
    content: async (isSandbox) => welcomePage(isSandbox),
  },
  {
    path: '/openapi.json',
    headers: { 'Content-Type': 'application/json' },
    content: async (isSandbox) => JSON.stringify(openApiDocument(isSandbox)),
  },
  {
    path: '/docs',
    headers: { ...HTML, 'Content-Security-Policy': DOCS_POLICY },
    content: async () => DOCS_PAGE,
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

/** The script as its package ships it, for the browser, whole. */
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

const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Buttonwood API</title>
<link rel="icon" href="data:,">
</head>
<body>
<script id="api-reference" data-url="openapi.json" data-configuration='${JSON.stringify(SETTINGS)}'></script>
<script src="docs/scalar.js"></script>
</body>
</html>
`;
