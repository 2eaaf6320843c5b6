import { DAY_MS } from '../src/config/durations.ts';
import { type Command, CommandKind } from '../src/engine/command.ts';
import { MAX_FEE_TIERS, VOLUME_DAYS } from '../src/engine/limits.ts';
import { exact } from '../src/engine/numbers/exact.ts';
import { MarketStatus, NONE } from '../src/engine/terms.ts';
import { tradedVolume } from '../test/reference/naive-fees.ts';
import type { NaiveState } from '../test/reference/naive-state.ts';
import { below, type Random } from './random.ts';

// Commands that random moves do not produce: amounts exactly at a limit, or just beyond it.

const STATUSES = [
  MarketStatus.postOnly,
  MarketStatus.limitOnly,
  MarketStatus.cancelOnly,
  MarketStatus.halted,
  MarketStatus.auction,
];
const OPERATOR = { account: 0, key: NONE } as const;

/** Returns a command at an edge of the state; undefined if the state has none of the kind. */
export function commandAtEdge(
  state: NaiveState,
  time: number,
  random: Random,
): Command | undefined {
  const owner = 1 + below(state.accounts.length - 1, random);
  switch (below(8, random)) {
    case 0:
      return takeAll(state, owner, time, random);
    case 1:
    case 6:
    case 7:
      return tiersAtVolumes(state, random);
    case 2:
      return closing(state, random);
    case 3:
      return changeDelistedMarket(state);
    case 4:
      return { kind: CommandKind.setAccountStatus, ...OPERATOR, owner, frozen: true };
    default:
      return useKey(state, random);
  }
}

/** A change of a delisted market. If there is none, the first of several markets is delisted. */
function changeDelistedMarket({ markets }: NaiveState): Command | undefined {
  const market = markets.find(({ status }) => status === MarketStatus.delisted)?.index;
  if (market === undefined) {
    return markets.length > 2
      ? { kind: CommandKind.delistMarket, ...OPERATOR, market: 0 }
      : undefined;
  }
  return { kind: CommandKind.changeMarketRules, ...OPERATOR, market, rules: { makerFee: 7 } };
}

/** A command that changes nothing, by any key, revoked or not. */
function useKey({ keys }: NaiveState, random: Random): Command | undefined {
  const key = keys[below(keys.length, random)];
  if (key === undefined) return undefined;
  const actor = { account: key.owner, key: key.index };
  return { kind: CommandKind.cancelOrder, ...actor, orderId: Number.MAX_SAFE_INTEGER };
}

/** Stricter rules of a market, whatever rests in its book. */
function closing({ markets }: NaiveState, random: Random): Command | undefined {
  const open = markets.filter(({ status }) => status === MarketStatus.online);
  const market = open[below(open.length, random)]?.index;
  if (market === undefined) return undefined;
  const status = STATUSES[below(STATUSES.length, random)]!;
  return { kind: CommandKind.setMarketStatus, ...OPERATOR, market, status };
}

/** A withdrawal of an account's whole balance, or of a unit more, which must be rejected. */
function takeAll(state: NaiveState, owner: number, time: number, random: Random): Command {
  const asset = below(3, random);
  const amount = exact(-state.available(owner, asset) - BigInt(below(2, random)));
  const reference = `all ${time} ${state.nextEntryId}`;
  const kind = CommandKind.transfer;
  return { kind, ...OPERATOR, owner, asset, amount, reference, reason: 'all of it' };
}

/** Fee tiers that begin exactly at volumes of accounts, with rates far below or far above those of markets. */
function tiersAtVolumes(state: NaiveState, random: Random): Command | undefined {
  const volumes = new Set(state.accounts.map(({ index }) => tradedVolume(state, index)));
  volumes.delete(0n);
  const rising = [...volumes].sort((a, b) => (a < b ? -1 : 1)).slice(0, MAX_FEE_TIERS);
  const asset = state.feeAsset === NONE ? state.markets[0]!.quote.index : state.feeAsset;
  const fee = random() < 0.5 ? 1 : 100_000;
  // A rebate of all that takers pay, if this is not below what they pay in another tier or with a discount.
  const makerFee = random() < 0.5 ? fee : -fee;
  const tiers = rising.map((volume) => ({
    minVolume: exact(volume),
    makerFee,
    takerFee: fee,
  }));
  return { kind: CommandKind.setFeeTiers, ...OPERATOR, asset, tiers };
}

/**
 * Returns the jump of the clock after which the earliest volume no longer counts, milliseconds;
 * undefined if there is none.
 */
export function jumpBeyondVolume({ volumes }: NaiveState, time: number): number | undefined {
  const earliest = volumes.find((each) => time - each.time < VOLUME_DAYS * DAY_MS);
  if (earliest === undefined) return undefined;
  const day = Math.floor(earliest.time / DAY_MS);
  return Math.max(0, (day + VOLUME_DAYS) * DAY_MS - time);
}
