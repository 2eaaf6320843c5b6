import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type Access, isOperatorAccess } from '../../src/gateway/auth/permissions.ts';
import { ENDPOINTS } from '../../src/gateway/endpoints/endpoints.ts';
import { ERRORS, type ErrorCode } from '../../src/gateway/http/response/errors.ts';
import { Browser } from './browser.ts';
import { checkDescribed, DOCUMENT, demandValid, neededQuery, type Parameter } from './described.ts';
import { type Answer, TestExchange } from './exchange.ts';

/** The OpenAPI document and the page that shows it. Other tests check every response against it. */

let exchange: TestExchange;
let browser: Browser;
beforeAll(async () => {
  exchange = await TestExchange.open();
  browser = await Browser.signedUp(exchange);
});
afterAll(() => exchange.close());

/** Every operation: its path, its method and its description. */
const OPERATIONS = Object.entries<Record<string, Operation>>(DOCUMENT.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly Parameter[];
  // biome-ignore lint/suspicious/noExplicitAny: as deep as OpenAPI is
  readonly responses: Record<string, any>;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly requestBody?: any;
}
const NAMED = OPERATIONS.map((one) => [one.operation.operationId, one] as const);

describe('the document', () => {
  test('is served unchanged', async () => {
    const answer = await exchange.send(undefined, 'GET', '/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('100');
    expect(answer.json).toEqual(DOCUMENT);
    expect(answer.json.openapi).toStartWith('3.1');
  });

  test("passes Redocly's recommended rules without a warning", async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(DOCUMENT);
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('has fields that are whole numbers everywhere or nowhere, because exact clients read them by name', () => {
    const types = new Map<string, Set<string>>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { properties } = value as { properties?: Record<string, { type?: unknown }> };
      for (const [name, schema] of Object.entries(properties ?? {})) {
        const known = types.get(name) ?? new Set();
        types.set(name, known);
        for (const type of [schema.type ?? []].flat()) known.add(String(type));
      }
      for (const part of Object.values(value)) visit(part);
    };
    visit(DOCUMENT);
    const isMixed = (names: Set<string>) => names.has('integer') && names.has('number');
    expect([...types].filter(([, names]) => isMixed(names)).map(([name]) => name)).toEqual([]);
  });

  test('has exactly the endpoints', () => {
    const described = OPERATIONS.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    const served = ENDPOINTS.map(
      ({ method, path }) => `${method} ${path.replace(/:([^/]+)/g, '{$1}')}`,
    );
    expect(described.sort()).toEqual(served.sort());
  });

  test('names every object of a request or response, so that generated clients stay small', () => {
    const inlineObjects: string[] = [];
    const visit = (part: unknown, path: string): void => {
      if (typeof part !== 'object' || part === null) return;
      if ('properties' in part) inlineObjects.push(path);
      for (const [key, value] of Object.entries(part)) {
        if (!/^examples?$/.test(key)) visit(value, `${path}/${key}`);
      }
    };
    visit(DOCUMENT.paths, '');
    expect(inlineObjects).toEqual([]);
    // The models of a generated client, on average about two per operation.
    const count = Object.keys(DOCUMENT.components.schemas).length;
    expect(count).toBeLessThan(2.6 * OPERATIONS.length);
  });

  test('describes the parameters that choose orders to cancel as such', () => {
    for (const { operation } of OPERATIONS) {
      const texts = operation.parameters
        .filter((parameter) => parameter['x-exactlyOne'])
        .map(({ description }) => description);
      if (texts.length === 0) continue;
      expect(operation.operationId).toStartWith('cancelOrders');
      for (const text of texts) expect(text).toStartWith('Cancel ');
    }
    const reads = OPERATIONS.filter(({ method }) => method === 'get');
    const texts = reads.flatMap(({ operation }) =>
      operation.parameters.map((one) => one.description),
    );
    expect(texts.filter((text) => text?.startsWith('Cancel'))).toEqual([]);
  });

  test('lists every error code in its table, and those of operations as examples', () => {
    for (const [code, { status, message }] of Object.entries(ERRORS)) {
      expect(DOCUMENT.info.description).toContain(`| \`${code}\` | ${status} | ${message} |`);
    }
    const missing = Object.keys(ERRORS).filter((code) => !(code in DOCUMENT.components.examples));
    // Unknown paths and methods belong to no operation.
    expect(missing).toEqual(['METHOD_NOT_ALLOWED']);
  });

  test.each(NAMED)('every example of %s fits its schema', (_, { path, method, operation }) => {
    const bodies = Object.entries(operation.responses).map(([status, { content }]) => ({
      where: ['responses', status],
      content,
    }));
    if (operation.requestBody !== undefined) {
      bodies.push({ where: ['requestBody'], content: operation.requestBody.content });
    }
    for (const { where, content } of bodies) {
      const { example, examples = {} } = content['application/json'];
      const values = Object.entries<{ $ref?: string; value?: unknown }>(examples).map(
        ([name, { $ref, value }]) =>
          $ref === undefined ? value : DOCUMENT.components.examples[name].value,
      );
      if (example !== undefined) values.push(example);
      expect(values.length).toBeGreaterThan(0);
      const pointer = ['paths', path, method, ...where, 'content', 'application/json', 'schema'];
      for (const value of values) demandValid(pointer, value, where.join(' '));
    }
  });

  test.each(NAMED)('%s has the status of each code it names', (_, { operation }) => {
    for (const [status, { content, headers }] of Object.entries(operation.responses)) {
      const names = Object.keys(headers);
      expect(names).toContain('X-RateLimit-Reset');
      expect(names.includes('Retry-After')).toBe(status === '429' || status === '503');
      const codes = Object.keys(content['application/json'].examples ?? {}) as ErrorCode[];
      for (const code of codes) expect(`${code} ${ERRORS[code].status}`).toBe(`${code} ${status}`);
    }
  });
});

describe('the document and the exchange agree', () => {
  const credentialFor = (access: Access) => (isOperatorAccess(access) ? 'operator' : undefined);
  const reads = ENDPOINTS.filter((endpoint) => endpoint.method === 'GET');

  test.each(reads.map((endpoint) => [endpoint.path, endpoint] as const))(
    'on the parameters of GET %s',
    async (path, { access, handle }) => {
      const name = access === 'read' || access === 'key' ? 'alice' : credentialFor(access);
      const target = `${path.replace(':id', 'alice')}?nope=1`;
      const answer =
        access === 'session'
          ? await browser.send('GET', target)
          : await exchange.send(name, 'GET', target);
      const { operationId, query = [] } = handle.description;
      const takes = query.length === 0 ? 'none' : query.join(', ');
      expect(`${operationId}: ${answer.json.error.message}`).toEndWith(
        ` Parameters of this endpoint: ${takes}.`,
      );
    },
  );

  test.each(
    ENDPOINTS.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('on who may call %s', async (_, { method, path, access, handle }) => {
    const { operationId } = handle.description;
    const { operation } = OPERATIONS.find((one) => one.operation.operationId === operationId)!;
    const query = new URLSearchParams(neededQuery(operation));
    const target = `${path.replace(/:\w+/g, '1')}?${query}`;
    const answer = await exchange.send(undefined, method, target);
    // Public endpoints fail for their missing body instead.
    const openly = method === 'GET' ? 200 : 400;
    expect(answer.status).toBe(access === 'public' ? openly : 401);
    const key = DOCUMENT.security.filter((scheme: object) => 'apiKey' in scheme);
    const custodian = [{ timestamp: [], signature: [] }];
    const security = { public: [], session: [{ session: [] }], key, custodian };
    expect<unknown>(operation.security).toEqual(security[access as 'public']);
  });

  test('a response that differs from its description is detected', async () => {
    const { status, headers, json } = await exchange.send(undefined, 'GET', '/api/prices');
    headers.set('Cache-Control', 'no-store');
    const held = (change: (copy: typeof json) => void, code = status) => {
      const copy = structuredClone(json);
      change(copy);
      const answer = { method: 'GET', status: code, headers, text: JSON.stringify(copy) };
      return () => checkDescribed({ method: 'GET', path: '/api/prices' }, answer);
    };
    held(() => {})();
    expect(held(({ data }) => delete data.prices[0].vwap)).toThrow("property 'vwap'");
    expect(held(({ data }) => Object.assign(data.prices[0], { more: 1 }))).toThrow('more');
    expect(held(({ data }) => Object.assign(data.prices[0], { price: '1' }))).toThrow('number');
    expect(held(() => {}, 418)).toThrow('no such response');
    const error = { code: 'NO_LIQUIDITY', message: 'none', details: {} };
    const refused = (copy: typeof json) => {
      delete copy.data;
      Object.assign(copy, { success: false, error });
    };
    expect(held(refused, 400)).toThrow('NO_LIQUIDITY');
  });
});

describe('GET /docs/try', () => {
  const get = (path: string): Promise<Answer> => exchange.send(undefined, 'GET', path);

  test('is a page that loads its script and the document from this exchange only', async () => {
    const page = await get('/docs/try');
    expect(page.status).toBe(200);
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('Content-Security-Policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(page.text).not.toContain('//');
    expect(page.text).toContain('data-url="/openapi.json"');
    const script = /src="([^"]+)"/.exec(page.text)![1];
    const { status, headers, text } = await get(script!);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
    expect(text).toContain('@scalar/api-reference');
  });

  test.each(['/docs/try', '/docs/scalar.js', '/openapi.json', '/asyncapi.json'])(
    '%s counts as a public request and takes GET alone',
    async (path) => {
      const limited = await TestExchange.open({ rateLimits: 'spec' });
      const remaining = async (method: string) => {
        const { status, headers } = await limited.send(undefined, method, path);
        return [status, headers.get('X-RateLimit-Remaining'), headers.get('Allow')];
      };
      expect(await remaining('GET')).toEqual([200, '99', null]);
      expect(await remaining('POST')).toEqual([405, '98', 'GET, HEAD, OPTIONS']);
      expect(await remaining('HEAD')).toEqual([200, '97', null]);
      await limited.close();
    },
  );
});
