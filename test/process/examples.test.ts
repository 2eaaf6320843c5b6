import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { checkDescribed, DOCUMENT, neededQuery, type Parameter } from '../http/described.ts';
import { ExampleCustody } from './example-custody.ts';
import { ExampleUser } from './example-user.ts';
import { type Credential, ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { insertAlert } from './insert-alert.ts';
import { SmtpSink } from './smtp-sink.ts';

/** Tests every example request of the OpenAPI document on a real exchange. */

setDefaultTimeout(60_000);

const directory = temporaryDirectory();
const mail = await SmtpSink.open();
let exchange: ExchangeProcess;
let custody: ExampleCustody;
let alerts = 0;
beforeAll(async () => {
  exchange = await ExchangeProcess.start(directory.path, {
    BUTTONWOOD_MAKERS: 'on',
    BUTTONWOOD_SMTP_URL: mail.url,
    BUTTONWOOD_MAIL_FROM: 'Buttonwood <exchange@example.com>',
  });
  custody = new ExampleCustody(exchange, mail);
});
afterAll(async () => {
  await exchange.stop();
  mail.stop();
  directory.remove();
});

interface Example {
  readonly title: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly parameters: readonly Parameter[];
  readonly body: unknown;
}

/** Methods that create things come first, those that delete last. */
const ORDER_OF_METHODS = ['post', 'patch', 'get', 'delete'];
const EXAMPLES: readonly Example[] = ORDER_OF_METHODS.flatMap((method) =>
  Object.keys(DOCUMENT.paths)
    .filter((path) => method in DOCUMENT.paths[path])
    .flatMap((path) => {
      const { operationId, tags, parameters, requestBody } = DOCUMENT.paths[path][method];
      const named: Record<string, { value?: unknown }> = requestBody?.content['application/json']
        .examples ?? { '': {} };
      return Object.entries(named).map(([name, { value }]) => ({
        title: `${operationId} ${name}`.trim(),
        operation: operationId,
        method: method.toUpperCase(),
        path,
        tag: tags[0],
        parameters,
        body: value,
      }));
    }),
);

test.each(EXAMPLES.map((example) => [example.title, example] as const))(
  '%s',
  async (_, example) => {
    if (example.tag === 'Users') return expectUserSuccess(example);
    const prepared = await custody.prepare(example);
    if (prepared !== undefined) {
      const { path, body, headers } = prepared;
      return expectSuccess({ ...example, body }, path, headers);
    }
    if (example.operation === 'endAccountSession') return expectEndedSession(example);
    const needed = neededQuery(example);
    const send = (path: string, query: [string, string][]) =>
      expectSuccess(example, query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`);
    await send(await toPath(example), needed);
    // Try one parameter at a time: several filters together may find nothing.
    const isAlternative = (name: string) =>
      example.parameters.some((one) => one.name === name && one['x-exactlyOne']);
    for (const { name, schema } of example.parameters.filter((one) => one.in === 'query')) {
      for (const value of schema.examples ?? []) {
        const others = needed.filter(
          ([other]) => other !== name && !(isAlternative(name) && isAlternative(other)),
        );
        // An order can be canceled once, so each request has a new path.
        const path = await toPath(example);
        const sent = await toQueryValue(example.path, name, `${value}`);
        await send(path, [...others, [name, sent]]);
      }
    }
  },
);

/** Ends the session of a new user. */
async function expectEndedSession(example: Example): Promise<void> {
  const user = new ExampleUser(exchange.baseUrl, mail);
  await user.signUp();
  const sessions = `/api/admin/accounts/${await user.accountId()}/sessions`;
  const { json } = await exchange.send(credentialFor('Operator'), 'GET', sessions);
  await expectSuccess(example, `${sessions}/${json.data.sessions[0].id}`);
}

/** Sends it as a new user. */
async function expectUserSuccess(example: Example): Promise<void> {
  const { operation, body, path } = example;
  const user = new ExampleUser(exchange.baseUrl, mail);
  await user.signUp();
  const target = path.includes('{id}') ? path.replace('{id}', await user.orderId(operation)) : path;
  const sent = { ...example, body: await user.makeBody(operation, body) };
  await expectSuccess(sent, target, user.headers);
}

async function expectSuccess(
  { method, tag, body }: Example,
  path: string,
  userHeaders?: Record<string, string>,
): Promise<void> {
  const credential = credentialFor(tag);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(exchange.baseUrl + path, {
    method,
    headers: userHeaders ?? {
      Authorization: `Bearer ${credential.apiKey}`,
      'X-API-Secret': credential.apiSecret,
      'X-API-Version': '1',
      'Content-Type': 'application/json',
    },
    ...(text === undefined ? {} : { body: text }),
  });
  const { status, headers } = response;
  const answer = { method, status, headers, text: await response.text() };
  // 202 if it waits for a second operator.
  if (status !== 202) expect(answer).toMatchObject({ status: 200 });
  checkDescribed({ method, path, body: text }, answer);
  if (path === '/api/sandbox/faults' && method === 'POST') await removeFaults();
}

/** Removes faults, which would happen to the other examples. */
async function removeFaults(): Promise<void> {
  await exchange.send(exchange.credential('operator'), 'DELETE', '/api/sandbox/faults');
}

const credentialFor = (tag: string): Credential =>
  exchange.credential(['Operator', 'Sandbox'].includes(tag) ? 'operator' : 'alice');

/** Returns the value of a query parameter: its example, unless that depends on what happened before. */
async function toQueryValue(path: string, name: string, example: string): Promise<string> {
  const operator = exchange.credential('operator');
  if (name === 'at') {
    const { json } = await exchange.send(operator, 'GET', '/api/admin/state');
    return `${json.data.logPosition}`;
  }
  if (name !== 'id' || path !== '/api/sandbox/faults') return example;
  const body = JSON.stringify({ faults: [{ kind: 'reject_all', probability: 0 }] });
  const { json } = await exchange.send(operator, 'POST', path, body);
  return json.data.script.id;
}

/** Returns the path with an order to cancel, a key to revoke, or its example value. */
async function toPath({ path, parameters }: Example): Promise<string> {
  let filled = path;
  for (const { name, schema } of parameters.filter((one) => one.in === 'path')) {
    const create = Object.entries(CREATORS).find(([prefix]) => path.startsWith(prefix))?.[1];
    const byName = { apiKey: newKey, orderId: openOrder }[name];
    const value = create ?? byName ?? (async () => `${schema.examples![0]}`);
    filled = filled.replace(`{${name}}`, await value());
  }
  return filled;
}

/** Functions that create what a path names, by the beginning of the path. Return its id. */
const CREATORS: Readonly<Record<string, () => Promise<string>>> = {
  '/api/orders/': openOrder,
  '/api/webhooks/': newWebhook,
  '/api/alerts/': newAlert,
  '/api/reports/': newReport,
  '/api/admin/reports/': newReport,
  '/api/admin/approvals/': newApproval,
  '/api/admin/alerts/': newSurveillanceAlert,
  '/api/proofs/': newProof,
};

async function newWebhook(): Promise<string> {
  const body = JSON.stringify({ url: `${exchange.baseUrl}/hook`, events: ['*'] });
  const { json } = await exchange.send(credentialFor('Trading'), 'POST', '/api/webhooks', body);
  return json.data.webhook.id;
}

/** Returns the id of a request that an operator of another account has made. It changes nothing if it is approved. */
async function newApproval(): Promise<string> {
  const operator = credentialFor('Operator');
  const admin = (path: string, body: object) =>
    exchange.send(operator, 'POST', `/api/admin${path}`, JSON.stringify(body));
  await admin('/accounts', { accountId: 'second-operator' });
  const { json } = await admin('/accounts/second-operator/keys', { permissions: ['operate'] });
  const second = { apiKey: json.data.key.apiKey, apiSecret: json.data.apiSecret } as Credential;
  const policy = JSON.stringify({ actions: [], limits: [], reason: 'example' });
  const requested = await exchange.send(second, 'POST', '/api/admin/approval-policy', policy);
  return requested.json.data.approval.id;
}

function newSurveillanceAlert(): Promise<string> {
  return insertAlert(directory.path, alerts++);
}

async function newProof(): Promise<string> {
  const { json } = await exchange.send(
    credentialFor('Operator'),
    'POST',
    '/api/admin/proofs',
    '{}',
  );
  return json.data.id;
}

async function newAlert(): Promise<string> {
  const body = JSON.stringify({ symbol: 'BTC/USDT', direction: 'above', price: 10_000_000 });
  const { json } = await exchange.send(credentialFor('Trading'), 'POST', '/api/alerts', body);
  return json.data.alert.id;
}

/** Returns the id of a report that is done. */
async function newReport(): Promise<string> {
  const trader = credentialFor('Trading');
  const terms = { kind: 'fills', format: 'csv', from: '2026-01-01T00:00:00.000Z' };
  const created = await exchange.send(trader, 'POST', '/api/reports', JSON.stringify(terms));
  const { reportId } = created.json.data;
  for (let status = ''; status !== 'done'; ) {
    const { json } = await exchange.send(trader, 'GET', `/api/reports/${reportId}`);
    ({ status } = json.data);
  }
  return reportId;
}

async function openOrder(): Promise<string> {
  const body = DOCUMENT.paths['/api/orders'].post.requestBody.content['application/json'].examples;
  const text = JSON.stringify(body.limit.value);
  const { json } = await exchange.send(credentialFor('Trading'), 'POST', '/api/orders', text);
  return json.data.orderId;
}

async function newKey(): Promise<string> {
  const body = '{"permissions":["read"]}';
  const path = '/api/admin/accounts/alice/keys';
  const { json } = await exchange.send(credentialFor('Operator'), 'POST', path, body);
  return json.data.key.apiKey;
}
