import { endCall } from './auction/auction-endings.ts';
import { Prefetch } from './book/prefetch.ts';
import {
  type Actor,
  type ApprovableCommand,
  type Command,
  CommandKind,
  type Open,
  type PlaceOnConnection,
  type PlacingCommand,
  type Upgrade,
  type UseSignature,
} from './command.ts';
import type { Event, Outcome } from './event.ts';
import { isInForce, signsRequests } from './ledger/accounts.ts';
import { FeeAdministration } from './ledger/fee-administration.ts';
import { KeyAdministration } from './ledger/key-administration.ts';
import { Administration } from './markets/administration.ts';
import type { Market } from './markets/markets.ts';
import type { Exact } from './numbers/exact.ts';
import { createOperations, findOperation, isApprovable } from './operations.ts';
import { reviewAlert } from './operators/alert-reviews.ts';
import { ApprovalAdministration } from './operators/approval-administration.ts';
import { Amendments } from './orders/amend.ts';
import { Connections } from './orders/connections/connections.ts';
import { activateBrackets, BracketOrders } from './orders/contingent/brackets.ts';
import { OcoOrders } from './orders/contingent/oco.ts';
import { Cancellations } from './orders/endings/cancel.ts';
import { Portions } from './orders/endings/portions.ts';
import { Trading } from './orders/matching/trading.ts';
import { fingerprintPlacement } from './orders/order-terms.ts';
import { checkClientOrderId, type Identity } from './orders/placement.ts';
import { type Preview, previewPlacement } from './orders/preview/preview.ts';
import { Stops } from './orders/triggers/stops.ts';
import { costToBuy, insufficientFunds } from './orders/validate.ts';
import { TradingStatusAdministration } from './protection/trading-status-administration.ts';
import {
  EngineVersionError,
  invariant,
  type Rejection,
  RejectionCode,
  rejected,
} from './rejection.ts';
import { State } from './state.ts';
import { SubAccountAdministration } from './sub-accounts/sub-account-administration.ts';
import { NONE, Permission } from './terms.ts';

/**
 * The newest version of the engine's behavior. The engine behaves as the version in the state prescribes,
 * which `open` sets and `upgrade` raises, so that an older log replays to the same bytes. A log of
 * a newer version is rejected.
 *
 * - 1: the first release.
 * - 2: sweeps, expiries, deadlines and triggered orders run in portions (see `Portion` in
 *   `limits.ts`) instead of within one command. The engine remembers a bounded number of client
 *   order ids and transfer references; history knows the rest. A frozen account that repeats a
 *   request receives the order it placed. An account keeps a bounded number of ended keys, expired
 *   keys do not count towards the maximum, and the operator key that is valid longest cannot be
 *   revoked. Keys may sign their requests, each of which is used once. Market sells may be by cost. The legs of
 *   bracket orders get their ids with their order, and are reported if they are never activated.
 *   The legs of OCO orders name each other. There are deposits and withdrawals, and
 *   sub-accounts.
 */
export const ENGINE_VERSION = 2;

const DONE: Outcome = { kind: 'done' };
/** The rejections that concern the account instead of the order. */
const OF_ACCOUNT: readonly RejectionCode[] = [
  RejectionCode.accountFrozen,
  RejectionCode.accountClosed,
  RejectionCode.openNotionalLimit,
  RejectionCode.orderRateLimit,
  RejectionCode.ordersPerTradeLimit,
];

/**
 * The exchange: a state machine that the same commands at the same times bring to the same state,
 * bit for bit, on any machine. Only `apply` changes the state.
 */
export class Exchange {
  readonly state = new State();
  readonly administration = new Administration(this.state);
  readonly keyAdministration = new KeyAdministration(this.state);
  private readonly trading = new Trading(this.state);
  private readonly stops = new Stops(this.state, this.trading);
  private readonly ocoOrders = new OcoOrders(this.state);
  private readonly bracketOrders = new BracketOrders(this.state, this.trading);
  private readonly portions = new Portions(this.state);
  private readonly cancellations = new Cancellations(this.state, this.portions);
  private readonly connections = new Connections(this.state, this.portions);
  private readonly amendments = new Amendments(this.state, this.trading);
  private readonly prefetcher = new Prefetch(this.state);
  private readonly approvals = new ApprovalAdministration(this.state, {
    isApprovable: (command) => isApprovable(this.operations, command),
    authorize: (actor, command) => this.authorizeOperation(actor, command),
    apply: (command) => findOperation(this.operations, command).apply(command),
  });
  private readonly operations = createOperations({
    administration: this.administration,
    keyAdministration: this.keyAdministration,
    feeAdministration: new FeeAdministration(this.state),
    feePrograms: this.state.parts.feePrograms,
    cancellations: this.cancellations,
    approvals: this.approvals,
    notes: this.state.parts.notes,
    custody: this.state.parts.custody,
    subAccounts: new SubAccountAdministration(this.state, this),
    tradingStatusAdministration: new TradingStatusAdministration(this.state, this.portions),
    announcements: this.state.parts.announcements,
    tradeBusts: this.state.parts.tradeBusts,
    tradingLimits: this.state.parts.tradingLimits,
    reviewAlert: (command) => reviewAlert(this.state, command),
    upgrade: (command) => this.upgrade(command),
  });

  constructor() {
    this.state.parts.auctions.onEnd = (call) => endCall(this.state, call);
  }

  /** Keeps the result of `prefetch`, so that its reads are not optimized away. */
  prefetched = 0;

  /** The events of the last command, in order; overwritten by the next command. */
  get events(): readonly Event[] {
    return this.state.events;
  }

  /**
   * Applies one command at `time` (milliseconds since 1970; a time before the last one counts as
   * the last one). Work that was due by then runs first. A rejection leaves the state unchanged
   * except for the time and that work.
   * @throws InvariantError if the state contradicts itself: the process must stop.
   * @throws EngineVersionError if the log was written by a newer release.
   */
  apply(command: Command, time: number): Outcome {
    const { state } = this;
    state.events.length = 0;
    // Setting the length of an array is slow even if it is empty: 5 % of a command.
    if (state.freed.length > 0) state.freed.length = 0;
    if (state.removedPending.length > 0) state.removedPending.length = 0;
    if (state.sweeps.swept.length > 0) state.sweeps.swept.length = 0;
    const { dropped } = state.parts.custody.store;
    if (dropped.length > 0) dropped.length = 0;
    state.attachments.seenEvents = 0;
    state.applied++;
    if (time > state.time) this.advance(time);
    else if (command.kind === CommandKind.tick && state.version >= 2) this.portions.begin();
    if (state.triggered.size > 0) this.stops.runTriggered();
    const outcome = this.execute(command);
    activateBrackets(state);
    if (state.triggered.size > 0) this.stops.runTriggered();
    return outcome;
  }

  private execute(command: Command): Outcome {
    switch (command.kind) {
      case CommandKind.placeOrder:
      case CommandKind.placeStopOrder:
      case CommandKind.placeOco:
      case CommandKind.placeBracket:
        return this.place(command);
      case CommandKind.cancelOrder:
        return this.authorizeTrade(command) ?? this.cancellations.cancel(command);
      case CommandKind.cancelOrders:
        return this.authorizeTrade(command) ?? this.cancellations.cancelOrders(command);
      case CommandKind.cancelAfter:
        return this.authorizeTrade(command) ?? this.cancellations.cancelAfter(command);
      case CommandKind.amendOrder:
        return this.authorizeTrade(command) ?? this.amendments.amend(command);
      case CommandKind.placeOnConnection:
        return this.placeOnConnection(command);
      case CommandKind.executeBy:
        return this.state.time > command.deadline
          ? rejected(RejectionCode.signatureExpired)
          : this.execute(command.command);
      case CommandKind.openConnection:
        return this.authorizeTrade(command) ?? this.connections.open(command);
      case CommandKind.closeConnection:
        return this.connections.close(command);
      case CommandKind.renewNodeConnections:
        return this.connections.renew(command);
      case CommandKind.closeNodeConnections:
        return this.connections.closeNode(command);
      case CommandKind.useSignature:
        return this.useSignature(command);
      case CommandKind.tick:
      case CommandKind.skip:
        return DONE;
      case CommandKind.open:
        return this.open(command);
      default: {
        const { permission, action, apply } = findOperation(this.operations, command);
        const rejection =
          this.authorize(command, permission) ?? this.approvals.check(command, action);
        if (rejection !== undefined) return rejection;
        const outcome = apply(command);
        this.approvals.countAdjustment(command, outcome);
        return outcome;
      }
    }
  }

  /** Places the orders of a command within the limits of their account. */
  private place(command: PlacingCommand): Outcome {
    const order = command.kind === CommandKind.placeBracket ? command.order : command;
    const rejection = this.authorizePlacement(order, command);
    if (rejection !== undefined) return rejection;
    const { tradingLimits } = this.state.parts;
    return tradingLimits.noteOrder(order.account, this.placeAuthorized(command));
  }

  private placeAuthorized(command: PlacingCommand): Outcome {
    switch (command.kind) {
      case CommandKind.placeStopOrder:
        return this.stops.place(command);
      case CommandKind.placeOco:
        return this.ocoOrders.place(command);
      case CommandKind.placeBracket:
        return this.bracketOrders.place(command);
      default:
        return this.trading.place(command);
    }
  }

  /**
   * Returns what placing an order would do now, and changes nothing. `time` is the present, in milliseconds
   * since 1970. Work that is due, and triggered orders that have not run yet, are not taken into account.
   */
  preview(command: PlacingCommand, time: number): Preview {
    const actor = command.kind === CommandKind.placeBracket ? command.order : command;
    return (this.authorizePlacement(actor, command) ??
      previewPlacement(this.state, command, time)) as Preview;
  }

  /** Places an order that the end of its connection cancels. */
  private placeOnConnection({ connection, command }: PlaceOnConnection): Outcome {
    const { account } = command.kind === CommandKind.placeBracket ? command.order : command;
    const rejection = this.connections.check(connection, account);
    if (rejection !== undefined) return rejection;
    const { connections } = this.state;
    connections.current = connection;
    const outcome = this.execute(command);
    connections.current = 0;
    return outcome;
  }

  /** Loads the data of a batch of commands into the CPU cache; does not change the state. */
  prefetch(commands: readonly Command[]): void {
    this.prefetched = this.prefetcher.run(commands);
  }

  /**
   * The time at which work is due without a command, in milliseconds since 1970; Infinity for
   * never.
   */
  get nextDueTime(): number {
    const { triggered, sweeps, time } = this.state;
    if ((triggered.size > 0 && triggered.isDue) || sweeps.queue.length > 0) return time;
    return Math.max(time, this.portions.nextDate);
  }

  /**
   * Returns the rejection of an order that needs `required` minor units. For callers with numbers
   * that are too large for a command: insufficient funds are reported before the bounds that such
   * an order breaks.
   */
  insufficientFunds(account: number, asset: number, required: Exact): Rejection | undefined {
    return insufficientFunds(this.state.accounts[account]!, asset, required);
  }

  /**
   * Returns the current cost of buying `amount`, or as much as the book offers, in quote minor
   * units.
   */
  costToBuy(account: number, market: Market, amount: number): Exact {
    return costToBuy(this.state, account, market, amount);
  }

  private advance(time: number): void {
    const { state } = this;
    state.time = time;
    state.ledger.time = time;
    if (state.version < 2) {
      this.cancellations.runDue();
      state.clientOrderQueue.forgetDue();
    } else this.portions.begin();
  }

  private open(command: Open): Outcome {
    const { state } = this;
    invariant(state.version === 0, 'the log opens the exchange twice');
    checkVersion(command.version);
    state.version = command.version;
    state.sandbox = command.sandbox;
    if (state.version >= 2) state.renewPortion();
    return DONE;
  }

  /** Raises the version; the current version or an older one changes nothing. */
  private upgrade({ version }: Upgrade): Outcome {
    const { state } = this;
    checkVersion(version);
    if (version <= state.version) return DONE;
    if (state.version < 2) {
      state.clientOrderIds.convert();
      state.renewPortion();
      // The last changes before are not known.
      for (const market of state.markets) market.bookChangedAt = state.time;
    }
    state.version = version;
    for (const account of state.accounts) this.keyAdministration.dropEndedKeys(account);
    return DONE;
  }

  /**
   * Authorizes placing an order. From version 2 on, an account that is frozen or has reached a limit receives the
   * order it placed if it repeats a request.
   */
  private authorizePlacement(
    order: Actor & Identity,
    command: PlacingCommand,
  ): Outcome | undefined {
    const { state } = this;
    const rejection =
      this.authorizeTrade(order) ??
      state.parts.tradingLimits.checkPlacement(order.account, command);
    const isOfAccount = rejection !== undefined && OF_ACCOUNT.includes(rejection.code);
    if (!isOfAccount || state.version < 2 || order.clientOrderId === null) return rejection;
    const account = state.accounts[order.account]!;
    return checkClientOrderId(state, account, order, fingerprintPlacement(command)) ?? rejection;
  }

  /** Returns the rejection of an operator's command whose actor lacks its permission. */
  private authorizeOperation(actor: Actor, command: ApprovableCommand): Rejection | undefined {
    const { permission } = findOperation(this.operations, command);
    return this.authorize(actor, permission);
  }

  /** Returns the permissions of which an operator's command needs one, as their sum. */
  neededPermission(command: ApprovableCommand): number {
    return findOperation(this.operations, command).permission;
  }

  /** Returns whether a second operator must approve a command. */
  needsApproval(command: ApprovableCommand): boolean {
    const { action } = findOperation(this.operations, command);
    return this.approvals.check(command, action) !== undefined;
  }

  private useSignature(command: UseSignature): Outcome {
    const { state } = this;
    const key = state.keys[command.key];
    // A key that never was, unlike NONE, has no authority.
    if (key === undefined || !signsRequests(key)) return rejected(RejectionCode.unauthorized);
    return (
      this.authorize(command, key.permissions) ?? state.signatures.use(command, state.time) ?? DONE
    );
  }

  private authorizeTrade(actor: Actor): Rejection | undefined {
    const rejection = this.authorize(actor, Permission.trade);
    if (rejection !== undefined) return rejection;
    const account = this.state.accounts[actor.account];
    if (account === undefined) return rejected(RejectionCode.unknownAccount);
    if (account.isFrozen) return rejected(RejectionCode.accountFrozen);
    return account.isClosed ? rejected(RejectionCode.accountClosed) : undefined;
  }

  /**
   * Checks the key again in log order, which rejects a command whose key was revoked while the
   * command was on its way. Commands of the process itself carry no key.
   */
  private authorize(actor: Actor, permission: number): Rejection | undefined {
    if (actor.key === NONE) return undefined;
    const key = this.state.keys[actor.key];
    if (
      key === undefined ||
      key.account.index !== actor.account ||
      !isInForce(key, this.state.time)
    ) {
      return rejected(RejectionCode.unauthorized);
    }
    return (key.permissions & permission) === 0
      ? rejected(RejectionCode.insufficientPermissions)
      : undefined;
  }
}

function checkVersion(version: number): void {
  if (version <= ENGINE_VERSION) return;
  throw new EngineVersionError(
    `the log needs engine version ${version}, this is ${ENGINE_VERSION}: start a newer release`,
  );
}
