import type { Endpoint } from '../endpoints/endpoint.ts';
import type { ErrorCode } from '../http/response/errors.ts';

const ALWAYS: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'UNSUPPORTED_VERSION',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
];
const WITH_SESSION: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'INSUFFICIENT_PERMISSIONS',
  'BROWSER_NOT_ALLOWED',
  // If sessions are stored in PostgreSQL and it is down.
  'OVERLOADED',
];
/** Codes about the headers or the address of a request, which a socket has reported at its `auth` if at all. */
const OF_REQUESTS: readonly ErrorCode[] = [
  'UNSUPPORTED_VERSION',
  'BROWSER_NOT_ALLOWED',
  'IP_NOT_ALLOWED',
];

/** Returns the error codes of an endpoint, from its access, its method and its description. */
export function listErrorCodes({
  access,
  method,
  handle,
  isUserEndpoint,
  showsMarkets,
  showsPast,
}: Endpoint): readonly ErrorCode[] {
  const { body, errors = [] } = handle.description;
  const codes = [...ALWAYS, ...errors];
  if (access === 'custodian') codes.push('UNAUTHORIZED', 'OVERLOADED');
  else if (access !== 'public') codes.push(...WITH_SESSION);
  if (isUserEndpoint) codes.push('OVERLOADED');
  if (showsMarkets) codes.push('STALE');
  if (showsPast) codes.push('OVERLOADED');
  const takesKeys = access !== 'public' && access !== 'session' && access !== 'custodian';
  if (takesKeys) codes.push('IP_NOT_ALLOWED');
  if (access === 'trade' || access === 'place') codes.push('ACCOUNT_FROZEN');
  if (body !== undefined) codes.push('PAYLOAD_TOO_LARGE');
  if (method !== 'GET') codes.push('OUTCOME_UNKNOWN');
  return [...new Set(codes)];
}

/** Returns the error codes of an endpoint's operation over a socket. */
export function listOperationErrorCodes(endpoint: Endpoint): readonly ErrorCode[] {
  return listErrorCodes(endpoint).filter((code) => !OF_REQUESTS.includes(code));
}
