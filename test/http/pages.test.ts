import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { encodingFor } from '../../src/gateway/pages/encodings.ts';
import { WEB_PAGES } from '../../src/gateway/pages/web-pages.ts';
import { TestExchange } from './exchange.ts';

/** The pages of web/ and their files as served by the gateway. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open({ rateLimits: 'spec' });
});
afterAll(() => exchange.close());

const peers = { requestIP: () => ({ address: '127.0.0.1' }) };
async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const request = new Request(`http://127.0.0.1:3000${path}`, { method, headers });
  const response = await exchange.gateway.fetch(request, peers);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function listAssets(path: string): Promise<string[]> {
  const { bytes } = await get(path);
  return [...bytes.toString().matchAll(/"(\/assets\/[^"]+)"/g)].map(([, name]) => name!);
}

describe('pages', () => {
  test.each(WEB_PAGES.flatMap(({ entry, paths }) => (paths.length > 0 ? [entry] : [])))(
    '%s has a strict policy and its files',
    async (entry) => {
      const path = WEB_PAGES.find((page) => page.entry === entry)!.paths[0]!;
      const { response, bytes } = await get(path);
      expect(response.status).toBe(200);
      const policy = response.headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      // The page itself needs no looser policy.
      expect(bytes.toString()).not.toMatch(/<style|<script>| style=| on\w+=/);
      const assets = await listAssets(path);
      expect(assets.map((name) => name.split('.').at(-1)).sort()).toEqual(['css', 'js', 'js']);
    },
  );

  test('the manifest names icons of the sizes that it says', async () => {
    const { response, bytes } = await get('/manifest.webmanifest');
    expect(response.headers.get('content-type')).toBe('application/manifest+json');
    const { icons, start_url } = JSON.parse(bytes.toString());
    expect((await get(start_url)).response.status).toBe(200);
    for (const { src, sizes, type } of icons) {
      const icon = await get(src);
      expect([src, icon.response.status, icon.response.headers.get('content-type')]).toEqual([
        src,
        200,
        type,
      ]);
      if (type !== 'image/png') continue;
      expect(icon.bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
      expect(`${icon.bytes.readUInt32BE(16)}x${icon.bytes.readUInt32BE(20)}`).toBe(sizes);
    }
  });

  test('search engines find the public pages, and no others', async () => {
    const robots = await get('/robots.txt');
    expect(robots.response.headers.get('content-type')).toStartWith('text/plain');
    const [, sitemap] = /^Sitemap: (http\S+)$/m.exec(robots.bytes.toString())!;
    const { response, bytes } = await get(new URL(sitemap!).pathname);
    expect(response.headers.get('content-type')).toStartWith('application/xml');
    const listed = [...bytes.toString().matchAll(/<loc>(http[^<]+)<\/loc>/g)].map(
      ([, address]) => new URL(address!).pathname,
    );
    expect(listed.slice(0, 2)).toEqual(['/', '/trade']);
    for (const { paths } of WEB_PAGES.filter((page) => page.paths.length > 0)) {
      const html = (await get(paths[0]!)).bytes.toString();
      const isPublic = listed.includes(paths[0]!);
      expect(html.includes('<meta name="robots" content="noindex">')).toBe(!isPublic);
      expect(/<meta property="og:image" content="http[^"]+\/icon-512.png">/.test(html)).toBe(
        isPublic,
      );
      expect(/<meta name="description" content="[^"]{50,200}">/.test(html)).toBe(isPublic);
    }
    expect(listed).not.toContain('/settings');
  });

  test('the service worker is checked for a new version at each visit', async () => {
    const { response, bytes } = await get('/service-worker.js');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('content-type')).toStartWith('text/javascript');
    // A module would have to be registered as one.
    expect(bytes.toString()).not.toMatch(/^(import|export)\b/m);
    expect((await get('/offline')).bytes.toString()).toContain('You are offline');
  });

  test('the page without a network has the policy of all pages, and only files of the exchange', async () => {
    const { response, bytes } = await get('/offline');
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const html = bytes.toString();
    expect(html).not.toMatch(/<style| style=| on\w+=|<script>/);
    const linked = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(linked).toHaveLength(3);
    for (const path of linked) expect((await get(path)).response.status).toBe(200);
  });

  test('files are cached permanently, under names with a content hash, and report the rate limit', async () => {
    for (const name of await listAssets('/trade')) {
      const { response, bytes } = await get(name);
      expect(name).toMatch(/-[a-z0-9]{8}\.(js|css)$/);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('x-ratelimit-limit')).toBe('1200');
      const brotli = await get(name, { 'Accept-Encoding': 'gzip, deflate, br' });
      expect(brotli.response.headers.get('content-encoding')).toBe('br');
      expect(brotliDecompressSync(brotli.bytes).equals(bytes)).toBe(true);
      const gzip = await get(name, { 'Accept-Encoding': 'gzip, br;q=0' });
      expect(gzip.response.headers.get('content-encoding')).toBe('gzip');
      expect(gunzipSync(gzip.bytes).equals(bytes)).toBe(true);
      const head = await get(name, {}, 'HEAD');
      expect([head.bytes.length, head.response.headers.get('content-length')]).toEqual([
        0,
        `${bytes.length}`,
      ]);
    }
  });

  test.each(['/', '/docs', '/docs/try', '/docs/scalar.js', '/openapi.json', '/asyncapi.json'])(
    '%s is compressed',
    async (path) => {
      const { bytes } = await get(path);
      const { response, bytes: sent } = await get(path, { 'Accept-Encoding': 'gzip, br' });
      expect(response.headers.get('content-encoding')).toBe('br');
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect(brotliDecompressSync(sent).equals(bytes)).toBe(true);
      if (bytes.length > 100_000) expect(sent.length).toBeLessThan(bytes.length / 4 + 1000);
    },
  );

  test('the style sheet links the fonts as files, which are not compressed again', async () => {
    const [style] = (await listAssets('/sign-in')).filter((name) => name.endsWith('.css'));
    const { bytes: css } = await get(style!);
    const fonts = [...css.toString().matchAll(/url\("?(\/assets\/[^")]+)/g)].map(
      ([, name]) => name!,
    );
    expect(fonts.map((name) => name.replace(/-[a-z0-9]+\.woff2$/, ''))).toEqual([
      '/assets/inter-latin-wght-normal',
      '/assets/inter-latin-ext-wght-normal',
    ]);
    for (const name of fonts) {
      const { response, bytes } = await get(name, { 'Accept-Encoding': 'gzip, br' });
      expect(bytes.subarray(0, 4).toString()).toBe('wOF2');
      expect(response.headers.get('content-type')).toBe('font/woff2');
      expect(response.headers.get('content-encoding')).toBeNull();
      expect(response.headers.get('vary')).toBeNull();
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  test('a reload does not count towards the limits of the API', async () => {
    const before = await exchange.send(undefined, 'GET', '/api/nothing');
    for (let reload = 0; reload < 3; reload++) {
      await get('/trade/BTC-USDT');
      for (const name of await listAssets('/trade')) await get(name);
    }
    const after = await exchange.send(undefined, 'GET', '/api/nothing');
    const remaining = ({ headers }: { headers: Headers }) =>
      Number(headers.get('x-ratelimit-remaining'));
    expect(remaining(after)).toBe(remaining(before) - 1);
  });

  test('an unknown file is NOT_FOUND, a POST METHOD_NOT_ALLOWED', async () => {
    const missing = await exchange.send(undefined, 'GET', '/assets/trade.js');
    expect([missing.status, missing.code]).toEqual([404, 'NOT_FOUND']);
    const posted = await exchange.send(undefined, 'POST', '/trade', '{}');
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('an unknown path', () => {
  const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  test.each(['/nothing', '/api/nothing', '/trade/BTC-USDT/more', '/assets/trade.js'])(
    '%s is a page for a browser',
    async (path) => {
      const { response, bytes } = await get(path, BROWSER);
      const page = bytes.toString();
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/);
      expect(page).toContain('<title>Page not found · Buttonwood</title>');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page).not.toMatch(/<script>| style=| on\w+=/);
      const head = await get(path, BROWSER, 'HEAD');
      expect([head.response.status, head.bytes.length]).toEqual([404, 0]);
      expect(head.response.headers.get('content-length')).toBe(`${bytes.length}`);
    },
  );

  test('every file of the page exists', async () => {
    const { bytes } = await get('/nothing', BROWSER);
    const links = [...bytes.toString().matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(
      ([, link]) => link!,
    );
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) expect((await get(link)).response.status).toBe(200);
  });

  test.each([
    ['any type', 'GET', '*/*'],
    ['JSON', 'GET', 'application/json'],
    ['JSON as well as HTML', 'GET', 'application/json, text/html'],
    ['HTML, but is a POST', 'POST', 'text/html'],
  ])('is a JSON error for a program that accepts %s', async (_, method, accept) => {
    const { response, bytes } = await get('/nothing', { Accept: accept }, method);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(bytes.toString()).error).toEqual({
      code: 'NOT_FOUND',
      message: 'No such endpoint. Check the path.',
      details: {},
    });
  });

  test('errors at a known path are JSON for a browser too', async () => {
    const { response } = await get('/api/orders', BROWSER);
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('application/json');
  });
});

test.each([
  [null, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP, BR', 'br'],
  ['br;q=0.0, gzip;q=0.5', 'gzip'],
  ['gzip;q=0, br;q=0', 'identity'],
  ['br ; q=0 , gzip ; q=1', 'gzip'],
  ['*;q=1', 'identity'],
] as const)('Accept-Encoding %j is answered with %s', (header, wanted) => {
  expect(encodingFor(header)).toBe(wanted);
});
