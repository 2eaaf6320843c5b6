import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests approvals by a second operator, roles and notes over HTTP. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
  await exchange.addKey('second', 'bob', ['operate']);
  await exchange.addKey('spare', 'operator', ['operate']);
  await exchange.addKey('treasurer', 'operator', ['treasury']);
  await exchange.addKey('auditor', 'bob', ['audit']);
  await exchange.addKey('supporter', 'bob', ['support']);
});
afterAll(() => exchange.close());

const send = (name: string, method: string, path: string, body?: object) =>
  exchange.send(name, method, `/api/admin${path}`, body && JSON.stringify(body));

/** Puts a policy in force: the operator asks, the second one approves. */
async function setPolicy(actions: string[], limits: object[] = []): Promise<void> {
  const { status, data } = await send('operator', 'POST', '/approval-policy', {
    actions,
    limits,
    reason: 'two of us',
  });
  expect(status).toBe(202);
  const path = `/approvals/${data.approval.id}/approve`;
  expect((await send('second', 'POST', path, {})).status).toBe(200);
}

const credit = (reference: string, amount = 500) => {
  return { account: 'alice', asset: 'USDT', amount, reference, reason: 'deposit' };
};
const readFunds = async () => {
  const { data } = await send('operator', 'GET', '/accounts/alice/balances');
  return data.balances.find(({ asset }: { asset: string }) => asset === 'USDT').available;
};

describe('four eyes', () => {
  test('a credit above its limit is answered with 202 and carried out once approved', async () => {
    await setPolicy(['adjustments'], [{ asset: 'USDT', amount: 100 }]);
    const before = await readFunds();
    expect((await send('operator', 'POST', '/transfers', credit('small', 100))).status).toBe(200);
    const asked = await send('treasurer', 'POST', '/transfers', credit('large'));
    expect([asked.status, asked.data.approval.status]).toEqual([202, 'pending']);
    expect(asked.data.approval).toMatchObject({
      action: 'transfer',
      subject: 'alice',
      details: { amount: 500, reference: 'large' },
      account: 'operator',
      isOwn: true,
      reason: 'deposit',
    });
    expect(await readFunds()).toBe(before + 100);
    const path = `/approvals/${asked.data.approval.id}/approve`;
    // The requester's account, whatever its key; operators without the permission; customers.
    for (const name of ['treasurer', 'spare', 'auditor', 'supporter', 'alice']) {
      expect((await send(name, 'POST', path, {})).status).toBe(403);
    }
    expect(await readFunds()).toBe(before + 100);
    const approved = await send('second', 'POST', path, {});
    expect([approved.status, approved.data.approval.status]).toEqual([200, 'approved']);
    expect(approved.data.approval.decision.account).toBe('bob');
    expect(await readFunds()).toBe(before + 600);
    expect((await send('second', 'POST', path, {})).status).toBe(404);
  });

  test('an error of a limit names its place in the list', async () => {
    const good = { asset: 'USDT', amount: 100 };
    for (const [bad, field, code] of [
      [{ asset: 'USDT', amount: 0.0000000000000001 }, 'limits.1.amount', 'INVALID_AMOUNT'],
      [{ asset: 'NONE', amount: 1 }, 'limits.1.asset', 'NOT_FOUND'],
    ] as const) {
      const policy = { actions: ['adjustments'], limits: [good, bad], reason: 'two of us' };
      const answer = await send('operator', 'POST', '/approval-policy', policy);
      expect([answer.code, answer.details.field]).toEqual([code, field]);
    }
  });

  test('the approval reports why the command is rejected now', async () => {
    const asked = await send('operator', 'POST', '/transfers', credit('debit', -10_000_000));
    const path = `/approvals/${asked.data.approval.id}`;
    const answer = await send('second', 'POST', `${path}/approve`, {});
    expect([answer.status, answer.code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
    const rejected = await send('second', 'POST', `${path}/reject`, { reason: 'too much' });
    expect(rejected.data.approval).toMatchObject({
      status: 'rejected',
      decision: { reason: 'too much' },
    });
  });

  test('a key with permissions of operators waits, and must have a public key', async () => {
    const permissions = ['operate'];
    const secret = await send('operator', 'POST', '/accounts/bob/keys', {
      permissions,
      reason: 'bot',
    });
    expect([secret.status, secret.details]).toEqual([400, { field: 'type', rule: 'approval' }]);
    const publicKey = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';
    const signed = { permissions, publicKey, reason: 'bot' };
    const asked = await send('operator', 'POST', '/accounts/bob/keys', signed);
    expect([asked.status, asked.data.approval.action]).toEqual([202, 'createSignedKey']);
    expect(
      (await send('operator', 'POST', '/accounts/bob/keys', { permissions: ['read'] })).status,
    ).toBe(200);
  });

  test('a user gets permissions of operators only by two operators', async () => {
    const email = 'eve@example.com';
    const invite = (permissions: string[]) =>
      send('operator', 'POST', '/accounts/bob/users', { email, permissions, reason: 'new' });
    const unknown = await invite(['read', 'treasury']);
    expect([unknown.status, unknown.details.rule]).toEqual([400, 'approval']);
    expect((await invite(['read'])).status).toBe(200);
    const readUser = async () => {
      const { data } = await send('operator', 'GET', '/accounts/bob/users');
      return data.users.find((each: { email: string }) => each.email === email).permissions;
    };
    const asked = await invite(['read', 'treasury']);
    expect([asked.status, asked.data.approval.action]).toEqual([202, 'grantAccess']);
    expect(await readUser()).toEqual(['read']);
    const path = `/approvals/${asked.data.approval.id}/approve`;
    expect((await send('second', 'POST', path, {})).status).toBe(200);
    expect(await readUser()).toEqual(['read', 'treasury']);
  });

  test('the list has pending and closed requests; the policy is lowered by two', async () => {
    const { data } = await send('auditor', 'GET', '/approvals');
    expect(data.pending.map(({ action }: { action: string }) => action)).toEqual([
      'createSignedKey',
    ]);
    const statuses = data.closed.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['approved', 'rejected', 'approved', 'approved']);
    await setPolicy([]);
    const { policy } = (await send('operator', 'GET', '/approval-policy')).data;
    expect(policy).toEqual({ actions: [], limits: [] });
    expect((await send('operator', 'POST', '/transfers', credit('now'))).status).toBe(200);
  });
});

test('an expiry is in the audit trail, with what was asked', async () => {
  const policy = { actions: ['rules'], limits: [{ asset: 'USDT', amount: 7 }], reason: 'too late' };
  const { data } = await send('operator', 'POST', '/approval-policy', policy);
  const requestedAt = exchange.now;
  exchange.now += 72 * 3_600_000;
  // Time passes with the next command.
  await send('operator', 'POST', '/accounts', { accountId: 'late' });
  const { entries } = (await send('auditor', 'GET', '/audit?action=expireApproval')).data;
  const command = {
    action: 'setApprovalPolicy',
    actions: ['rules'],
    limits: [{ asset: 'USDT', amount: 7 }],
  };
  // Requests of other tests expire too.
  const expiries = entries.filter(
    ({ details }: { details: { id: number } }) => String(details.id) === data.approval.id,
  );
  expect(expiries).toMatchObject([
    { account: null, apiKey: null, outcome: 'done', details: { reason: 'too late', command } },
  ]);
  expect(Date.parse(expiries[0].details.requestedAt)).toBe(requestedAt);
  const all = (await send('auditor', 'GET', '/audit?limit=2')).data.entries;
  expect(all.map(({ action }: { action: string }) => action)).toEqual([
    'createAccount',
    'expireApproval',
  ]);
});

test('operators do what their role permits', async () => {
  const status = async (name: string, method: string, path: string, body?: object) =>
    (await send(name, method, path, body)).status;
  expect(await status('auditor', 'GET', '/state')).toBe(200);
  expect(await status('auditor', 'POST', '/accounts', { accountId: 'new' })).toBe(403);
  expect(await status('supporter', 'POST', '/accounts', { accountId: 'new' })).toBe(200);
  expect(await status('supporter', 'PATCH', '/accounts/new', { frozen: true })).toBe(200);
  expect(await status('supporter', 'PATCH', '/accounts/new', { feeTier: 0 })).toBe(403);
  expect(await status('supporter', 'POST', '/transfers', credit('by-support'))).toBe(403);
  expect(await status('treasurer', 'POST', '/transfers', credit('by-treasury'))).toBe(200);
  expect(await status('treasurer', 'POST', '/accounts/new/keys', { permissions: ['read'] })).toBe(
    403,
  );
  const { roles, operators } = (await send('auditor', 'GET', '/roles')).data;
  expect(roles.map(({ name }: { name: string }) => name)).toContain('Treasury');
  expect(operators).toContainEqual({
    account: 'bob',
    user: 'eve@example.com',
    apiKey: null,
    permissions: ['read', 'treasury'],
  });
});

test('notes about accounts are for operators', async () => {
  const path = '/accounts/alice/notes';
  const added = await send('supporter', 'POST', path, { text: 'called back' });
  expect(added.data.note).toMatchObject({ text: 'called back', account: 'bob' });
  expect((await send('auditor', 'GET', path)).data.notes).toEqual([added.data.note]);
  for (const [name, method, to, body] of [
    ['auditor', 'POST', path, { text: 'no' }],
    ['alice', 'GET', path, undefined],
    ['auditor', 'DELETE', `${path}/${added.data.note.id}`, undefined],
  ] as const) {
    expect((await send(name, method, to, body)).status).toBe(403);
  }
  expect((await send('supporter', 'POST', path, { text: 'x'.repeat(501) })).status).toBe(400);
  expect((await send('supporter', 'DELETE', `/accounts/bob/notes/1`)).status).toBe(404);
  expect((await send('supporter', 'DELETE', `${path}/${added.data.note.id}`)).status).toBe(200);
  expect((await send('auditor', 'GET', path)).data.notes).toEqual([]);
});

test('the present values are shown while a change waits, and no longer than that', async () => {
  await setPolicy(['rules']);
  const rules = { symbol: 'BTC/USDT', minNotional: 7, reason: 'fewer small orders' };
  const asked = await send('operator', 'PATCH', '/markets', rules);
  expect(asked.status).toBe(202);
  const { details, current, id } = asked.data.approval;
  expect(details.rules).toEqual({ minNotional: 7 });
  expect(Object.keys(current.rules)).toEqual(['minNotional']);
  expect(current.rules.minNotional).not.toBe(7);
  const path = `/approvals/${id}`;
  const rejected = await send('second', 'POST', `${path}/reject`, { reason: 'too high' });
  expect(rejected.data.approval).toMatchObject({ status: 'rejected', current: null });
  expect(rejected.data.approval.decision.reason).toBe('too high');
  await setPolicy([]);
});

test('the audit has what was sent for approval, by outcome and by target', async () => {
  await setPolicy(['rules']);
  const list = async (query: string) =>
    (await send('auditor', 'GET', `/audit?${query}`)).data.entries.map(
      ({ action, outcome, subject }: Record<string, string>) => [action, outcome, subject],
    );
  const symbol = 'ETH/USDT';
  const change = { symbol, minNotional: 8, reason: 'again' };
  expect((await send('operator', 'PATCH', '/markets', change)).status).toBe(202);
  // A request without the reason that it needs is no command.
  const before = (await list('limit=1000')).length;
  const silent = await send('operator', 'PATCH', '/markets', { symbol, minNotional: 9 });
  expect([silent.status, silent.json.error.details.rule]).toEqual([400, 'approval']);
  expect(await list('limit=1000')).toHaveLength(before);

  const sent = ['changeMarketRules', 'sent_for_approval', 'ETH/USDT'];
  const request = ['requestApproval', 'done', 'ETH/USDT'];
  for (const stored of [false, true]) {
    if (stored) await exchange.archive.flush();
    expect(await list('subject=ETH/USDT&limit=2')).toEqual([request, sent]);
    expect(await list('subject=ETH/USDT&outcome=rejected')).toEqual([]);
    expect(await list('outcome=sent_for_approval&limit=1')).toEqual([sent]);
    const credits = await list('subject=alice&action=transfer');
    expect(credits.length).toBeGreaterThan(0);
    for (const [, , subject] of credits) expect(subject).toBe('alice');
    // An operator's account is the target of what was done to it, not of what it did.
    const ofBob = await list('subject=bob&limit=1000');
    expect(ofBob).toContainEqual(['createKey', 'done', 'bob']);
    expect(ofBob.map(([action]: string[]) => action)).not.toContain('approve');
  }
  const unknown = await send('auditor', 'GET', '/audit?subject=nothing-such');
  expect([unknown.status, unknown.json.error.details.field]).toEqual([404, 'subject']);
  await setPolicy([]);
});

test('addresses of an operator key are changed by two operators, a label by one', async () => {
  await setPolicy(['adjustments']);
  const { apiKey } = exchange.state.keys.find((key) => key?.label === 'supporter')!;
  const path = `/accounts/bob/keys/${apiKey}`;
  const renamed = await send('operator', 'PATCH', path, { label: 'help line' });
  expect(renamed.data.key).toMatchObject({ apiKey, label: 'help line', addresses: [] });
  const addresses = ['192.0.2.1'];
  expect((await send('operator', 'PATCH', path, { addresses })).json.error.details.rule).toBe(
    'approval',
  );
  const asked = await send('operator', 'PATCH', path, { addresses, reason: 'office only' });
  expect([asked.status, asked.data.approval]).toMatchObject([
    202,
    {
      action: 'changeKey',
      details: { apiKey, addresses },
      current: { addresses: [] },
    },
  ]);
  const key = exchange.state.keysByApiKey.get(apiKey)!;
  expect(key.addresses).toEqual([]);
  // The approval of the addresses does not put an old label back.
  expect((await send('operator', 'PATCH', path, { label: 'office line' })).status).toBe(200);
  const approval = `/approvals/${asked.data.approval.id}/approve`;
  expect((await send('operator', 'POST', approval, {})).status).toBe(403);
  expect((await send('second', 'POST', approval, {})).status).toBe(200);
  expect(key).toMatchObject({ label: 'office line', addresses });
  await setPolicy([]);
});
