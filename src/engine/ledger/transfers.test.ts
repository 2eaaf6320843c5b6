import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ALICE, Fixture, USDT } from '../../../test/fixture.ts';
import { rememberLittle } from '../../../test/reference/little-memory.ts';
import { auditState } from '../audit/audit.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import { MAX_REMEMBERED } from '../limits.ts';
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
    for (let n = 0; n < MAX_REMEMBERED.transfers; n++)
      credit(fixture, `r${n}`, state.nextTransferId);
    expect(state.transfers.size).toBe(MAX_REMEMBERED.transfers);
    expect(credit(fixture, 'r0')).toMatchObject({ kind: 'transfer', created: false });
    const needsHistory = rejected(RejectionCode.needsHistory);
    expect(credit(fixture, 'new')).toEqual(needsHistory);
    // The oldest remembered transfer is the seventh, because the fixture made six.
    expect(credit(fixture, 'new', 6)).toEqual(needsHistory);
    expect(credit(fixture, 'new', 7)).toMatchObject({ kind: 'transfer', created: true });
    expect(credit(fixture, 'newer', 7)).toEqual(needsHistory);
    expect(credit(fixture, 'r0', 7)).toEqual(needsHistory);
    auditState(state);
  });

  test('of version 1 are forgotten two at a time after the upgrade', () => {
    const fixture = new Fixture({}, 1);
    const { state } = fixture.exchange;
    for (let n = 0; n < MAX_REMEMBERED.transfers; n++) credit(fixture, `r${n}`);
    fixture.apply({ kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version: 2 });
    expect(state.transfers.size).toBe(MAX_REMEMBERED.transfers + 6);
    for (let n = 0; n < 6; n++) credit(fixture, `s${n}`, state.nextTransferId);
    expect(state.transfers.size).toBe(MAX_REMEMBERED.transfers);
    auditState(state);
  });
});
