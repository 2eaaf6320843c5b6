import type { ErrorCode } from './api/records.ts';

/** The exchange refused a request, or failed at it. */
export class ApiRequestError extends Error {
  override readonly name = 'ApiRequestError';

  constructor(
    /** Of the HTTP answer; 0 on a stream. */
    readonly status: number,
    /** New codes may come with new releases. */
    readonly code: ErrorCode | (string & {}),
    message: string,
    readonly details: Readonly<Record<string, unknown>>,
    /** Under which the operator finds the request. */
    readonly requestId: string | undefined,
    /** When to try again, where the exchange said so. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }
}

/** No answer came from an exchange: whether the request had an effect is not known. */
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

/** Streams that do not go on: they were closed, or their key has ended. */
export class StreamClosedError extends Error {
  override readonly name = 'StreamClosedError';
}
