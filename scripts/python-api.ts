// Writes the models, routes and methods of the Python client from the OpenAPI document: npm run generate
import { join } from 'node:path';
import { openApiDocument } from '../src/gateway/openapi/openapi.ts';
import {
  optional,
  type PythonSchema,
  PythonTypes,
  toPascal,
  toSnake,
  union,
  wrap,
} from './python-types.ts';

export const PYTHON_FOLDER = join(import.meta.dir, '../python/src/buttonwood');
const HEAD = '# Generated from the OpenAPI document by `npm run generate`. Do not edit.';
/** The names of `_types.py` that methods use, in the order of their import. */
const TYPES = ['OMITTED', 'DeadlineTime', 'Number', 'Omitted', 'Result', 'Route', 'Time'];
/** The parameter of methods whose orders can have a deadline. */
const DEADLINE: Argument = {
  name: 'deadline',
  annotation: 'DeadlineTime | None',
  isNeeded: false,
  isQuery: true,
  description:
    'Time after which the exchange does not execute the request, at most a minute ahead: an aware datetime, or milliseconds since 1970.',
};
const FUTURE = 'from __future__ import annotations';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: PythonSchema;
}
interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema: PythonSchema } };
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  /** The operation of `/ws` with the same handler. */
  readonly 'x-operation'?: {
    readonly name: string;
    readonly query?: Readonly<Record<string, string>>;
  };
}

/** A parameter of a method. */
interface Argument {
  readonly name: string;
  readonly annotation: string;
  readonly isNeeded: boolean;
  readonly isQuery: boolean;
  readonly description: string | undefined;
}

interface Method {
  readonly operation: Operation;
  readonly name: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly arguments: readonly Argument[];
  /** Whether its orders can have a deadline. */
  readonly hasDeadline: boolean;
  readonly result: string;
}

const document = openApiDocument() as unknown as {
  paths: Record<string, Record<string, Operation>>;
};

/** Whether it has a method: not the endpoints of pages, which need the cookie of a session, and not those of files. */
function isForPrograms({ tags, security, responses }: Operation): boolean {
  if ('text/csv' in (responses['200']!.content ?? {})) return false;
  if (security === undefined) return true;
  if (security.length === 0) return !tags.includes('Users');
  return security.some((scheme) => 'apiKey' in scheme);
}

/** Returns the generated files of the Python package, by their path in its folder. */
export function pythonApi(): Map<string, string> {
  const types = new PythonTypes(document);
  const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => isForPrograms(operation))
      .map(([method, operation]) => toMethod(types, method.toUpperCase(), path, operation)),
  );
  const traded = methods.filter(({ operation }) => operation['x-operation'] !== undefined);
  const operations = traded.map(toOperation);
  const { codes, numbers } = constants(types);
  return new Map([
    ['models.py', modelsText(types, codes)],
    ['_api/__init__.py', `${HEAD}\n`],
    ['_api/routes.py', routesText(methods, numbers)],
    ['_api/endpoints.py', methodsText('Endpoints', methods, false, types)],
    ['_api/async_endpoints.py', methodsText('AsyncEndpoints', methods, true, types)],
    ['_api/operations.py', methodsText('Operations', operations, false, types)],
    ['_api/async_operations.py', methodsText('AsyncOperations', operations, true, types)],
  ]);
}

function toMethod(
  types: PythonTypes,
  httpMethod: string,
  path: string,
  operation: Operation,
): Method {
  const { operationId, parameters = [] } = operation;
  const title = toPascal(operationId);
  const resolved = parameters.map((parameter) => types.resolve(parameter));
  const hasDeadline = resolved.some(({ name }) => name === 'X-API-Timestamp');
  const named = resolved
    .filter((parameter) => parameter.in === 'path' || parameter.in === 'query')
    .map((parameter) => toArgument(types, title, parameter));
  const body = bodySchema(types, operation);
  const fields = Object.entries(body?.properties ?? {}).map(([name, part]): Argument => {
    const annotation = types.annotate(part, `${title}${toPascal(name)}`, 'request');
    const isNeeded = body!.required?.includes(name) ?? false;
    const description = part.description ?? types.resolve(part).description;
    return { name, annotation, isNeeded, isQuery: false, description };
  });
  const success = types.resolve(operation.responses['200']!);
  const envelope = types.resolve(success.content!['application/json']!.schema);
  const result = types.annotate(envelope.properties!.data!, `${title}Result`, 'response');
  const all = [...named, ...fields];
  const duplicate = all.find(
    ({ name }, index) => all.findIndex((one) => one.name === name) < index,
  );
  if (duplicate) throw new Error(`${operationId} has two parameters called ${duplicate.name}`);
  const name = toSnake(operationId);
  return { operation, name, httpMethod, path, arguments: all, hasDeadline, result };
}

function toArgument(types: PythonTypes, title: string, parameter: Parameter): Argument {
  const { name, required = false, schema, description } = parameter;
  const annotation = types.annotate(schema, `${title}${toPascal(name)}`, 'request');
  return {
    name,
    annotation: annotation
      .replace('Literal["true", "false"]', 'bool')
      .replace('Literal["true"]', 'Literal[True]'),
    isNeeded: required,
    isQuery: parameter.in === 'query',
    description: description ?? schema.description,
  };
}

function bodySchema(types: PythonTypes, { requestBody }: Operation): PythonSchema | undefined {
  if (requestBody === undefined) return undefined;
  return types.resolve(types.resolve(requestBody).content!['application/json']!.schema);
}

/** Returns the method of a socket's operation: that of its endpoint, without the parameters that it sets itself. */
function toOperation(method: Method): Method {
  const { query = {} } = method.operation['x-operation']!;
  // With the status open, list_orders becomes list_open_orders.
  const name = method.name.replace(/^[a-z]+/, (verb) => [verb, ...Object.values(query)].join('_'));
  const left = method.arguments.filter((argument) => !(argument.name in query));
  return { ...method, name, arguments: left };
}

/** Returns the codes of errors, and the fields of requests that are numbers. */
function constants(types: PythonTypes): { codes: string[]; numbers: string[] } {
  const codes = new Set<string>();
  const numbers = new Set<string>();
  const visit = (part: PythonSchema, name: string, isSent: boolean): void => {
    const schema = types.resolve(part);
    const kinds = [schema.type ?? []].flat();
    if (name === 'code' && !isSent) for (const code of schema.enum ?? []) codes.add(`${code}`);
    const isNumber = kinds.includes('number') || kinds.includes('integer');
    if (isSent && isNumber && !kinds.includes('string')) numbers.add(name);
    for (const [field, each] of Object.entries(schema.properties ?? {})) visit(each, field, isSent);
    for (const each of schema.anyOf ?? schema.oneOf ?? []) visit(each, name, isSent);
    if (schema.items) visit(schema.items, name, isSent);
  };
  for (const operation of Object.values(document.paths).flatMap(Object.values<Operation>)) {
    const body = bodySchema(types, operation);
    if (body) visit(body, '', true);
    for (const response of Object.values(operation.responses)) {
      const content = types.resolve(response).content?.['application/json'];
      if (content) visit(content.schema, '', false);
    }
  }
  // These are numbers or strings, depending on the request.
  for (const name of ['expiresAt', 'feeTier', 'status', 'wallClock']) numbers.delete(name);
  return { codes: [...codes].sort(), numbers: [...numbers].sort() };
}

/** Returns the lines that import the names that a text uses. */
function imports(text: string, modules: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(modules)
    .map(([module, names]) => {
      const used = listUsed(text, names);
      return used.length === 0 ? '' : `from ${module} import ${used.join(', ')}\n`;
    })
    .join('');
}

function listUsed(text: string, names: readonly string[]): string[] {
  return names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
}

function modelsText(types: PythonTypes, codes: readonly string[]): string {
  const classes = [...types.classes].sort(([one], [other]) => (one < other ? -1 : 1));
  const text = classes.map(([, each]) => each).join('\n\n');
  const standard = imports(text, {
    'collections.abc': ['Sequence'],
    dataclasses: ['dataclass'],
    decimal: ['Decimal'],
    typing: ['Any', 'Literal'],
  });
  const names = ['ErrorCode', ...classes.map(([name]) => name)];
  return `${HEAD}
"""Records of responses, and objects of requests."""

${FUTURE}

${standard}
${imports(text, { '._types': ['OMITTED', 'Number', 'Omitted', 'Time'] })}
__all__ = [
${names.map((name) => `    "${name}",\n`).join('')}]

ErrorCode = Literal[
${codes.map((code) => `    "${code}",\n`).join('')}]
"""The possible values of \`ApiRequestError.code\`. New releases may add codes."""


${text}`;
}

function routesText(methods: readonly Method[], numbers: readonly string[]): string {
  const routes = methods.map((method) => {
    const { httpMethod, path, operation, result } = method;
    const hasBody = operation.requestBody !== undefined;
    const query = method.arguments.filter(({ isQuery }) => isQuery && hasBody);
    const names = query.map(({ name }) => `"${name}", `).join('');
    const socket = operation['x-operation']?.name;
    return `${routeName(method)} = Route(
    "${httpMethod}",
    "${path}",
    models.${result},
${names === '' ? '' : `    query=(${names.trim()}),\n`}${socket === undefined ? '' : `    operation="${socket}",\n`})
`;
  });
  return `${HEAD}
"""Endpoints and their results."""

${FUTURE}

from .. import models
from .._types import Route

NUMBER_FIELDS = frozenset(
    {
${numbers.map((name) => `        "${name}",\n`).join('')}    }
)
"""Fields of requests that are numbers."""

${routes.join('')}`;
}

const routeName = ({ operation }: Method) => toSnake(operation.operationId).toUpperCase();

function methodsText(
  className: string,
  methods: readonly Method[],
  isAsync: boolean,
  types: PythonTypes,
): string {
  const text = methods.map((method) => methodText(method, isAsync)).join('\n');
  const isOperations = className.endsWith('Operations');
  const subject = isOperations ? 'operation of `/ws`' : 'endpoint';
  const abstract = `    @abstractmethod
    ${isAsync ? 'async ' : ''}def _call(
        self, route: Route[Result], parameters: dict[str, object], deadline: DeadlineTime | None = None
    ) -> Result: ...
`;
  const standard = imports(text, {
    'collections.abc': ['Sequence'],
    typing: ['Literal'],
  });
  return `${HEAD}
"""A method for each ${subject}."""

${FUTURE}

from abc import ABC, abstractmethod
${standard}
from .._types import ${listUsed(abstract + text, TYPES).join(', ')}
from ..models import (
${listUsed(text, [...types.classes.keys()].sort())
  .map((name) => `    ${name},\n`)
  .join('')})
from . import routes


class ${className}(ABC):
    """A method for each ${subject}."""

${abstract}
${text}`;
}

function methodText(method: Method, isAsync: boolean): string {
  // A call must name its arguments, so their order may put the needed ones first.
  const given = method.arguments.filter(({ isNeeded }) => isNeeded);
  const sent = [...given, ...method.arguments.filter(({ isNeeded }) => !isNeeded)];
  const listed = method.hasDeadline ? [...sent, DEADLINE] : sent;
  const signature = listed.map(
    (argument) => `        ${toSnake(argument.name)}: ${annotation(argument)},\n`,
  );
  const parameters = sent
    .map(({ name }) => `                "${name}": ${toSnake(name)},\n`)
    .join('');
  const values = parameters === '' ? '{}' : `{\n${parameters}            }`;
  const operation = method.operation['x-operation']?.name;
  const described = listed.filter(({ description }) => description !== undefined);
  const docs = described.map(({ name, description }) =>
    wrap(`${toSnake(name)}: ${description}`, '            ', '\0').replace('\0', ''),
  );
  const args = docs.length === 0 ? '' : `\n\n        Args:\n${docs.join('\n')}\n        `;
  return `    ${isAsync ? 'async ' : ''}def ${method.name}(
        self,
${listed.length === 0 ? '' : `        *,\n${signature.join('')}`}    ) -> ${method.result}:
        """${method.operation.summary.replace(/\.$/, '')}: \`${method.httpMethod} ${method.path}\`${operation === undefined ? '' : `, \`${operation}\``}.${args}"""
        return ${isAsync ? 'await ' : ''}self._call(
            routes.${routeName(method)},
            ${values},
${method.hasDeadline ? '            deadline,\n' : ''}        )
`;
}

function annotation({ annotation, isNeeded, isQuery }: Argument): string {
  // In a query, null is the same as nothing.
  if (isQuery && !isNeeded) return `${union([annotation, 'None'])} = None`;
  return optional(annotation, isNeeded, 'request');
}

if (import.meta.main) {
  for (const [name, text] of pythonApi()) await Bun.write(join(PYTHON_FOLDER, name), text);
}
