import { type Signal, useSignal } from '@preact/signals';
import {
  ApiRequestError,
  ApprovalRequiredError,
  UnreachableError,
} from '../../src/client/errors.ts';
import { t } from '../i18n/t.ts';
import { announce } from './announce.ts';
import { FieldError } from './field-error.ts';

export { FieldError } from './field-error.ts';

/** Why an action failed, with a message for the user. */
export interface Failure {
  readonly message: string;
  /** Request field that caused the failure, if known. */
  readonly field: string | undefined;
  readonly code: string;
}

/** An asynchronous action of a form or button: whether it is running, and how the last run failed. */
export interface Action {
  readonly busy: Signal<boolean>;
  readonly failure: Signal<Failure | undefined>;
  /**
   * Runs `work` unless a run is in progress; returns whether it succeeded. A request that waits for a second operator
   * is accepted, so it counts as a success: a toast says that it waits.
   */
  run(work: () => Promise<void>): Promise<boolean>;
  /** Returns the failure's message if it concerns one of the given fields. */
  fieldError(...fields: readonly string[]): string | undefined;
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
        if (error instanceof ApprovalRequiredError) {
          announceApproval(error);
          return true;
        }
        failure.value = toFailure(error);
        return false;
      } finally {
        busy.value = false;
      }
    },
    fieldError(...fields) {
      const field = failure.value?.field;
      return field !== undefined && fields.includes(field) ? failure.value?.message : undefined;
    },
  };
}

export function toFailure(error: unknown): Failure {
  if (error instanceof FieldError) {
    return { message: error.message, field: error.field, code: 'INVALID_REQUEST' };
  }
  if (!(error instanceof ApiRequestError || error instanceof UnreachableError)) throw error;
  const message = errorMessage(error);
  if (error instanceof UnreachableError) return { message, field: undefined, code: 'UNREACHABLE' };
  const { field } = error.details;
  // Errors in a list name the element: permissions.0 is shown at permissions.
  const name = typeof field === 'string' ? field.split('.')[0] : undefined;
  return { message, field: name, code: error.code };
}

/** Shows that a request waits for a second operator, with a link to it. */
export function announceApproval({ approval: { id } }: ApprovalRequiredError): void {
  announce(
    t(
      'Sent for approval: an operator of another account must approve it. Nothing has changed yet.',
    ),
    'info',
    { href: `/operator#approvals/${id}`, label: t('Request {id}', { id }) },
  );
}

/** Returns a message for the user. */
export function errorMessage(error: unknown): string {
  if (error instanceof UnreachableError) {
    return t('Could not reach the exchange. Check your connection and try again.');
  }
  if (error instanceof ApiRequestError && error.details.rule === 'ownAccount') {
    return t('Another user has signed in. Reload this page to use their account.');
  }
  if (!(error instanceof ApiRequestError && error.code === 'RATE_LIMIT_EXCEEDED')) {
    return error instanceof Error ? error.message : `${error}`;
  }
  const seconds = error.retryAfterSeconds;
  return seconds === undefined
    ? t('Too many requests. Wait a minute and try again.')
    : t('Too many requests. Try again in {seconds} s.', { seconds });
}
