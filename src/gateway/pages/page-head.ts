import type { PageOptions, WebPage } from './web-pages.ts';

/** Size in pixels of the picture that messengers show with a link. */
const PICTURE = 512;

/** Returns the tags of a page's head that search engines and the previews of messengers read. */
export function headTags(page: WebPage, { baseUrl }: PageOptions): string {
  const { title, description, paths, feed } = page;
  if (description === undefined) return '<meta name="robots" content="noindex">';
  const [path, ...others] = paths;
  // A page with several paths, such as that of each market, has no single address.
  const address = others.length > 0 ? undefined : `${baseUrl}${path}`;
  return [
    `<meta name="description" content="${description}">`,
    ...(address === undefined ? [] : [`<link rel="canonical" href="${address}">`]),
    ...(feed === undefined
      ? []
      : [`<link rel="alternate" type="application/atom+xml" title="${title}" href="${feed}">`]),
    property('site_name', 'Buttonwood'),
    property('type', 'website'),
    property('title', `${title} · Buttonwood`),
    property('description', description),
    ...(address === undefined ? [] : [property('url', address)]),
    property('image', `${baseUrl}/icon-${PICTURE}.png`),
    property('image:width', `${PICTURE}`),
    property('image:height', `${PICTURE}`),
    '<meta name="twitter:card" content="summary">',
  ].join('\n');
}

/** Returns a tag of the Open Graph protocol (https://ogp.me). */
function property(name: string, content: string): string {
  return `<meta property="og:${name}" content="${content}">`;
}
