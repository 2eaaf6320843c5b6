import { createHmac } from 'node:crypto';

/**
 * Signatures of outgoing requests as the Standard Webhooks specification defines them, so that receivers can
 * check them with its libraries.
 */

/** One outgoing message. */
export interface SignedMessage {
  /** The same for every attempt, so that the receiver can ignore repetitions. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

const SECRET_PREFIX = 'whsec_';

/** Returns a secret as its receiver gets it. @param bytes 24 to 64 bytes. */
export function secretText(bytes: Uint8Array): string {
  return `${SECRET_PREFIX}${Buffer.from(bytes).toString('base64')}`;
}

/**
 * Returns the headers of a message, with a signature for every secret that may be in use: the receiver accepts any.
 * @param secrets The newest first.
 */
export function signatureHeaders(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly Uint8Array[],
): Record<string, string> {
  const content = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
