import fc from 'fast-check';
import {
  type Command,
  CommandKind,
  type RequestApproval,
  type TradeTerms,
} from '../../src/engine/command.ts';
import { exact } from '../../src/engine/numbers/exact.ts';
import { NONE, Permission } from '../../src/engine/terms.ts';
import type { NaiveState } from './naive-state.ts';
import { weighted } from './scenario-parts.ts';
import { newTerms } from './scenario-world.ts';

/** Moves of operators who approve each other's commands, and write notes. */
export const oversee = fc.record({
  kind: fc.constant('oversee' as const),
  what: weighted<'request' | 'approve' | 'reject' | 'ask' | 'note' | 'unnote' | 'review'>(
    [6, 'request'],
    [6, 'approve'],
    [1, 'reject'],
    [2, 'ask'],
    [1, 'note'],
    [1, 'unnote'],
    [1, 'review'],
  ),
  inner: weighted<'policy' | 'transfer' | 'bust' | 'delist' | 'tier' | 'grant' | 'key' | 'change'>(
    [6, 'policy'],
    [5, 'bust'],
    [3, 'transfer'],
    [1, 'delist'],
    [1, 'tier'],
    [2, 'grant'],
    [2, 'key'],
    [2, 'change'],
  ),
  actor: fc.constantFrom('key', 'session', 'session', 'foreign'),
  account: fc.constantFrom(0, 0, 0, 1, 2, 7),
  which: fc.nat(20),
  /** Rarely the actions that need no approval at all. */
  actions: fc.constantFrom(0, 1, 8, 31, 31, 95, 128),
  owner: fc.nat(7),
  length: fc.constantFrom(0, 1, 200, 201, 500, 501),
});
const NO_TRADE: TradeTerms = {
  id: 1e9,
  market: 0,
  price: 1,
  amount: 1,
  takerSide: 0,
  makerOrderId: 1,
  makerAccount: 1,
  makerFeePaid: 0,
  takerOrderId: 2,
  takerAccount: 2,
  takerFeePaid: 0,
  time: 0,
};
/** The new addresses of a key, in comparison with those that it has. */
const ADDRESSES = ['same', 'none', 'other', 'both'] as const;
type Oversee = typeof oversee extends fc.Arbitrary<infer T> ? T : never;

export function toOversight(move: Oversee, time: number, state: NaiveState): Command {
  const { account, owner, which } = move;
  const key = { key: account, session: NONE, foreign: account + 1 }[move.actor];
  const actor = { account, key };
  const text = 'x'.repeat(move.length);
  const user = key === NONE ? `user-${account}` : '';
  // One below the first known id, and one above the last.
  const pick = (ids: readonly { readonly id: number }[]) =>
    ids[which % (ids.length + 1)]?.id ?? which;
  switch (move.what) {
    case 'request': {
      const command = { ...toInner(move, time, state), ...actor } as RequestApproval['command'];
      // Rarely a command of someone else.
      const asked = which === 0 ? { ...command, account: account + 1 } : command;
      const reason = which === 1 ? text : 'asked';
      return { kind: CommandKind.requestApproval, ...actor, user, reason, command: asked };
    }
    case 'ask':
      return { ...toInner(move, time, state), ...actor } as Command;
    case 'approve':
      return { kind: CommandKind.approve, ...actor, id: pick(state.approvals), user };
    case 'reject': {
      const id = pick(state.approvals);
      return { kind: CommandKind.rejectApproval, ...actor, id, user, reason: text };
    }
    case 'note':
      return { kind: CommandKind.addNote, ...actor, owner, user, text };
    case 'review': {
      const alert = which === 2 ? text : `pump-${which}`;
      const assignee = owner === 0 ? NONE : owner;
      const review = { alert, isClosed: which % 2 === 1, assignee, user, note: text };
      return { kind: CommandKind.reviewAlert, ...actor, ...review };
    }
    case 'unnote':
      return { kind: CommandKind.removeNote, ...actor, id: pick(state.notes) };
  }
}

/** Returns a command that may need an approval, without its actor. */
function toInner(
  { inner, which, actions, owner, length }: Oversee,
  time: number,
  state: NaiveState,
) {
  switch (inner) {
    case 'policy': {
      const limits = [
        { asset: which % 4, amount: exact(length - 1) },
        { asset: 1, amount: 5 },
      ];
      return { kind: CommandKind.setApprovalPolicy, actions, limits };
    }
    case 'transfer': {
      const reference = `approved ${time} ${state.nextEntryId}`;
      const terms = { owner, asset: which % 3, amount: exact(which - 5), reference, reason: '' };
      return { kind: CommandKind.transfer, ...terms };
    }
    case 'bust': {
      // One of the last trades; rarely with wrong terms.
      const last = state.trades.at(-1 - (which % 5)) ?? NO_TRADE;
      const trade = owner === 7 ? { ...last, [which % 2 === 0 ? 'id' : 'price']: 0 } : last;
      return { kind: CommandKind.bustTrade, trade, reason: 'x'.repeat(length === 0 ? 0 : 5) };
    }
    case 'delist':
      return { kind: CommandKind.delistMarket, market: 90 + (which % 20) };
    case 'tier':
      return { kind: CommandKind.setAccountFeeTier, owner, tier: NONE };
    case 'grant': {
      const permissions = which % 2 === 0 ? Permission.support : Permission.trade;
      return { kind: CommandKind.grantAccess, owner, user: `user-${owner}`, permissions };
    }
    case 'key': {
      const terms = { apiKey: `asked-${which % 6}`, label: '', addresses: [], expiresAt: 0 };
      const permissions = 2 ** (length % 10);
      const secretHash = new Uint8Array(32);
      return { kind: CommandKind.createKey, owner, secretHash, permissions, ...terms };
    }
    case 'change': {
      const addresses = ADDRESSES[length % ADDRESSES.length]!;
      const terms = newTerms({ which, label: owner, addresses }, state);
      return { kind: CommandKind.changeKey, ...terms };
    }
  }
}
