import { below, type Random } from '../../src/storage/seeded-random.ts';
import type { Operation, OperationParameter } from './operations.ts';
import { instance, type Known, parameterText, variation } from './schema.ts';
import { damaged, damagedBytes, type Tree, toText } from './tree.ts';

/**
 * Senders of requests: `carol` and `boss` are signed-in users, `wrongSecret` uses another key's secret, `signer` signs
 * with a key of alice, `custodian` with the custodian's.
 */
export const ACTORS = [
  'anonymous',
  'reader',
  'alice',
  'bob',
  'operator',
  'carol',
  'boss',
  'wrongSecret',
  'signer',
  'custodian',
] as const;
export type Actor = (typeof ACTORS)[number];

/** A request to send, without the credentials of its actor. */
export interface FuzzRequest {
  readonly operation: string;
  readonly actor: Actor;
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  /** Headers that replace those of the credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

/** Values that an operation needs and the document cannot contain, such as a mailed token. */
export interface Given {
  readonly body?: Readonly<Record<string, Tree>>;
  readonly path?: Readonly<Record<string, string>>;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'get', 'X'];
const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['Content-Type', ['', 'text/plain', 'application/json;charset=x', 'APPLICATION/JSON', 'a/b;c=d']],
  ['Content-Encoding', ['gzip', 'br', 'identity', '']],
  ['Content-Length', ['0', '5', '99999', '-1', 'x', '1e3']],
  ['X-API-Version', ['1', 'v1', '2', '', '1, 1']],
  ['Origin', ['null', 'https://a.example', 'http://localhost:3000', '', 'x']],
  ['Authorization', ['', 'Bearer', 'Bearer x', 'Basic eDp5', `Bearer ${'a'.repeat(2000)}`]],
  ['X-API-Secret', ['', 'x', 'bws_']],
  ['X-API-Signature', ['', 'x', `${'A'.repeat(86)}==`, 'A'.repeat(9000)]],
  ['X-API-Timestamp', ['', '0', '1767614400000', '1e12', '1767614400000, 1767614400000']],
  ['X-API-Recv-Window', ['', '0', '1', '60001', '5000, 5000']],
  ['Cookie', ['', '__Host-buttonwood=', `__Host-buttonwood=${'A'.repeat(43)}`, ';;=;a']],
  ['X-Forwarded-For', ['1.2.3.4', '::1', 'x', ',', `${'1.1.1.1,'.repeat(300)}`]],
  ['Host', ['', 'a b', 'evil.example', '[::1]:1']],
  ['X-Request-Id', ['mine', 'a'.repeat(500)]],
  ['User-Agent', ['', '\u0001', 'x'.repeat(3000)]],
  ['X-HTTP-Method-Override', ['DELETE']],
];
const PATH_PARTS = [
  '/',
  '//',
  '/..',
  '/.',
  '%',
  '%00',
  '%2f',
  '%ff',
  '%F0%9F%98%80',
  '?',
  '&',
  '=',
  ';',
  ':',
  '#',
  '+',
  ' ',
  '\\',
  '\u0000',
  'ä',
  '😀',
  '\ud800',
  '*',
  '{',
  '[',
  '\t',
  '?x=1',
  '&limit=0',
  '%2e%2e%2f',
  '?symbol=BTC/USDT&symbol=ETH/USDT',
  '?__proto__=1',
  'a'.repeat(4000),
];

/** Returns a request that the document allows, with ids of the exchange and the values of `given`. */
export function validRequest(
  operation: Operation,
  actor: Actor,
  given: Given,
  known: Known,
  random: Random,
): Draft {
  const inPath: Record<string, string> = {};
  for (const { name, schema } of operation.inPath) {
    inPath[name] =
      given.path?.[name] ?? parameterText(schema, pathName(operation, name), known, random);
  }
  return {
    operation,
    actor,
    method: operation.method,
    inPath,
    headers: {},
    query: makeQuery(operation.inQuery, known, random),
    tree: makeBody(operation, given, known, random),
    pathDamage: undefined,
    byteDamages: 0,
  };
}

export interface Draft {
  readonly operation: Operation;
  actor: Actor;
  method: string;
  readonly inPath: Record<string, string>;
  query: [string, string][];
  readonly headers: Record<string, string>;
  tree: Tree | undefined;
  pathDamage: { readonly at: number; readonly part: string } | undefined;
  byteDamages: number;
}

/** Adds one fault of some kind. */
export function damage(draft: Draft, known: Known, random: Random): void {
  const pick = <T>(items: readonly T[]): T => items[below(items.length, random)]!;
  const { operation } = draft;
  const kind = below(12, random);
  if (kind === 0) draft.method = pick(METHODS);
  else if (kind === 1) draft.pathDamage = { at: random(), part: pick(PATH_PARTS) };
  else if (kind <= 3) {
    const [name, values] = pick(HEADERS);
    draft.headers[name] = pick(values);
  } else if (kind === 4) draft.actor = pick(ACTORS);
  else if (kind === 5 && operation.inPath.length > 0) {
    const { name, schema } = pick(operation.inPath);
    draft.inPath[name] = parameterText(schema, name, known, random, true);
  } else if (kind <= 7 || draft.tree === undefined) damageQuery(draft, known, random);
  else if (kind === 8) draft.byteDamages++;
  else draft.tree = damaged(draft.tree, random);
}

function damageQuery(draft: Draft, known: Known, random: Random): void {
  const pick = <T>(items: readonly T[]): T => items[below(items.length, random)]!;
  const { query } = draft;
  const at = below(query.length + 1, random);
  const { inQuery } = draft.operation;
  const other = [...inQuery, { name: pick(['x', 'symbol', 'limit', '']), schema: {} }];
  const { name, schema } = pick(other);
  switch (below(4, random)) {
    case 0:
      draft.query = query.toSpliced(at, 1);
      break;
    case 1:
      if (query[at] !== undefined) draft.query = [...query, query[at]];
      break;
    default:
      draft.query = [...query, [name, parameterText(schema, name, known, random, true)]];
  }
}

export function makeRequest(draft: Draft, random: Random): FuzzRequest {
  const { operation, actor, method, inPath, query, headers, tree, pathDamage } = draft;
  const filled = operation.path.replace(/\{([^}]+)\}/g, (_, name) =>
    encodeURIComponent(inPath[name]!.toWellFormed()),
  );
  const pairs = query.map(([name, value]) => [name, value].map(encoded).join('='));
  let path = pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
  if (pathDamage !== undefined) {
    const at = Math.floor(pathDamage.at * (path.length + 1));
    path = path.slice(0, at) + pathDamage.part + path.slice(at);
  }
  let body = tree === undefined ? undefined : Uint8Array.from(Buffer.from(toText(tree)));
  for (let left = draft.byteDamages; body !== undefined && left > 0; left--) {
    body = damagedBytes(body, random);
  }
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return { operation: operation.id, actor, method, path, headers: { ...type, ...headers }, body };
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function makeQuery(parameters: readonly OperationParameter[], known: Known, random: Random) {
  const alternatives = parameters.filter(({ isExactlyOne }) => isExactlyOne);
  const one = alternatives[below(Math.max(1, alternatives.length), random)];
  return parameters
    .filter((each) => (each.isExactlyOne ? each === one : each.required || below(3, random) === 0))
    .map(({ name, schema }): [string, string] => [name, parameterText(schema, name, known, random)])
    .filter(([, value]) => value !== '');
}

function makeBody(
  { body }: Operation,
  given: Given,
  known: Known,
  random: Random,
): Tree | undefined {
  if (body === undefined) return undefined;
  const { schema, examples } = body;
  const tree =
    below(3, random) === 0
      ? instance(schema, '', known, random)
      : variation(examples[below(examples.length, random)], known, random);
  if (given.body === undefined || typeof tree === 'string' || !('fields' in tree)) return tree;
  const own = tree.fields.filter(([name]) => !Object.hasOwn(given.body!, name));
  return { fields: [...own, ...Object.entries(given.body)] };
}

/** Returns the kind of an id in a path: of an account, order, session or key. */
function pathName({ path }: Operation, name: string): string {
  if (name !== 'id') return name;
  const [, owner] = /\/([a-z-]+)\/\{id\}/.exec(path)!;
  return (
    { accounts: 'account', orders: 'orderId', sessions: 'sessionId', keys: 'apiKey' }[
      owner as string
    ] ?? owner!
  );
}
