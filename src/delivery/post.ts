import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { guardedLookup, requireReachable, type TargetRules } from './targets.ts';

/** An attempt to deliver a message. */
export interface Attempt {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** The reason why it failed, a sentence without a full stop; '' if it was accepted. */
  readonly error: string;
  readonly durationMs: number;
}

export interface PostOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Undefined for a URL that an operator chose, which may be any. */
  readonly rules: TargetRules | undefined;
  /** Time for the whole attempt. */
  readonly timeoutMs: number;
}

/**
 * Sends a message. It is accepted with a status of 200 to 299. Redirects are not followed: they would lead around the
 * rules, and a receiver that has moved must say so to its owner. The response is not read.
 */
export function post({ url, headers, body, rules, timeoutMs }: PostOptions): Promise<Attempt> {
  const startedAt = performance.now();
  const end = (status: number, error: string): Attempt => ({
    status,
    error,
    durationMs: Math.round(performance.now() - startedAt),
  });
  return new Promise((resolve) => {
    const target = new URL(url);
    try {
      if (rules !== undefined) requireReachable(target, rules);
    } catch (error) {
      resolve(end(0, (error as Error).message));
      return;
    }
    const isSecure = target.protocol === 'https:';
    const send = isSecure ? requestSecure : requestPlain;
    const sent = send(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, connection: 'close' },
      ...(rules === undefined ? {} : { lookup: guardedLookup(rules, isSecure) }),
    });
    const timer = setTimeout(() => {
      resolve(end(0, `there was no response within ${timeoutMs / 1000} s`));
      sent.destroy();
    }, timeoutMs);
    sent.on('response', (response) => {
      clearTimeout(timer);
      const status = response.statusCode ?? 0;
      resolve(end(status, rejection(status)));
      response.destroy();
    });
    sent.on('error', (error) => {
      clearTimeout(timer);
      resolve(end(0, failureText(error, target)));
    });
    sent.end(body);
  });
}

/** Returns why no request was sent: the name of the server, its address, or the error of the system. */
export function failureText(error: NodeJS.ErrnoException, { hostname, host }: URL): string {
  switch (error.code) {
    case 'ENOTFOUND':
      return `the name ${hostname} was not found in the DNS`;
    case 'EAI_AGAIN':
      return `the DNS does not respond for the name ${hostname}`;
    case 'ECONNREFUSED':
      return `${host} refused the connection`;
    default:
      return error.message;
  }
}

function rejection(status: number): string {
  if (status >= 200 && status < 300) return '';
  if (status >= 300 && status < 400) return 'it was redirected, and redirects are not followed';
  return `the receiver responded with ${status}`;
}
