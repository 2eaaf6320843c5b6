import type { Page } from './pages.ts';
import { isServed, WEB_PAGES } from './web-pages.ts';

const COMMON = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'public, max-age=86400' };

/** The files by which search engines find the public pages: RFC 9309, and https://www.sitemaps.org/protocol.html. */
export const CRAWLER_FILES: readonly Page[] = [
  {
    path: '/robots.txt',
    headers: { ...COMMON, 'Content-Type': 'text/plain; charset=utf-8' },
    content: async ({ baseUrl }) =>
      `User-agent: *\nDisallow: /api/\nDisallow: /binance/\n\nSitemap: ${baseUrl}/sitemap.xml\n`,
  },
  {
    path: '/sitemap.xml',
    headers: { ...COMMON, 'Content-Type': 'application/xml; charset=utf-8' },
    content: async (options) => {
      const pages = WEB_PAGES.filter(
        (page) => page.description !== undefined && isServed(page, options),
      );
      const entries = pages.map(
        ({ paths: [path] }) => `<url><loc>${options.baseUrl}${path}</loc></url>`,
      );
      return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
        ...entries,
        '</urlset>\n',
      ].join('\n');
    },
  },
];
