import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ALICE, Fixture, USDT } from '../../../test/fixture.ts';
import { rememberLittle } from '../../../test/reference/little-memory.ts';
import { auditState } from '../audit/audit.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import { REMEMBERED } from '../limits.ts';
import { RejectionCode, rejected } from '../rejection.ts';

let restore = () => {};
beforeAll(() => {
  restore = rememberLittle();
});
afterAll(() => restore());

function credit(fixture: Fixture, reference: string, searchedBelow?: number) {
  const terms = { owner: ALICE, asset: USDT, amount: 1, reference, reason: 'test' };
  const search = searchedBelow === undefined ? {} : { searchedBelow };
  return fixture.apply({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...terms, ...search });
}

describe('transfer references', () => {
  test('older than those remembered are rejected until history was searched', () => {
    const fixture = new Fixture();
    const { state } = fixture.exchange;
    for (let n = 0; n < REMEMBERED.transfers; n++) credit(fixture, `r${n}`, state.nextTransferId);
    expect(state.transfers.size).toBe(REMEMBERED.transfers);
    expect(credit(fixture, 'r0')).toMatchObject({ kind: 'transfer', created: false });
    const mustAsk = rejected(RejectionCode.mustAskHistory);
    expect(credit(fixture, 'new')).toEqual(mustAsk);
    // The oldest remembered transfer is the seventh, because the fixture made six.
    expect(credit(fixture, 'new', 6)).toEqual(mustAsk);
    expect(credit(fixture, 'new', 7)).toMatchObject({ kind: 'transfer', created: true });
    expect(credit(fixture, 'newer', 7)).toEqual(mustAsk);
    expect(credit(fixture, 'r0', 7)).toEqual(mustAsk);
    auditState(state);
  });

  test('of version 1 are forgotten two at a time after the upgrade', () => {
    const fixture = new Fixture({}, 1);
    const { state } = fixture.exchange;
    for (let n = 0; n < REMEMBERED.transfers; n++) credit(fixture, `r${n}`);
    fixture.apply({ kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version: 2 });
    expect(state.transfers.size).toBe(REMEMBERED.transfers + 6);
    for (let n = 0; n < 6; n++) credit(fixture, `s${n}`, state.nextTransferId);
    expect(state.transfers.size).toBe(REMEMBERED.transfers);
    auditState(state);
  });
});
