import type { Approval } from './api/operator-records.ts';
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

/** The exchange has not carried out the request: an operator of another account must approve it first. */
export class ApprovalRequiredError extends Error {
  override readonly name = 'ApprovalRequiredError';
  readonly approval: Approval;

  constructor({ approval }: { readonly approval: Approval }) {
    super(`waits for the approval of another operator: request ${approval.id}`);
    this.approval = approval;
  }
}

/** There was no response: whether the request took effect is unknown, unless it is a NotSentError. */
export class UnreachableError extends Error {
  override readonly name: string = 'UnreachableError';

  constructor(
    readonly url: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/** An operation was sent over a socket that ended before the response, or did not respond in time. */
export class OutcomeUnknownError extends UnreachableError {
  override readonly name = 'OutcomeUnknownError';
}

/** An operation was not sent, because there was no connection in time. It has not taken effect. */
export class NotSentError extends UnreachableError {
  override readonly name = 'NotSentError';
}

/** A socket has ended permanently: it was closed, or its key or session has ended. */
export class StreamClosedError extends Error {
  override readonly name = 'StreamClosedError';
}

/** A local book cannot continue: an update does not follow, or the checksum differs. It needs a new snapshot. */
export class OutOfSyncError extends Error {
  override readonly name = 'OutOfSyncError';
}
