import { type Actor, type Command, CommandKind } from '../../src/engine/command.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import { Permission } from '../../src/engine/terms.ts';
import * as administration from './naive-administration.ts';
import { type NaiveAdministrationOutcome, refuse } from './naive-administration.ts';
import { amend } from './naive-amendment.ts';
import { activateBrackets, placeBracket, termsOfAttached } from './naive-brackets.ts';
import { cancelOrdersOf, delist } from './naive-cancellations.ts';
import {
  checkClientOrderId,
  convertClientOrders,
  forgetClientOrders,
} from './naive-client-orders.ts';
import { cancelAfter, type NaiveDeadlines, runDue } from './naive-deadlines.ts';
import { setAccountFeeTier, setFeeTiers } from './naive-fees.ts';
import { placeOco, termsOfOco } from './naive-oco.ts';
import { beginPortion, renewPortion } from './naive-portions.ts';
import { type NaiveEvent, type NaiveMarket, NaiveState } from './naive-state.ts';
import { runTriggered } from './naive-stops.ts';
import * as trading from './naive-trading.ts';
import { termsOf } from './naive-trading.ts';

export type NaiveOutcome =
  | NaiveAdministrationOutcome
  | trading.NaiveTradeOutcome
  | NaiveDeadlines
  | { readonly kind: 'done' };

/**
 * The whole engine once more, deliberately naive: written from API.md and DESIGN.md to be plainly
 * right, not fast. The engine must do what this does, to the last event.
 */
export class NaiveExchange {
  readonly state = new NaiveState();

  get events(): readonly NaiveEvent[] {
    return this.state.events;
  }

  apply(command: Command, time: number): NaiveOutcome {
    const { state } = this;
    state.events = [];
    state.swept = [];
    const books = state.markets.map((market) => this.bookText(market));
    const hasChanged = (market: NaiveMarket) =>
      (books[market.index] ?? '') !== this.bookText(market);
    // An order may come into the book and leave it again.
    const changed = new Set<NaiveMarket>();
    state.onReport = ({ market: index }) => {
      const market = state.markets[index]!;
      if (!changed.has(market) && hasChanged(market)) changed.add(market);
    };
    if (time > state.time) {
      state.time = time;
      if (state.version < 2) {
        runDue(state);
        forgetClientOrders(state);
      } else beginPortion(state);
    } else if (command.kind === CommandKind.tick && state.version >= 2) beginPortion(state);
    runTriggered(state);
    const outcome = this.execute(command);
    activateBrackets(state);
    runTriggered(state);
    for (const market of state.markets) {
      if (changed.has(market) || hasChanged(market)) market.bookSequence++;
    }
    return outcome;
  }

  /** All that can change in a market's book. */
  private bookText({ index }: NaiveMarket): string {
    return this.state.orders
      .filter(({ market }) => market === index)
      .map(({ id, price, remaining }) => `${id} ${price} ${remaining}`)
      .join();
  }

  private execute(command: Command): NaiveOutcome {
    const { state } = this;
    switch (command.kind) {
      case CommandKind.open:
        state.version = command.version;
        state.sandbox = command.sandbox;
        if (state.version >= 2) renewPortion(state);
        return { kind: 'done' };
      case CommandKind.tick:
      case CommandKind.skip:
        return { kind: 'done' };
      case CommandKind.placeOrder:
      case CommandKind.placeStopOrder:
        return this.refusalOfPlacing(command, termsOf(command)) ?? trading.place(state, command);
      case CommandKind.placeOco:
        return this.refusalOfPlacing(command, termsOfOco(command)) ?? placeOco(state, command);
      case CommandKind.placeBracket:
        return (
          this.refusalOfPlacing(command.order, termsOfAttached(command)) ??
          placeBracket(state, command)
        );
      case CommandKind.cancelOrder:
        return this.refusalOfTrade(command) ?? trading.cancel(state, command);
      case CommandKind.cancelOrders:
        return this.refusalOfTrade(command) ?? trading.cancelOrders(state, command);
      case CommandKind.cancelAfter:
        return this.refusalOfTrade(command) ?? cancelAfter(state, command);
      case CommandKind.amendOrder:
        return this.refusalOfTrade(command) ?? amend(state, command);
    }
    const refusal = this.refusal(command, Permission.operate);
    if (refusal !== undefined) return refusal;
    switch (command.kind) {
      case CommandKind.upgrade:
        if (command.version <= state.version) return { kind: 'done' };
        if (state.version < 2) {
          convertClientOrders(state);
          renewPortion(state);
        }
        state.version = command.version;
        for (const { index } of state.accounts) administration.dropEndedKeys(state, index);
        return { kind: 'done' };
      case CommandKind.createAsset:
        return administration.createAsset(state, command);
      case CommandKind.listMarket:
        return administration.listMarket(state, command);
      case CommandKind.setMarketStatus:
        return administration.setMarketStatus(state, command);
      case CommandKind.changeMarketRules:
        return administration.changeMarketRules(state, command);
      case CommandKind.delistMarket:
        return delist(state, command);
      case CommandKind.cancelOrdersOf:
        return cancelOrdersOf(state, command);
      case CommandKind.setFeeTiers:
        return setFeeTiers(state, command);
      case CommandKind.setAccountFeeTier:
        return setAccountFeeTier(state, command);
      case CommandKind.createAccount:
        return administration.createAccount(state, command);
      case CommandKind.setAccountStatus:
        return administration.setAccountStatus(state, command);
      case CommandKind.setAccountLimitClass:
        return administration.setAccountLimitClass(state, command);
      case CommandKind.createKey:
        return administration.createKey(state, command);
      case CommandKind.revokeKey:
        return administration.revokeKey(state, command);
      case CommandKind.transfer:
        return administration.transfer(state, command);
    }
  }

  /** What a frozen account has placed it may still ask for, by sending the same again. */
  private refusalOfPlacing(
    order: Actor & { readonly clientOrderId: string | null; readonly searchedBelow?: number },
    terms: string,
  ): trading.NaiveTradeOutcome | undefined {
    const refusal = this.refusalOfTrade(order);
    if (this.state.version < 2 || refusal?.code !== RejectionCode.accountFrozen) return refusal;
    return checkClientOrderId(this.state, order, terms) ?? refusal;
  }

  private refusalOfTrade(actor: Actor): Rejection | undefined {
    const refusal = this.refusal(actor, Permission.trade);
    if (refusal !== undefined) return refusal;
    const account = this.state.accounts[actor.account];
    if (account === undefined) return refuse(RejectionCode.unknownAccount);
    return account.frozen ? refuse(RejectionCode.accountFrozen) : undefined;
  }

  /** The key, if one is given, must be the account's, in force now, and permit this. */
  private refusal(actor: Actor, permission: number): Rejection | undefined {
    if (actor.key === -1) return undefined;
    const key = this.state.keys[actor.key];
    const isInForce =
      key !== undefined &&
      key.owner === actor.account &&
      key.revokedAt === 0 &&
      (key.expiresAt === 0 || key.expiresAt > this.state.time);
    if (!isInForce) return refuse(RejectionCode.unauthorized);
    const isPermitted = (key.permissions & permission) !== 0;
    return isPermitted ? undefined : refuse(RejectionCode.insufficientPermissions);
  }
}
