import type { OperationName } from '../api/operations.ts';

/** An operation without a response. It settles once; what comes later is ignored. */
export class PendingOperation {
  readonly response: Promise<unknown>;
  isSettled = false;
  private resolve: (data: unknown) => void = () => {};
  private rejectResponse: (error: unknown) => void = () => {};
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly onAbort = () => this.reject(this.signal?.reason);

  /**
   * @param fields JSON text of an object with the fields of the message after `id`.
   * @param signal Rejects the operation when it is aborted.
   */
  constructor(
    readonly name: OperationName,
    readonly fields: string,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.response = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.rejectResponse = reject;
    });
    signal?.addEventListener('abort', this.onAbort);
  }

  /** Rejects the operation after a time, which replaces an earlier limit. */
  limit(timeMs: number, toError: () => Error): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.reject(toError()), timeMs);
  }

  succeed(data: unknown): void {
    this.settle();
    this.resolve(data);
  }

  reject(error: unknown): void {
    this.settle();
    this.rejectResponse(error);
  }

  private settle(): void {
    this.isSettled = true;
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.onAbort);
  }
}
