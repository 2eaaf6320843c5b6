import type { Call } from '../http/request/call.ts';
import {
  type PathParameterName,
  QUERY_PARAMETERS,
  type QueryParameterName,
} from '../http/request/parameters.ts';
import type { ErrorCode } from '../http/response/errors.ts';
import type { JsonSchema } from './json-schema.ts';

export const TAGS = {
  'Market data': 'Public market data; no credentials required.',
  Trading: 'Place, change and cancel orders.',
  Account: 'Balances, fills, fees and history of your account.',
  Notifications: 'Webhooks, price alerts and notices of your account.',
  Users: 'Sign-up, sign-in and user settings, for pages in a browser.',
  Sandbox:
    'Control of a sandbox: its clock, its market makers, faults. Requires the permission `operate`.',
  Custodian:
    'Reports of the custodian, which keeps the coins. Requests are signed: see docs/operating/custody.md.',
  Operator: 'Operation of the exchange. Requires `operate` or another permission of operators.',
} as const;

/** The description of an endpoint in the OpenAPI document, a property of the endpoint's handler. */
export interface Description {
  readonly operationId: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  /** Details, in Markdown. */
  readonly notes?: string;
  /** The kinds of the path's parameters, such as `:id`, by name. */
  readonly path?: Readonly<Record<string, PathParameterName>>;
  /** The list of query parameters that the handler accepts. */
  readonly query?: readonly QueryParameterName[];
  /** Descriptions of query parameters for which those in QUERY_PARAMETERS do not fit. */
  readonly queryTexts?: QueryTexts;
  /** The required query parameters. */
  readonly needs?: readonly QueryParameterName[];
  /** Query parameters of which a request must have exactly one. */
  readonly exactlyOne?: readonly QueryParameterName[];
  /** The tests send the examples to a real server and expect success. */
  readonly body?: {
    readonly schema: JsonSchema | (() => JsonSchema);
    readonly examples: Readonly<Record<string, unknown>>;
  };
  /** The response is a file, and not JSON with `data`. */
  readonly isFile?: true;
  /** The schema of the response's `data`. Its example is made of the examples of its fields. */
  readonly data: JsonSchema;
  /** An approval policy may require a second operator: the response is then 202. */
  readonly mayNeedApproval?: true;
  /** Error codes in addition to those of every endpoint with the same access and method. */
  readonly errors?: readonly ErrorCode[];
}

export type QueryTexts = Readonly<Partial<Record<QueryParameterName, string>>>;

/** Returns the schema of an endpoint's query parameter, with its description. */
export function queryParameter(
  { queryTexts = {} }: Description,
  name: QueryParameterName,
): JsonSchema {
  const schema: JsonSchema = QUERY_PARAMETERS[name];
  return { ...schema, description: queryTexts[name] ?? schema.description };
}

/** Returns the response's `data` as JSON. @throws ApiError */
export interface Handler {
  (call: Call): string | Promise<string>;
  description: Description;
}

/** Returns a description as it is; the call only checks its type. */
export function describe(description: Description): Description {
  return description;
}
