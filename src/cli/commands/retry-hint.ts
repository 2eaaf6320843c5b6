import { ApiRequestError, UnreachableError } from '../../client/errors.ts';

/**
 * Resolves with the answer to a request. Adds an option to an error without a known outcome: with it, repeating the request
 * is safe.
 * @param option Such as `--client-id ID`. @throws the error of the request
 */
export async function withRetryHint<Answer>(
  request: Promise<Answer>,
  option: string,
): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    const isUnknown =
      error instanceof UnreachableError ||
      (error instanceof ApiRequestError && error.status >= 500);
    if (isUnknown) error.message += ` To retry safely, add ${option}.`;
    throw error;
  }
}
