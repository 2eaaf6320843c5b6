import type { ErrorCode } from './api/records.ts';

/** The exchange answered a request with an error. */
export class ApiRequestError extends Error {
  override readonly name = 'ApiRequestError';

  constructor(
    /** HTTP status; 0 on a stream. */
    readonly status: number,
    /** New releases may add codes. */
    readonly code: ErrorCode | (string & {}),
    message: string,
    readonly details: Readonly<Record<string, unknown>>,
    /** Id of the request in the operator's logs. */
    readonly requestId: string | undefined,
    /** Seconds to wait before a retry, if the exchange sent them. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }
}

/** There was no response: whether the request took effect is unknown. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  constructor(
    readonly url: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/** The streams have ended permanently: they were closed, or their key or session has ended. */
export class StreamClosedError extends Error {
  override readonly name = 'StreamClosedError';
}
