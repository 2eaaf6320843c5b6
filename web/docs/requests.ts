import { type Entry, resolve, type Schema } from './documents.ts';

/** The languages of example requests. */
export const REQUEST_LANGUAGES = ['cURL', 'TypeScript', 'Python'] as const;
export type RequestLanguage = (typeof REQUEST_LANGUAGES)[number];

/** Sections whose requests are for pages with a session and for the custodian: the clients send none of them. */
const WITHOUT_CLIENTS = new Set(['users', 'custodian']);

/** Returns the languages in which a request can be sent. */
export function listLanguages(entry: Entry): readonly RequestLanguage[] {
  if (WITHOUT_CLIENTS.has(entry.section)) return ['cURL'];
  // Files are not read by the Python client; objects in parameters have classes of their own.
  const hasPython =
    !entry.path.endsWith('/file') &&
    Object.values(listArguments(entry)).every((value) => value === null || isFlat(value));
  return REQUEST_LANGUAGES.filter((language) => language !== 'Python' || hasPython);
}

/** Returns the code of a request. @param base URL of the exchange, without a slash at its end */
export function writeRequest(entry: Entry, language: RequestLanguage, base: string): string {
  if (language === 'TypeScript') return writeTypeScript(entry, base);
  return language === 'Python' ? writePython(entry, base) : writeCurl(entry, base);
}

/** Returns the commands of a shell that send a request. @param base URL of the exchange, without a slash at its end */
export function writeCurl(entry: Entry, base: string): string {
  const body = exampleBody(entry);
  const query = requiredParameters(entry, 'query').map(([name, value]) => `${name}=${value}`);
  const values = Object.fromEntries(requiredParameters(entry, 'path'));
  const path = entry.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1');
  const lines = [
    `curl ${entry.method === 'GET' ? '' : `-X ${entry.method} `}"${base}${path}${query.length > 0 ? `?${query.join('&')}` : ''}"`,
    ...(entry.needsKey
      ? ['-H "Authorization: Bearer $API_KEY"', '-H "X-API-Secret: $API_SECRET"']
      : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${curlBody(body)}'`]),
  ];
  return lines.join(' \\\n  ');
}

/** Returns a body as JSON with a line for each value, indented like the other parameters of the command. */
export function curlBody(body: unknown): string {
  return JSON.stringify(body, undefined, 2).replaceAll('\n', '\n  ');
}

function writeTypeScript(entry: Entry, base: string): string {
  const credentials = entry.needsKey
    ? '\n  apiKey: process.env.API_KEY,\n  apiSecret: process.env.API_SECRET,'
    : '';
  const values = Object.entries(listArguments(entry)).map(
    ([name, value]) => `  ${name}: ${toTypeScript(value)},`,
  );
  const parameters = values.length === 0 ? '' : `{\n${values.join('\n')}\n}`;
  return `import { Client } from '@buttonwood/client';

const client = new Client({
  baseUrl: '${base}',${credentials}
  exactNumbers: true,
});
const data = await client.${entry.id}(${parameters});
console.log(data);`;
}

function writePython(entry: Entry, base: string): string {
  const credentials = entry.needsKey
    ? '\n    api_key=os.environ["API_KEY"],\n    api_secret=os.environ["API_SECRET"],'
    : '';
  const values = Object.entries(listArguments(entry)).map(
    ([name, value]) => `    ${toSnakeCase(name)}=${toPython(value)},`,
  );
  const parameters = values.length === 0 ? '' : `\n${values.join('\n')}\n`;
  return `${entry.needsKey ? 'import os\n' : ''}from buttonwood import Client

client = Client(
    "${base}",${credentials}
)
data = client.${toSnakeCase(entry.id)}(${parameters})
print(data)`;
}

/** Returns the values of the request by name: of the path, the query and the body. */
function listArguments(entry: Entry): Readonly<Record<string, unknown>> {
  return {
    ...Object.fromEntries(requiredParameters(entry, 'path')),
    ...Object.fromEntries(requiredParameters(entry, 'query')),
    ...(exampleBody(entry) as object | undefined),
  };
}

function exampleBody(entry: Entry): unknown {
  return entry.parts.find(({ title }) => title === 'Body')?.examples[0]?.[1];
}

function requiredParameters(
  { parameters, document }: Entry,
  place: string,
): readonly (readonly [name: string, value: string])[] {
  return parameters
    .filter((each) => each.in === place && each.required)
    .map(({ name, schema }) => [name, exampleText(schema, document)] as const);
}

function exampleText(schema: Schema | undefined, document: object): string {
  const { examples, enum: values } = resolve(schema ?? {}, document) as Schema & {
    readonly examples?: readonly unknown[];
  };
  return String(examples?.[0] ?? values?.[0] ?? '1');
}

function isFlat(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every((each) => typeof each !== 'object')
    : typeof value !== 'object';
}

/** Returns a value as a literal. Numbers are texts, which keep their exact digits. */
function toTypeScript(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  return JSON.stringify(value)
    .replace(/"(\w+)":/g, ' $1: ')
    .replaceAll('"', "'")
    .replaceAll('}', ' }')
    .replaceAll(',', ', ')
    .replace(/ {2,}/g, ' ');
}

function toPython(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value).replaceAll(',', ', ');
}

/** Returns a name of the Python client, with an underscore after the keyword `from`. */
function toSnakeCase(name: string): string {
  if (name === 'from') return 'from_';
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
