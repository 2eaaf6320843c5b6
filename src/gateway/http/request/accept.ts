/**
 * Returns whether the Accept header of a request prefers an HTML page to JSON, as browsers do when they navigate.
 * Wildcards do not count: programs send any type, and get JSON.
 */
export function prefersHtml({ headers }: Request): boolean {
  const accept = headers.get('accept');
  return readQuality('text/html', accept) > readQuality('application/json', accept);
}

/**
 * Returns the quality that an Accept or Accept-Encoding header gives a media type or encoding (RFC 9110, 12.4.2), from 0 to
 * 1; 0 if the header does not name it.
 */
export function readQuality(wanted: string, accepted: string | null): number {
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim());
    if (name !== wanted) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return 0;
}
