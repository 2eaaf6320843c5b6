import { ApiRequestError } from '../../client/index.ts';
import * as logger from '../../monitoring/logger.ts';

/** Refusals that pass by themselves, or that are the operator's will: the next turn tries again. */
const PASSING = new Set<string>(['OVERLOADED', 'RATE_LIMIT_EXCEEDED', 'MARKET_UNAVAILABLE']);
/** No request of these credentials is answered any more. */
const CREDENTIALS = [401, 403];

/** Of one request, what the traders go on after: no single order ends them. */
export class Refusals {
  private readonly warned = new Set<string>();

  constructor(private readonly warn: (message: string) => void = logger.warn) {}

  /** Warns of each code once. Throws what is no refusal of this one request. */
  async outlive(request: Promise<unknown>): Promise<void> {
    try {
      await request;
    } catch (error) {
      if (!(error instanceof ApiRequestError)) throw error;
      const { code, status, message } = error;
      if (PASSING.has(code)) return;
      if (status < 400 || status >= 500 || CREDENTIALS.includes(status)) throw error;
      if (this.warned.has(code)) return;
      this.warned.add(code);
      this.warn(
        `The exchange refuses a request of the sandbox's makers (${code}: ${message}) They go on; ` +
          'this code is not reported again.',
      );
    }
  }
}
