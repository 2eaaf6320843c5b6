/**
 * Returns whether the Accept header of a request prefers an HTML page to JSON, as browsers do when they navigate.
 * Wildcards do not count: programs send any type, and get JSON.
 */
export function prefersHtml({ headers }: Request): boolean {
  const accept = headers.get('accept');
  if (accept === null) return false;
  return readQuality('text/html', accept) > readQuality('application/json', accept);
}

/** Returns the quality of a media type that is named in an Accept header, from 0 to 1; 0 if it is not named. */
function readQuality(type: string, accept: string): number {
  for (const part of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return 0;
}
