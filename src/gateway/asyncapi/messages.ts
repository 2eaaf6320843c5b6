import { integer, type JsonSchema } from '../openapi/json-schema.ts';

/** A message of the AsyncAPI document. */
export interface Message {
  readonly name: string;
  readonly title: string;
  readonly summary?: string;
  readonly correlationId?: object;
  readonly payload: JsonSchema;
  readonly examples: readonly { readonly name: string; readonly payload: object }[];
}

/** Only in errors after which trying again may help. */
export const retryAfter = integer('Seconds to wait before the next attempt.', 12);

export function messageRef(channel: string, message: string) {
  return { $ref: `#/channels/${channel}/messages/${message}` };
}

export function channelRef(channel: string) {
  return { $ref: `#/channels/${channel}` };
}
