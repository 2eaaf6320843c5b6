import type { Bug } from './bug.ts';

const rest = (file: string, test: string) => ({ file: `test/http/${file}.test.ts`, test });

/** What a client is let do and told over REST. */
export const gatewayBugs: readonly Bug[] = [
  {
    name: 'a secret is known by the first half of its hash',
    file: 'src/gateway/credentials.ts',
    text: 'const isEqual = timingSafeEqual(hash, storedHash ?? NO_HASH);',
    becomes:
      'const isEqual = timingSafeEqual(hash.subarray(0, 16), (storedHash ?? NO_HASH).subarray(0, 16));',
    catcher: { file: 'src/gateway/credentials.test.ts', test: 'verifySecret' },
  },
  {
    name: 'a revoked or expired key is let in',
    file: 'src/gateway/admission.ts',
    text: 'return isInForce(key, Math.max(now, this.state.time)) ? key : undefined;',
    becomes: 'return key;',
    catcher: rest('credentials', 'a key ends at its time, on the millisecond'),
  },
  {
    name: 'a key is looked up once and then remembered',
    file: 'src/gateway/admission.ts',
    text: 'return isInForce(key, Math.max(now, this.state.time)) ? key : undefined;',
    becomes:
      'const known = this as unknown as { seen?: Set<unknown> };\n    known.seen ??= new Set();\n    if (known.seen.has(key)) return key;\n    if (!isInForce(key, Math.max(now, this.state.time))) return undefined;\n    known.seen.add(key);\n    return key;',
    catcher: rest('admin', 'accounts and keys'),
  },
  {
    name: 'a permission is asked for before the credentials',
    file: 'src/gateway/admission.ts',
    text: "return this.admitNobody(request, peers, endpoint, new ApiError('UNAUTHORIZED'));",
    becomes:
      "return this.admitNobody(request, peers, endpoint, new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required: access }));",
    catcher: rest('credentials', 'on every private endpoint'),
  },
  {
    name: 'a key that may read places orders over REST',
    file: 'src/gateway/admission.ts',
    text: 'if ((key.permissions & permission) === 0) {',
    becomes: 'if (key.permissions === 0) {',
    catcher: rest('credentials', 'opens its own endpoints and no others'),
  },
  {
    name: 'the allow-list of addresses is not looked at',
    file: 'src/gateway/allow-lists.ts',
    text: 'return list.includes(address);',
    becomes: 'return true;',
    catcher: rest('credentials', 'only addresses and networks on it'),
  },
  {
    name: 'anybody may say where a request comes from',
    file: 'src/gateway/address.ts',
    text: 'while (end >= 0 && trustedProxies.includes(client)) {',
    becomes:
      'while (end >= 0 && (end === forwardedFor.length || trustedProxies.includes(client))) {',
    catcher: rest('credentials', 'X-Forwarded-For counts only from configured proxies'),
  },
  {
    name: 'X-RateLimit-Remaining says what was there before',
    file: 'src/gateway/envelope.ts',
    text: 'if (remaining !== shownRemaining) {',
    becomes: 'if (remaining < shownRemaining) {',
    catcher: rest('rate-limits', ''),
  },
  {
    name: 'the header X-RateLimit-Reset is missing',
    file: 'src/gateway/envelope.ts',
    text: "HEADERS.set('X-RateLimit-Reset', String(resetSeconds));",
    becomes: '',
    catcher: rest('rate-limits', 'X-RateLimit-Reset is whole Unix seconds'),
  },
  {
    name: 'one request more than the limit is let in',
    file: 'src/gateway/rate-limit.ts',
    text: 'this.allowed = count <= this.limit;',
    becomes: 'this.allowed = count <= this.limit + 1;',
    catcher: rest('rate-limits', 'each endpoint has a number and a window of its own'),
  },
  {
    name: 'requests that are refused make the window longer',
    file: 'src/gateway/rate-limit.ts',
    text: 'const count = ++this.counts[index]!;',
    becomes:
      'const count = ++this.counts[index]!;\n    if (count > this.limits[endpoint]!) this.startsMs[index] = nowMs;',
    catcher: {
      file: 'src/gateway/rate-limit.test.ts',
      test: 'AccountWindows',
    },
  },
  {
    name: 'wrong credentials drain the window of an account',
    file: 'src/gateway/admission.ts',
    text: 'this.windows.failures.take(scope, endpoint, this.services.now());',
    becomes: 'this.windows.accounts.take(0, KEY_SLOTS[endpoint]!, 1, this.services.now());',
    catcher: rest('rate-limits', 'failed logins'),
  },
  {
    name: "another account's order is shown to whoever knows its number",
    file: 'src/gateway/rest/orders.ts',
    text: 'const isOwn = open !== undefined && open.account === call.account.index;',
    becomes: 'const isOwn = open !== undefined;',
    catcher: rest('get-order', "another account's order is not found, open or final"),
  },
  {
    name: "another account's order that has ended is shown",
    file: 'src/history/order-queries.ts',
    text: "'SELECT * FROM orders WHERE account = $1 AND id = $2',",
    becomes: "'SELECT * FROM orders WHERE $1 >= 0 AND id = $2',",
    catcher: rest('get-order', "another account's order is not found, open or final"),
  },
  {
    name: 'an answer that is kept is given to another account',
    file: 'src/gateway/gateway.ts',
    text: "const asker = endpoint.access === 'public' ? '' : call.account.index;",
    becomes: "const asker = '';",
    catcher: rest('kept-answers', 'is told to its account alone'),
  },
  {
    name: 'a number goes through a double',
    file: 'src/gateway/order-number.ts',
    text: 'const parsed = parseUnits(value.text, decimals);',
    becomes: 'const parsed = parseUnits(String(Number(value.text)), decimals);',
    catcher: rest('exactness', 'a number off the grid is refused with the nearest'),
  },
  {
    name: 'a number off the grid is rounded',
    file: 'src/gateway/order-number.ts',
    text: 'throw offGrid(value.text, grid);',
    becomes: 'return parseUnits(nearestWithin(value.text, grid)!, decimals) as Exact;',
    catcher: rest('exactness', 'a number off the grid is refused with the nearest that is on it'),
  },
  {
    name: 'an unknown field is passed over',
    file: 'src/gateway/order-request.ts',
    text: 'if (!FIELDS.has(field))',
    becomes: 'if (!FIELDS.has(field) && field.length > 64)',
    catcher: rest('body', 'unknown fields are refused by name'),
  },
  {
    name: 'a cursor passes over a row',
    file: 'src/gateway/rest/orders.ts',
    text: 'const edge = hasMore ? page.at(-1)!.id : found.searchedTo;',
    becomes: 'const edge = hasMore ? found.orders.at(-1)!.id : found.searchedTo;',
    catcher: rest('order-list', 'pages'),
  },
  {
    name: 'a cursor gives a row twice',
    file: 'src/history/id-search.ts',
    text: '(beforeId === undefined || id < beforeId) &&',
    becomes: '(beforeId === undefined || id <= beforeId) &&',
    catcher: rest('order-list', 'pages'),
  },
  {
    name: 'a cursor of another list is taken',
    file: 'src/gateway/cursor.ts',
    text: 'if (Number.isSafeInteger(id) && cursor === writeCursor(id, scope)) return id;',
    becomes: 'if (Number.isSafeInteger(id) && scope !== cursor) return id;',
    catcher: rest('order-list', 'a cursor of another query'),
  },
  {
    name: 'what waits for a commit is not in the list of fills',
    file: 'src/history/fill-queries.ts',
    text: 'return withOthers({ items: items.map(readFill), searchedTo }, pending, idOf, filter);',
    becomes: 'return withOthers({ items: items.map(readFill), searchedTo }, [], idOf, filter);',
    catcher: rest('fills', 'a fill of an order that was acknowledged is in the next answer'),
  },
  {
    name: 'an overloaded exchange takes new orders',
    file: 'src/gateway/gateway.ts',
    text: 'return replica.isOverloaded ? OVERLOADED : undefined;',
    becomes: 'return replica.position < 0 ? OVERLOADED : undefined;',
    catcher: rest('errors', 'OVERLOADED refuses new orders before anything is done'),
  },
  {
    name: 'an error tells of the program',
    file: 'src/gateway/gateway.ts',
    text: "error = new ApiError('INTERNAL_ERROR');",
    becomes: "error = new ApiError('INTERNAL_ERROR', String((thrown as Error).stack));",
    catcher: rest('errors', 'INTERNAL_ERROR has no stack and no path'),
  },
];
