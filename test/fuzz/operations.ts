import { inlined } from '../../scripts/client-types.ts';
import { DOCUMENT } from '../http/described.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema, as deep as they are
type Schema = any;

export interface OperationParameter {
  readonly name: string;
  readonly required: boolean;
  readonly isExactlyOne: boolean;
  readonly schema: Schema;
}

/** An operation of the OpenAPI document, with the grammar of its requests. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly access: 'public' | 'private' | 'session' | 'operate' | 'custodian';
  readonly inPath: readonly OperationParameter[];
  readonly inQuery: readonly OperationParameter[];
  readonly body: { readonly schema: Schema; readonly examples: readonly unknown[] } | undefined;
}

/** All operations of the document. */
export const OPERATIONS: readonly Operation[] = Object.entries(
  inlined(DOCUMENT.paths, DOCUMENT.components.schemas, new Set()) as Record<string, Schema>,
).flatMap(([path, methods]) =>
  Object.entries<Schema>(methods).map(([method, operation]) => {
    const content = operation.requestBody?.content['application/json'];
    const own = operation.parameters.filter((parameter: Schema) => parameter.name !== undefined);
    const placed = (place: string): OperationParameter[] =>
      own
        .filter((parameter: Schema) => parameter.in === place)
        .map(({ name, required, schema, ...rest }: Schema) => ({
          name,
          required,
          schema,
          isExactlyOne: rest['x-exactlyOne'] === true,
        }));
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      access: readAccess(path, operation.security),
      inPath: placed('path'),
      inQuery: placed('query'),
      body:
        content === undefined
          ? undefined
          : {
              schema: content.schema,
              examples: Object.values<{ value: unknown }>(content.examples).map((one) => one.value),
            },
    };
  }),
);

function readAccess(path: string, security: readonly object[] | undefined): Operation['access'] {
  if (path.startsWith('/api/custody/')) return 'custodian';
  if (security === undefined) return path.startsWith('/api/admin/') ? 'operate' : 'private';
  if (security.length === 0) return 'public';
  return security.some((scheme) => 'session' in scheme) ? 'session' : 'private';
}
