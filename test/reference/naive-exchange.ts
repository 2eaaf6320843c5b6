import {
  type Actor,
  type AmendOrder,
  type Command,
  CommandKind,
  type PlacingCommand,
  type Upgrade,
} from '../../src/engine/command.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import { Permission } from '../../src/engine/terms.ts';
import * as administration from './naive-administration.ts';
import { type NaiveAdministrationOutcome, reject } from './naive-administration.ts';
import { amend } from './naive-amendment.ts';
import * as approvals from './naive-approvals.ts';
import { activateBrackets, bracketTerms, placeBracket } from './naive-brackets.ts';
import { cancelOrdersOf, delist } from './naive-cancellations.ts';
import {
  checkClientOrderId,
  convertClientOrders,
  forgetClientOrders,
} from './naive-client-orders.ts';
import {
  changeLease,
  checkConnection,
  closeConnection,
  type NaiveConnected,
  noteConnection,
  openConnection,
} from './naive-connections.ts';
import { applyCustody, type NaiveCustodyOutcome } from './naive-custody.ts';
import { cancelAfter, type NaiveDeadlines, runDue } from './naive-deadlines.ts';
import {
  setAccountFeeTier,
  setFeeDiscount,
  setFeeTiers,
  setReferralShare,
  setReferrer,
} from './naive-fees.ts';
import * as keys from './naive-keys.ts';
import { ocoTerms, placeOco } from './naive-oco.ts';
import { isClosed, isFrozen } from './naive-owners.ts';
import { beginPortion, renewPortion } from './naive-portions.ts';
import * as protection from './naive-protection.ts';
import { type NaiveEvent, type NaiveMarket, NaiveState } from './naive-state.ts';
import { runTriggered } from './naive-stops.ts';
import { applySubAccounts, type NaiveSubAccountOutcome } from './naive-sub-accounts.ts';
import * as trading from './naive-trading.ts';
import { orderTerms } from './naive-trading.ts';
import * as tradingLimits from './naive-trading-limits.ts';

export type NaiveOutcome =
  | NaiveAdministrationOutcome
  | trading.NaiveTradeOutcome
  | NaiveDeadlines
  | NaiveConnected
  | approvals.NaiveApproval
  | approvals.NaiveNoted
  | NaiveCustodyOutcome
  | NaiveSubAccountOutcome
  | { readonly kind: 'done' };

/** A command that needs the operate permission. */
type OperatorCommand = Exclude<
  Extract<Command, Actor>,
  {
    readonly kind:
      | typeof CommandKind.placeOrder
      | typeof CommandKind.placeStopOrder
      | typeof CommandKind.placeOco
      | typeof CommandKind.cancelOrder
      | typeof CommandKind.cancelOrders
      | typeof CommandKind.cancelAfter
      | typeof CommandKind.amendOrder
      | typeof CommandKind.openConnection
      | typeof CommandKind.useSignature;
  }
>;

/**
 * A reference model of the whole engine, written to be obviously correct instead of fast. The
 * engine must behave exactly like it, to the last event.
 */
export class NaiveExchange {
  readonly state = new NaiveState();
  private readonly operators: approvals.NaiveOperators = {
    authorize: (actor, permission) => this.authorize(actor, permission),
    administer: (command) => this.administer(command),
  };

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
    // An order may enter the book and leave it again within a command.
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
    protection.rememberTrades(state);
    for (const market of state.markets) {
      if (!changed.has(market) && !hasChanged(market)) continue;
      market.bookSequence++;
      if (state.version >= 2) market.bookChangedAt = state.time;
    }
    return outcome;
  }

  /** Returns everything that can change in the book of a market, as text. */
  private bookText({ index }: NaiveMarket): string {
    return this.state.orders
      .filter(({ market }) => market === index)
      .map((order) => `${order.id} ${order.price} ${order.remaining} ${order.displayAmount}`)
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
      case CommandKind.useSignature:
        return keys.useSignature(state, command);
      case CommandKind.placeOrder:
      case CommandKind.placeStopOrder:
      case CommandKind.placeOco:
      case CommandKind.placeBracket:
        return this.place(command);
      case CommandKind.cancelOrder:
        return this.authorizeTrade(command) ?? trading.cancel(state, command);
      case CommandKind.cancelOrders:
        return this.authorizeTrade(command) ?? trading.cancelOrders(state, command);
      case CommandKind.cancelAfter:
        return this.authorizeTrade(command) ?? cancelAfter(state, command);
      case CommandKind.amendOrder:
        return this.authorizeTrade(command) ?? this.amend(command);
      case CommandKind.placeOnConnection: {
        const rejection = checkConnection(state, command);
        if (rejection !== undefined) return rejection;
        const outcome = this.execute(command.command);
        noteConnection(state, command.connection, outcome as NaiveConnected);
        return outcome;
      }
      case CommandKind.executeBy:
        return command.deadline < state.time
          ? { kind: 'rejected', code: RejectionCode.signatureExpired }
          : this.execute(command.command);
      case CommandKind.openConnection:
        return this.authorizeTrade(command) ?? openConnection(state, command);
      case CommandKind.closeConnection:
        return closeConnection(state, command.connection);
      case CommandKind.renewNodeConnections:
        return changeLease(state, command, false);
      case CommandKind.closeNodeConnections:
        return changeLease(state, command, true);
      case CommandKind.requestAddress:
        return this.authorize(command, Permission.trade) ?? applyCustody(state, command);
      case CommandKind.addWithdrawalAddress:
      case CommandKind.removeWithdrawalAddress:
      case CommandKind.requestWithdrawal:
      case CommandKind.cancelWithdrawal:
        return this.authorize(command, Permission.withdraw) ?? applyCustody(state, command);
      case CommandKind.createSubAccount:
      case CommandKind.renameSubAccount:
      case CommandKind.closeSubAccount:
      case CommandKind.internalTransfer:
        return this.authorize(command, Permission.transfer) ?? applySubAccounts(state, command);
      default: {
        const rejection = this.authorize(command, approvals.neededPermission(command));
        if (rejection !== undefined) return rejection;
        if (approvals.needsSecond(state, command)) return reject(RejectionCode.needsApproval);
        const outcome = this.administer(command);
        approvals.rememberAdjustment(state, command, outcome);
        return outcome;
      }
    }
  }

  private administer(command: OperatorCommand): NaiveOutcome {
    const { state } = this;
    switch (command.kind) {
      case CommandKind.upgrade:
        return this.upgrade(command);
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
      case CommandKind.setFeeDiscount:
        return setFeeDiscount(state, command);
      case CommandKind.setReferralShare:
        return setReferralShare(state, command);
      case CommandKind.setReferrer:
        return setReferrer(state, command);
      case CommandKind.createAccount:
        return administration.createAccount(state, command);
      case CommandKind.setAccountStatus:
        return administration.setAccountStatus(state, command);
      case CommandKind.setAccountLimitClass:
        return administration.setAccountLimitClass(state, command);
      case CommandKind.createKey:
      case CommandKind.createSignedKey:
      case CommandKind.createHmacKey:
        return keys.createKey(state, command);
      case CommandKind.setApprovalPolicy:
        return approvals.setPolicy(state, command);
      case CommandKind.requestApproval:
        return approvals.request(state, command, this.operators);
      case CommandKind.approve:
        return approvals.approve(state, command, this.operators);
      case CommandKind.rejectApproval:
        return approvals.rejectApproval(state, command, this.operators);
      case CommandKind.grantAccess:
        return approvals.grantAccess(state, command);
      case CommandKind.addNote:
        return approvals.addNote(state, command);
      case CommandKind.removeNote:
        return approvals.removeNote(state, command);
      case CommandKind.reviewAlert:
        return approvals.reviewAlert(state, command);
      case CommandKind.resealKey:
        return keys.resealKey(state, command);
      case CommandKind.changeKey:
        return keys.changeKey(state, command);
      case CommandKind.revokeKey:
        return keys.revokeKey(state, command);
      case CommandKind.transfer:
        return administration.transfer(state, command);
      case CommandKind.setTradingStatus:
        return protection.setTradingStatus(state, command);
      case CommandKind.scheduleMaintenance:
        return protection.scheduleMaintenance(state, command);
      case CommandKind.cancelMaintenance:
        return protection.cancelMaintenance(state, command);
      case CommandKind.announce:
        return protection.announce(state, command);
      case CommandKind.withdrawAnnouncement:
        return protection.withdrawAnnouncement(state, command);
      case CommandKind.createSubAccount:
      case CommandKind.renameSubAccount:
      case CommandKind.closeSubAccount:
      case CommandKind.internalTransfer:
        return applySubAccounts(state, command);
      case CommandKind.setTradingLimits:
        return tradingLimits.setTradingLimits(state, command);
      case CommandKind.bustTrade:
        return protection.bustTrade(state, command);
      default:
        return applyCustody(state, command);
    }
  }

  private upgrade({ version }: Upgrade): NaiveOutcome {
    const { state } = this;
    if (version <= state.version) return { kind: 'done' };
    if (state.version < 2) {
      convertClientOrders(state);
      renewPortion(state);
      for (const market of state.markets) market.bookChangedAt = state.time;
    }
    state.version = version;
    for (const { index } of state.accounts) keys.dropEndedKeys(state, index);
    return { kind: 'done' };
  }

  private place(command: PlacingCommand): NaiveOutcome {
    const { state } = this;
    const order = command.kind === CommandKind.placeBracket ? command.order : command;
    const outcome = this.authorizePlacement(command, order) ?? this.placeAuthorized(command);
    tradingLimits.noteOrder(state, order.account, outcome);
    return outcome;
  }

  private placeAuthorized(command: PlacingCommand): NaiveOutcome {
    if (command.kind === CommandKind.placeOco) return placeOco(this.state, command);
    if (command.kind === CommandKind.placeBracket) return placeBracket(this.state, command);
    return trading.place(this.state, command);
  }

  private amend(command: AmendOrder): NaiveOutcome {
    const { state } = this;
    const order = state.open.find(({ id }) => id === command.orderId);
    const isOwn = order?.account === command.account;
    if (!isOwn || tradingLimits.isReduction(order, command)) return amend(state, command);
    const outcome = tradingLimits.checkAmendment(state, order, command) ?? amend(state, command);
    tradingLimits.noteOrder(state, command.account, outcome);
    return outcome;
  }

  /**
   * Authorizes placing an order. An account that is frozen or has reached a limit receives the order it placed if it
   * repeats a request.
   */
  private authorizePlacement(
    command: PlacingCommand,
    order: Actor & { readonly clientOrderId: string | null; readonly searchedBelow?: number },
  ): trading.NaiveTradeOutcome | undefined {
    const { state } = this;
    const rejection = this.authorizeTrade(order);
    const isOfAccount =
      rejection?.code === RejectionCode.accountFrozen ||
      rejection?.code === RejectionCode.accountClosed;
    if (state.version < 2 || (rejection !== undefined && !isOfAccount)) return rejection;
    const ofAccount = rejection ?? tradingLimits.checkPlacement(state, command);
    if (ofAccount === undefined) return undefined;
    return checkClientOrderId(state, order, toTerms(command)) ?? ofAccount;
  }

  private authorizeTrade(actor: Actor): Rejection | undefined {
    const rejection = this.authorize(actor, Permission.trade);
    if (rejection !== undefined) return rejection;
    const account = this.state.accounts[actor.account];
    if (account === undefined) return reject(RejectionCode.unknownAccount);
    if (isFrozen(this.state, actor.account)) return reject(RejectionCode.accountFrozen);
    return isClosed(this.state, actor.account) ? reject(RejectionCode.accountClosed) : undefined;
  }

  /** Checks that the key, if given, belongs to the account, is active and has the permission. */
  private authorize(actor: Actor, permission: number): Rejection | undefined {
    if (actor.key === -1) return undefined;
    const key = this.state.keys[actor.key];
    const isInForce =
      key !== undefined &&
      key.owner === actor.account &&
      key.revokedAt === 0 &&
      (key.expiresAt === 0 || key.expiresAt > this.state.time);
    if (!isInForce) return reject(RejectionCode.unauthorized);
    const isPermitted = (key.permissions & permission) !== 0;
    return isPermitted ? undefined : reject(RejectionCode.insufficientPermissions);
  }
}

function toTerms(command: PlacingCommand): string {
  if (command.kind === CommandKind.placeOco) return ocoTerms(command);
  return command.kind === CommandKind.placeBracket ? bracketTerms(command) : orderTerms(command);
}
