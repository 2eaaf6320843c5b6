import { expect, test } from 'bun:test';
import { SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { CommandKind } from '../../src/engine/command-kind.ts';
import { isAudited } from '../../src/history/tables/audit.ts';
import {
  ABOUT_REQUESTS,
  AUDIT_ACTIONS,
  describeAction,
  EXCHANGE_WIDE,
  findActions,
} from './audit-actions.ts';

const same = (text: string) => text;

test('every audited command has a readable name and one group', () => {
  const audited = Object.entries(CommandKind)
    // biome-ignore lint/suspicious/noExplicitAny: only the kind is read
    .filter(([, kind]) => isAudited({ kind, ...SYSTEM_ACTOR } as any))
    .map(([name]) => name);
  const named = AUDIT_ACTIONS.map(({ action }) => action);
  expect(named.toSorted()).toEqual([...audited, 'expireApproval'].toSorted());
  expect(new Set(AUDIT_ACTIONS.map(({ title }) => title)).size).toBe(named.length);
});

test('actions are found by parts of their name, group or command', () => {
  const names = (text: string) => findActions(text, same).map(({ action }) => action);
  expect(names('freeze')).toEqual(['setAccountStatus']);
  expect(names('setMarketStatus')).toEqual(['setMarketStatus']);
  expect(names('market STATUS')).toContain('setMarketStatus');
  expect(names('fees')).toContain('setReferrer');
  expect(names('')).toHaveLength(AUDIT_ACTIONS.length);
  expect(names('nothing such')).toEqual([]);
});

test('an action of a later release is spelled out', () => {
  expect(describeAction('moveMountains')).toBe('Move mountains');
});

test('commands about the exchange and about requests exist', () => {
  const named = new Set(AUDIT_ACTIONS.map(({ action }) => action));
  expect([...EXCHANGE_WIDE, ...ABOUT_REQUESTS].filter((action) => !named.has(action))).toEqual([]);
});
