import { type Signal, useSignal } from '@preact/signals';
import { ApiRequestError, UnreachableError } from '../../src/client/errors.ts';

/** Why an action did not come to its end, in words for the one who started it. */
export interface Failure {
  readonly message: string;
  /** Of the request, where the exchange named one. */
  readonly field: string | undefined;
  readonly code: string;
}

/** What a form or a button starts: whether it runs now, and how the last run failed. */
export interface Action {
  readonly busy: Signal<boolean>;
  readonly failure: Signal<Failure | undefined>;
  /** Runs one at a time; gives whether it came to its end. */
  run(work: () => Promise<void>): Promise<boolean>;
  /** The message that belongs beside one of the form's fields. */
  errorOf(...fields: readonly string[]): string | undefined;
}

export function useAction(): Action {
  const busy = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  return {
    busy,
    failure,
    async run(work) {
      if (busy.value) return false;
      busy.value = true;
      failure.value = undefined;
      try {
        await work();
        return true;
      } catch (error) {
        failure.value = toFailure(error);
        return false;
      } finally {
        busy.value = false;
      }
    },
    errorOf(...fields) {
      const field = failure.value?.field;
      return field !== undefined && fields.includes(field) ? failure.value?.message : undefined;
    },
  };
}

/** A fault that the page found by itself, beside its field. */
export class FieldError extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

export function toFailure(error: unknown): Failure {
  if (error instanceof FieldError) {
    return { message: error.message, field: error.field, code: 'INVALID_REQUEST' };
  }
  if (!(error instanceof ApiRequestError || error instanceof UnreachableError)) throw error;
  const message = errorMessage(error);
  if (error instanceof UnreachableError) return { message, field: undefined, code: 'UNREACHABLE' };
  const { field } = error.details;
  // A list's faults name the place in it: permissions.0 belongs beside permissions.
  const name = typeof field === 'string' ? field.split('.')[0] : undefined;
  return { message, field: name, code: error.code };
}

/** What went wrong, for people. */
export function errorMessage(error: unknown): string {
  if (error instanceof UnreachableError) {
    return 'The exchange does not answer. Check the connection, then try again.';
  }
  if (!(error instanceof ApiRequestError && error.code === 'RATE_LIMIT_EXCEEDED')) {
    return error instanceof Error ? error.message : `${error}`;
  }
  const seconds = error.retryAfterSeconds;
  return seconds === undefined
    ? 'Too many attempts. Wait a minute, then try again.'
    : `Too many attempts. Try again in ${seconds} s.`;
}
