import { ApiRequestError } from '../../client/index.ts';
import * as logger from '../../monitoring/logger.ts';

/** Temporary rejections, or ones that the operator intends: the next turn tries again. */
const TEMPORARY = new Set<string>(['OVERLOADED', 'RATE_LIMIT_EXCEEDED', 'MARKET_UNAVAILABLE']);
/** Statuses that mean that the credentials no longer work. */
const CREDENTIAL_ERRORS = [401, 403];

/** Logs rejections of single requests, after which the traders continue. */
export class RejectionLog {
  private readonly warned = new Set<string>();

  constructor(private readonly warn: (message: string) => void = logger.warn) {}

  /** Awaits a request and warns once per error code. Rethrows errors that are not about this one request. */
  async tolerate(request: Promise<unknown>): Promise<void> {
    try {
      await request;
    } catch (error) {
      if (!(error instanceof ApiRequestError)) throw error;
      const { code, status, message } = error;
      if (TEMPORARY.has(code)) return;
      if (status < 400 || status >= 500 || CREDENTIAL_ERRORS.includes(status)) throw error;
      if (this.warned.has(code)) return;
      this.warned.add(code);
      this.warn(
        `The exchange rejected a request of the sandbox's market makers (${code}: ${message}) They continue; ` +
          'this code is not reported again.',
      );
    }
  }
}
