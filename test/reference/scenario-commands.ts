import {
  type Actor,
  type Command,
  CommandKind,
  type PlaceBracket,
  type PlaceOco,
  type PlaceOrder,
  type PlaceStopOrder,
} from '../../src/engine/command.ts';
import { exact } from '../../src/engine/numbers/exact.ts';
import { MarketStatus, NONE, OrderType, type Side, TimeInForce } from '../../src/engine/terms.ts';
import type { NaiveMarket, NaiveState } from './naive-state.ts';
import { triggersOnRise } from './naive-stops.ts';
import { BUY, hasLimit, readPrice, worth } from './naive-values.ts';
import { toOversight } from './scenario-approvals.ts';
import { toChange, toSupervision } from './scenario-changes.ts';
import { onConnection, toConnection, withDeadline } from './scenario-connections.ts';
import { toCustody } from './scenario-custody.ts';
import { toBracket, toOco } from './scenario-legs.ts';
import type { Move } from './scenario-moves.ts';
import { toActor } from './scenario-parts.ts';
import { toDisplayAmount, toTrailing } from './scenario-special.ts';
import { toGroupCommand } from './scenario-sub-accounts.ts';
import {
  listDecimals,
  makeListing,
  makeTransfer,
  minimumNeed,
  NEW_MARKET,
  newHmacKey,
  newKey,
  newSignedKey,
  newTerms,
} from './scenario-world.ts';

type What = Exclude<Move['what'], { kind: 'repeat' }>;

/** Returns the command of a move in the current state, or undefined if it has nothing to do. */
export function toCommand(
  what: What,
  isOperator: boolean,
  time: number,
  state: NaiveState,
): Command | undefined {
  // The key of the operator, the process itself, or a trader without permission.
  const operator = isOperator
    ? { account: 0, key: time % 2 === 0 ? 0 : NONE }
    : { account: 1, key: 1 };
  const traders = state.accounts.length - 1;
  switch (what.kind) {
    case 'place':
      return withDeadline(
        onConnection(toOrder(what, time, state), what.connection, state),
        time,
        state,
      );
    case 'connect':
      return toConnection(what, state);
    case 'custody':
      return toCustody(what, operator, state);
    case 'cancel': {
      const open = state.open[what.which % (state.open.length + 1)];
      const account = what.isOwn ? (open?.account ?? 1) : 1 + (what.account % traders);
      const orderId = open?.id ?? what.which % (state.nextOrderId + 1);
      const condition = what.onlyIf === null || state.version < 2 ? {} : { onlyIf: what.onlyIf };
      const actor = toActor(what.actor, account);
      const cancel = { kind: CommandKind.cancelOrder, ...actor, orderId, ...condition };
      return withDeadline(cancel, time, state);
    }
    case 'sign': {
      const signing = state.keys.filter((key) => key?.secretHash === '');
      const key = signing[what.key % signing.length] ?? state.keys[0]!;
      const account = what.isOwn ? key.owner : 1 + (key.owner % traders);
      const hash = new Uint8Array(16).fill(what.text);
      const use = { account, key: key.index, hash, expiresAt: time + what.expiresIn };
      return { kind: CommandKind.useSignature, ...use };
    }
    case 'group':
      return toGroupCommand(what, state);
    case 'oversee':
      return toOversight(what, time, state);
    case 'supervise':
      return { ...toSupervision(what.what, state, minimumNeed(state)), ...operator } as Command;
    case 'amend': {
      const amendment = toChange(what, state);
      return amendment === undefined ? undefined : withDeadline(amendment, time, state);
    }
    case 'cancelMany':
      return withDeadline(toChange(what, state), time, state);
    case 'silence':
      return toChange(what, state);
    default:
      return toAdministration(what, operator, time, state);
  }
}

type Administration = Exclude<
  What,
  {
    kind:
      | 'place'
      | 'connect'
      | 'custody'
      | 'cancel'
      | 'group'
      | 'sign'
      | 'supervise'
      | 'oversee'
      | 'amend'
      | 'cancelMany'
      | 'silence';
  }
>;

/** Returns the command of an operator. */
function toAdministration(
  what: Administration,
  operator: Actor,
  time: number,
  state: NaiveState,
): Command {
  switch (what.kind) {
    case 'transfer': {
      const reference =
        what.reference === null ? `${time} ${state.nextEntryId}` : `r${what.reference}`;
      const asset = Math.min(what.asset, state.assets.length);
      const amount = asset < 3 ? BigInt(what.orders) * minimumNeed(state)(asset) : 5n;
      return { ...makeTransfer(what.owner, asset, amount, reference), ...operator } as Command;
    }
    case 'freeze':
      return {
        kind: CommandKind.setAccountStatus,
        ...operator,
        owner: what.owner,
        frozen: what.frozen,
      };
    case 'status': {
      // Usually back online, so that something can trade.
      const status =
        what.status === MarketStatus.delisted ||
        (time % 3 > 0 && what.status !== MarketStatus.auction)
          ? MarketStatus.online
          : what.status;
      return { kind: CommandKind.setMarketStatus, ...operator, market: what.market, status };
    }
    case 'createKey': {
      const expiresAt = what.expiresIn === 0 ? 0 : time + what.expiresIn;
      const make = { secret: newKey, ed25519: newSignedKey, hmac: newHmacKey }[what.type];
      return {
        ...make(what.owner, `key-${what.name}`, what.permissions, expiresAt),
        ...operator,
      } as Command;
    }
    case 'resealKey': {
      const sealedSecret = new Uint8Array(what.bytes).fill(time % 256);
      const apiKey = `key-${what.name}`;
      return { kind: CommandKind.resealKey, ...operator, apiKey, sealedSecret };
    }
    case 'changeKey':
      return { ...newTerms(what, state), kind: CommandKind.changeKey, ...operator };
    case 'revokeKey':
      return { kind: CommandKind.revokeKey, ...operator, apiKey: `key-${what.name}` };
    case 'createAccount': {
      const accountId = what.name === 0 ? 'not an id' : `account-${what.name}`;
      return { kind: CommandKind.createAccount, ...operator, accountId, limitClass: what.name };
    }
    case 'createAsset': {
      const asset = what.name === 0 ? 'lower' : 'ABCDEF'[what.name - 1]!;
      return {
        kind: CommandKind.createAsset,
        ...operator,
        asset,
        name: asset,
        decimals: what.decimals,
      };
    }
    case 'list': {
      const shape = { ...NEW_MARKET, step: what.isOdd ? 0 : 1 };
      const listing = makeListing(shape, what.pair, listDecimals(state), state.version);
      const { opensIn } = what;
      if (opensIn === null) return { ...listing, ...operator };
      return { ...listing, ...operator, opensAt: opensIn === 0 ? 0 : time + opensIn };
    }
  }
}

function toOrder(
  what: Extract<What, { kind: 'place' }>,
  time: number,
  state: NaiveState,
): PlaceOrder | PlaceStopOrder | PlaceOco | PlaceBracket {
  const account = 1 + (what.account % (state.accounts.length - 1));
  const market: NaiveMarket = state.markets[what.market % state.markets.length]!;
  const { tick, step, referencePrice, maxAmount } = market.rules;
  const isStop = what.form === 'stop';
  // Engine version 1 knows neither trailing stops nor icebergs, nor legs with terms of their own.
  const special = state.version < 2 ? null : what.special;
  const stopType = special === null ? what.stopType : OrderType.trailingStop;
  const type = isStop ? stopType : what.form === 'limit' ? OrderType.limit : OrderType.market;
  const oto = state.version < 2 ? 'none' : what.oto;
  const isLimit = hasLimit(type);
  const isCost = what.form === 'cost';
  const huge = Math.max(step, maxAmount - step * what.steps);
  const amount =
    what.oddity === 'huge' ? huge : step * what.steps + (what.oddity === 'offStep' ? 1 : 0);
  const price = referencePrice + what.ticks * tick + (what.oddity === 'offTick' ? 1 : 0);
  // A market order cannot rest, and an order by cost cannot be fill or kill.
  const timeInForce = isLimit
    ? what.timeInForce
    : isStop
      ? what.timeInForce % 2 === 1
        ? TimeInForce.gtd
        : TimeInForce.gtc
      : isCost || what.timeInForce % 2 === 1
        ? TimeInForce.ioc
        : TimeInForce.fok;
  const rests = isLimit && (timeInForce === TimeInForce.gtc || timeInForce === TimeInForce.gtd);
  const order: PlaceOrder = {
    kind: CommandKind.placeOrder,
    ...toActor(what.actor, account),
    market: what.oddity === 'noMarket' ? state.markets.length : market.index,
    // Engine version 1 knows no sells by cost.
    side: (isCost && state.version < 2 ? BUY : what.side) as Side,
    type,
    timeInForce,
    postOnly: what.postOnly && rests,
    selfTradePrevention: what.selfTradePrevention,
    price: isLimit ? price : 0,
    amount: isCost ? 0 : amount,
    // Positive, as the gateway ensures, even with a low reference price.
    cost: isCost
      ? exact(worth(market, Math.max(1, price), amount) + BigInt(what.expiresIn + 1))
      : 0,
    expiresAt: timeInForce === TimeInForce.gtd ? time + what.expiresIn : 0,
    clientOrderId: what.clientOrderId,
    ...(special === null || !rests
      ? {}
      : { displayAmount: toDisplayAmount(special, amount, market) }),
  };
  if (what.form === 'oco') return toOco({ ...what, special }, order, market);
  if (!isStop) {
    return what.attached === 'none' ? order : toBracket({ ...what, special, oto }, order, market);
  }
  if (special !== null) {
    const trailing = toTrailing(special, order.side, market);
    return { ...order, kind: CommandKind.placeStopOrder, triggerPrice: 0, trailing };
  }
  const up = triggersOnRise(order) ? 1 : -1;
  const odd = what.oddity === 'offTick' ? 1 : 0;
  const triggerPrice = readPrice(market) + up * what.triggerTicks * tick + odd;
  return { ...order, kind: CommandKind.placeStopOrder, triggerPrice };
}
