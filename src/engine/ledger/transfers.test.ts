import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ALICE, Desk, USDT } from '../../../test/desk.ts';
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

function credit(desk: Desk, reference: string, searchedBelow?: number) {
  const terms = { owner: ALICE, asset: USDT, amount: 1, reference, reason: 'test' };
  const search = searchedBelow === undefined ? {} : { searchedBelow };
  return desk.apply({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...terms, ...search });
}

describe('references of transfers', () => {
  test('beyond those remembered are refused until history was asked', () => {
    const desk = new Desk();
    const { state } = desk.exchange;
    for (let n = 0; n < REMEMBERED.transfers; n++) credit(desk, `r${n}`, state.nextTransferId);
    expect(state.transfers.size).toBe(REMEMBERED.transfers);
    expect(credit(desk, 'r0')).toMatchObject({ kind: 'transfer', created: false });
    const mustAsk = rejected(RejectionCode.mustAskHistory);
    expect(credit(desk, 'new')).toEqual(mustAsk);
    // The oldest that is remembered is the seventh: the desk's own six came first.
    expect(credit(desk, 'new', 6)).toEqual(mustAsk);
    expect(credit(desk, 'new', 7)).toMatchObject({ kind: 'transfer', created: true });
    expect(credit(desk, 'newer', 7)).toEqual(mustAsk);
    expect(credit(desk, 'r0', 7)).toEqual(mustAsk);
    auditState(state);
  });

  test('of version 1 are forgotten two at a time after the upgrade', () => {
    const desk = new Desk({}, 1);
    const { state } = desk.exchange;
    for (let n = 0; n < REMEMBERED.transfers; n++) credit(desk, `r${n}`);
    desk.apply({ kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version: 2 });
    expect(state.transfers.size).toBe(REMEMBERED.transfers + 6);
    for (let n = 0; n < 6; n++) credit(desk, `s${n}`, state.nextTransferId);
    expect(state.transfers.size).toBe(REMEMBERED.transfers);
    auditState(state);
  });
});
