import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { checkDescribed, DOCUMENT, neededQuery, type Parameter } from '../http/described.ts';
import { ExampleUser } from './example-user.ts';
import { type Credential, ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { SmtpSink } from './smtp-sink.ts';

/** Tests every example request of the OpenAPI document on a real exchange. */

setDefaultTimeout(60_000);

const directory = temporaryDirectory();
const mail = await SmtpSink.open();
let exchange: ExchangeProcess;
beforeAll(async () => {
  exchange = await ExchangeProcess.start(directory.path, {
    BUTTONWOOD_SMTP_URL: mail.url,
    BUTTONWOOD_MAIL_FROM: 'Buttonwood <exchange@example.com>',
  });
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
    const path = await toPath(example);
    const needed = neededQuery(example);
    const withQuery = (query: [string, string][]) =>
      query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
    await expectSuccess(example, withQuery(needed));
    // Try one parameter at a time: several filters together may find nothing.
    const isAlternative = (name: string) =>
      example.parameters.some((one) => one.name === name && one['x-exactlyOne']);
    for (const { name, schema } of example.parameters.filter((one) => one.in === 'query')) {
      for (const value of schema.examples ?? []) {
        const others = needed.filter(
          ([other]) => other !== name && !(isAlternative(name) && isAlternative(other)),
        );
        await expectSuccess(example, withQuery([...others, [name, `${value}`]]));
      }
    }
  },
);

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
  expect(answer).toMatchObject({ status: 200 });
  checkDescribed({ method, path, body: text }, answer);
}

const credentialFor = (tag: string): Credential =>
  exchange.credential(tag === 'Operator' ? 'operator' : 'alice');

/** Returns the path with an order to cancel, a key to revoke, or its example value. */
async function toPath({ path, parameters }: Example): Promise<string> {
  let filled = path;
  for (const { name, schema } of parameters.filter((one) => one.in === 'path')) {
    const value = path.startsWith('/api/orders/')
      ? await openOrder()
      : name === 'apiKey'
        ? await newKey()
        : `${schema.examples![0]}`;
    filled = filled.replace(`{${name}}`, value);
  }
  return filled;
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
