import { once } from '../http/once.ts';
import { bundle, type Entry } from './bundle.ts';
import { Encodings, type Served } from './encodings.ts';
import { ICON } from './icon.ts';
import { offlinePage } from './offline-page.ts';
import { headTags } from './page-head.ts';
import { type PageOptions, WEB_PAGES, type WebPage } from './web-pages.ts';

/** The script that sets the theme before the first paint. It is a file, because the policy allows no inline scripts. */
const THEME = 'theme';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const WORKER = 'service-worker';
const OFFLINE = 'offline';

const COMMON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};
const PAGE_HEADERS = {
  ...COMMON_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-cache',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Browsers ignore this header unless it arrives over TLS (RFC 6797, 8.1).
  'Strict-Transport-Security': 'max-age=31536000',
};
const CACHE_PERMANENTLY = 'public, max-age=31536000, immutable';

/** The pages of web/ and their files, bundled at the first request for one of them. */
export class Site {
  private readonly bundle = once(() =>
    bundle([
      `${THEME}.ts`,
      `${OFFLINE}.ts`,
      `${WORKER}.ts`,
      ...WEB_PAGES.map(({ entry }) => `pages/${entry}.tsx`),
    ]),
  );
  /** The page without a network, which reads the texts of all languages. */
  private readonly offlineText = once(async () => {
    const { entries } = await this.bundle();
    const { script, style } = entries.get(OFFLINE)!;
    return offlinePage({ theme: entries.get(THEME)!.script, script, style: style! });
  });
  private readonly encodings = new Map<string, Encodings>();

  /** @param options Passed to the pages. */
  constructor(private readonly options: PageOptions) {}

  /** Returns a page. @param accepted The request's Accept-Encoding. */
  async page(page: WebPage, accepted: string | null): Promise<Served> {
    const { entries } = await this.bundle();
    const html = pageText(page, entries.get(page.entry)!, entries.get(THEME)!, this.options);
    return this.serve(`page ${page.entry}`, Buffer.from(html), PAGE_HEADERS, accepted);
  }

  /** Returns a file, undefined if there is none with the name. @param accepted The request's Accept-Encoding. */
  async asset(name: string, accepted: string | null): Promise<Served | undefined> {
    const asset = (await this.bundle()).assets.get(name);
    if (asset === undefined) return undefined;
    const headers = {
      ...COMMON_HEADERS,
      'Content-Type': asset.type,
      'Cache-Control': CACHE_PERMANENTLY,
    };
    return this.serve(name, asset.content, headers, accepted);
  }

  /** Returns the page for times without a network. @param accepted The request's Accept-Encoding. */
  async offline(accepted: string | null): Promise<Served> {
    return this.serve(OFFLINE, Buffer.from(await this.offlineText()), PAGE_HEADERS, accepted);
  }

  /**
   * Returns the service worker. Browsers compare its bytes to find a new version, so it names the version of the page
   * that it keeps. @param accepted The request's Accept-Encoding.
   */
  async worker(accepted: string | null): Promise<Served> {
    const { assets, entries } = await this.bundle();
    const { content } = assets.get(entries.get(WORKER)!.script)!;
    const version = Buffer.from(`// ${Bun.hash(await this.offlineText()).toString(36)}\n`);
    const headers = {
      ...COMMON_HEADERS,
      'Content-Type': 'text/javascript; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
      'Cache-Control': 'no-cache',
    };
    return this.serve(WORKER, Buffer.concat([version, content]), headers, accepted);
  }

  private async serve(
    name: string,
    content: Uint8Array,
    headers: Served['headers'],
    accepted: string | null,
  ): Promise<Served> {
    const isCompressed = headers['Content-Type'] === 'font/woff2';
    const encodings = this.encodings.get(name) ?? new Encodings(content, isCompressed);
    this.encodings.set(name, encodings);
    return encodings.serve(headers, accepted);
  }
}

function pageText(
  page: WebPage,
  { script, style }: Entry,
  theme: Entry,
  options: PageOptions,
): string {
  const { isSandbox, hasBinance } = options;
  const sheet = style === undefined ? '' : `<link rel="stylesheet" href="/assets/${style}">\n`;
  const preloads = (page.data ?? []).map(
    (path) => `<link rel="preload" as="fetch" crossorigin href="${path}">\n`,
  );
  return `<!doctype html>
<html lang="en"${isSandbox ? ' data-sandbox' : ''}${hasBinance ? ' data-binance' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Buttonwood</title>
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0b0d12">
<link rel="icon" href="${ICON}">
<link rel="apple-touch-icon" href="/icon-192.png">
<link rel="manifest" href="/manifest.webmanifest">
<script src="/assets/${theme.script}"></script>
${sheet}<script type="module" src="/assets/${script}"></script>
${preloads.join('')}${headTags(page, options)}
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. You can do the same through the API: <a href="/docs">API documentation</a></noscript>
</body>
</html>
`;
}
