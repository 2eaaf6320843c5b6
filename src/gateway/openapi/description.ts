import type { Call } from '../http/call.ts';
import type { ErrorCode } from '../http/errors.ts';
import type { PathParameterName, QueryParameterName } from '../http/parameters.ts';
import type { JsonSchema } from './json-schema.ts';

export const TAGS = {
  'Market data': 'What everyone may know, without credentials.',
  Trading: 'Placing, changing and canceling orders.',
  Account: 'What a key may read of its own account.',
  Users: 'Sign-up, sign-in and account settings, for pages in a browser.',
  Operator: 'Running the exchange. Needs a key with the permission `operate`.',
} as const;

/** What the OpenAPI document says of an endpoint. It stands behind the endpoint's handler. */
export interface Description {
  readonly operationId: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  /** What the summary leaves out, in Markdown. */
  readonly notes?: string;
  /** What stands for `:id` and the like, by its name in the path. */
  readonly path?: Readonly<Record<string, PathParameterName>>;
  /** The same list that the handler takes its query by. */
  readonly query?: readonly QueryParameterName[];
  /** Those of the query that a request cannot do without. */
  readonly needs?: readonly QueryParameterName[];
  /** Those of the query of which a request has exactly one. */
  readonly exactlyOne?: readonly QueryParameterName[];
  /** The examples are sent to a real server by the tests, which expect success. */
  readonly body?: {
    readonly schema: JsonSchema | (() => JsonSchema);
    readonly examples: Readonly<Record<string, unknown>>;
  };
  /** Of the answer's `data`. Its example is made of the examples of its fields. */
  readonly data: JsonSchema;
  /** Beside those that every endpoint of its access and method can give. */
  readonly errors?: readonly ErrorCode[];
}

/** Gives the answer's `data` as JSON text. @throws ApiError */
export interface Handler {
  (call: Call): string | Promise<string>;
  description: Description;
}

/** For the types alone: a description whose lists keep their words. */
export function describe(description: Description): Description {
  return description;
}
