import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import type { Database } from '../../src/users/database.ts';
import { DatabaseDownError } from '../../src/users/errors.ts';
import { Browser, PASSWORD } from './browser.ts';
import { TestCustodian } from './custodian.ts';
import { TestExchange } from './exchange.ts';

/** Names of withdrawal addresses over HTTP. */

const PLACE = { asset: 'BTC', network: 'bitcoin' };
const PATH = '/api/withdrawal-addresses';

let exchange: TestExchange;
let carol: Browser;
let account: string;
beforeAll(async () => {
  exchange = await TestExchange.open();
  await TestCustodian.open(exchange);
  carol = await Browser.signedUp(exchange);
  account = [...exchange.replica.exchange.state.accounts].at(-1)!.id;
  await exchange.addKey('payer', account, ['withdraw', 'read'], { addresses: ['127.0.0.0/16'] });
});
afterAll(() => exchange.close());

const add = (address: string, terms: object = {}) =>
  carol.send('POST', PATH, { ...PLACE, address, password: PASSWORD, ...terms });
const byKey = (method: string, path: string, body?: object) =>
  exchange.send('payer', method, path, body === undefined ? undefined : JSON.stringify(body));
const listed = async () => {
  const { json } = await carol.send('GET', PATH);
  const entries: { address: string; label: string | null }[] = json.data.addresses;
  return Object.fromEntries(entries.map(({ address, label }) => [address, label]));
};
const database = (): Database => Reflect.get(exchange.services.users, 'database');

test('an address gets a name when it is added or later, by a user or a key', async () => {
  const added = (await add('bc1qcold', { label: ' Cold wallet ' })).json.data;
  expect(added).toMatchObject({ created: true, address: { label: 'Cold wallet' } });
  const other = (await add('bc1qhot')).json.data.address;
  expect(other.label).toBeNull();
  expect(await listed()).toEqual({ bc1qcold: 'Cold wallet', bc1qhot: null });
  const renamed = await carol.send('PATCH', `${PATH}/${other.id}`, { label: 'Phone' });
  expect(renamed.json.data.address).toEqual({ ...other, label: 'Phone' });
  const repeated = (await add('bc1qcold')).json.data;
  expect(repeated).toEqual({ ...added, created: false });
  const again = (await add('bc1qcold', { label: 'Ledger' })).json.data;
  expect(again).toMatchObject({ created: false, address: { label: 'Ledger' } });
  await byKey('PATCH', `${PATH}/${other.id}`, { label: '  ' });
  expect(await listed()).toEqual({ bc1qcold: 'Ledger', bc1qhot: null });
  const book = await exchange.send(
    'operator',
    'GET',
    `/api/admin/accounts/${account}/${PATH.slice(5)}`,
  );
  expect(book.json.data.addresses[0]).toMatchObject({ address: 'bc1qcold', label: 'Ledger' });
  const audit = await exchange.send('operator', 'GET', `/api/admin/audit/users?account=${account}`);
  const [last, before] = audit.json.data.entries;
  expect(last).toMatchObject({ action: 'address_named', details: other.id, email: '' });
  expect(last.by).toStartWith('bwk_');
  expect(before).toMatchObject({ action: 'address_named', email: 'carol@example.com' });
  expect(JSON.stringify(audit.json)).not.toContain('Ledger');
});

test('a name is one line of at most 64 characters', async () => {
  const [{ id }] = (await carol.send('GET', PATH)).json.data.addresses;
  for (const label of ['x'.repeat(65), 'a\nb', 'a\u202eb', 7, null, undefined]) {
    const { status, json } = await carol.send('PATCH', `${PATH}/${id}`, { label });
    expect([label, status, json.error?.code]).toEqual([label, 400, 'INVALID_REQUEST']);
    expect(json.error.details.field).toBe('label');
  }
  const long = await add('bc1qlong', { label: 'x'.repeat(65) });
  expect(long.json.error).toMatchObject({ code: 'INVALID_REQUEST', details: { field: 'label' } });
  expect(await listed()).not.toHaveProperty('bc1qlong');
});

test('only entries of the own address book can be named, with the permission to withdraw', async () => {
  const [{ id }] = (await carol.send('GET', PATH)).json.data.addresses;
  const dave = await Browser.signedUp(exchange, 'dave@example.com');
  for (const [browser, entry] of [
    [dave, id],
    [carol, '999'],
    [carol, 'x'],
  ] as const) {
    const { json } = await browser.send('PATCH', `${PATH}/${entry}`, { label: 'Mine' });
    expect(json.error).toMatchObject({ code: 'NOT_FOUND', details: { field: 'id' } });
  }
  await exchange.addKey('reader', account, ['read', 'trade']);
  const denied = await exchange.send('reader', 'PATCH', `${PATH}/${id}`, '{"label":"Mine"}');
  expect(denied.json.error.code).toBe('INSUFFICIENT_PERMISSIONS');
  expect(await listed()).toMatchObject({ bc1qcold: 'Ledger' });
});

test('a name is deleted with its address, and an address that is added again has none', async () => {
  const { id } = (await add('bc1qold', { label: 'Old phone' })).json.data.address;
  const removed = await carol.send('DELETE', `${PATH}/${id}`);
  expect(removed.json.data.address).toMatchObject({ id, label: 'Old phone' });
  const { addressLabels } = exchange.services.users;
  expect((await addressLabels.list(account)).map(({ address }) => address)).toEqual(['bc1qcold']);
  expect((await add('bc1qold')).json.data).toMatchObject({
    created: true,
    address: { label: null },
  });
});

test('the address book works without names while the database is down', async () => {
  const { addressLabels } = exchange.services.users;
  const down = spyOn(database(), 'query').mockRejectedValue(new DatabaseDownError());
  const { json } = await byKey('GET', PATH);
  expect(json.data.addresses[0]).toMatchObject({ address: 'bc1qcold', label: null });
  expect((await byKey('DELETE', `${PATH}/${json.data.addresses[0].id}`)).status).toBe(200);
  down.mockRestore();
  // The next removal deletes the name that has stayed.
  expect((await addressLabels.list(account)).map(({ label }) => label)).toEqual(['Ledger']);
  const rest = (await byKey('GET', PATH)).json.data.addresses;
  await byKey('DELETE', `${PATH}/${rest[0].id}`);
  expect(await addressLabels.list(account)).toEqual([]);
});

test('naming fails if the database is down', async () => {
  const { id } = (await add('bc1qnew')).json.data.address;
  const down = spyOn(database(), 'transaction').mockRejectedValue(new DatabaseDownError());
  const { status, json } = await byKey('PATCH', `${PATH}/${id}`, { label: 'New' });
  expect([status, json.error.code]).toEqual([503, 'OVERLOADED']);
  down.mockRestore();
});
