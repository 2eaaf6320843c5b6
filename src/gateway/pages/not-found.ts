import type { Decision } from '../auth/decision.ts';
import { prefersHtml } from '../http/request/accept.ts';
import { ApiError } from '../http/response/errors.ts';
import { NO_STORE, toErrorResponse, toResponse } from '../http/response/responses.ts';
import type { Served } from './encodings.ts';

const NO_ENDPOINT = new ApiError('NOT_FOUND', 'No such endpoint. Check the path.');

/** Returns the response for an unknown path: a page for browsers, a JSON error for programs. */
export async function toNotFoundResponse(
  request: Request,
  decision: Decision,
  page: () => Promise<Served>,
): Promise<Response> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || !prefersHtml(request)) return toErrorResponse(request, NO_ENDPOINT, decision);
  const { body, headers } = await page();
  return toResponse(request, NO_ENDPOINT.status, body, decision, { ...headers, ...NO_STORE });
}
