/** Maximum size of all cached responses, characters. */
const MAX_CACHED_LENGTH = 16 * 1024 * 1024;
/** Maximum length of a cache key; responses with longer keys are not cached. */
const MAX_KEY_LENGTH = 512;

interface CachedResponse {
  readonly version: string | number;
  readonly data: string | Promise<string>;
  length: number;
}

/**
 * Responses of read endpoints, cached until their data changes, because bots poll far more often than anything
 * happens. Requests that arrive while a response is being made share it.
 */
export class ResponseCache {
  /** In the order of their making, oldest first. */
  private readonly responses = new Map<string, CachedResponse>();
  private length = 0;

  constructor(private readonly maxLength = MAX_CACHED_LENGTH) {}

  /**
   * Returns the cached response, or makes it.
   * @param key Identifies the request; includes the account if the response depends on it.
   * @param version Changes whenever the data changes.
   */
  get(
    key: string,
    version: string | number,
    make: () => string | Promise<string>,
  ): string | Promise<string> {
    const cached = this.responses.get(key);
    if (cached !== undefined) {
      if (cached.version === version) return cached.data;
      this.remove(key, cached);
    }
    const data = make();
    if (key.length > MAX_KEY_LENGTH) return data;
    const response: CachedResponse = { version, data, length: 0 };
    this.responses.set(key, response);
    this.grow(key, response, key.length);
    if (typeof data === 'string') this.grow(key, response, data.length);
    else {
      data.then(
        (text) => this.grow(key, response, text.length),
        // The callers get the error; the next request tries again.
        () => this.remove(key, response),
      );
    }
    return data;
  }

  private grow(key: string, response: CachedResponse, length: number): void {
    if (this.responses.get(key) !== response) return;
    response.length += length;
    this.length += length;
    for (const [oldestKey, oldest] of this.responses) {
      if (this.length <= this.maxLength) return;
      this.remove(oldestKey, oldest);
    }
  }

  private remove(key: string, response: CachedResponse): void {
    if (this.responses.get(key) !== response) return;
    this.responses.delete(key);
    this.length -= response.length;
  }
}
