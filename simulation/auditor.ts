import { type Command, CommandKind } from '../src/engine/command.ts';
import {
  type Event,
  findExecuted,
  findResult,
  type Outcome,
  type TradeEvent,
} from '../src/engine/event.ts';
import type { Exact } from '../src/engine/numbers/exact.ts';
import type { State } from '../src/engine/state.ts';
import { EntryType, MarketStatus, OrderStatus, Side } from '../src/engine/terms.ts';
import { AuditedBusts } from './audited-busts.ts';
import { AuditedCustody } from './audited-custody.ts';
import { AuditedFees } from './audited-fees.ts';
import { AuditedGroups } from './audited-groups.ts';
import { AuditedLedger } from './audited-ledger.ts';
import { AuditedMarket } from './audited-market.ts';
import { AuditedOrders } from './audited-orders.ts';
import { AuditedRequests } from './audited-requests.ts';
import { check } from './failure.ts';

const CLOSED: readonly number[] = [
  MarketStatus.cancelOnly,
  MarketStatus.halted,
  MarketStatus.delisted,
];

/**
 * Independent books, built from commands, outcomes and events alone, and compared with the engine's
 * after every command. It checks the engine's invariants without running any code of the engine.
 */
export class Auditor {
  private readonly decimals: number[] = [];
  private readonly assets = new Map<string, number>();
  private readonly markets: AuditedMarket[] = [];
  private readonly ledger = new AuditedLedger();
  private readonly orders = new AuditedOrders(this.markets, this.ledger);
  private readonly requests = new AuditedRequests();
  private readonly custody = new AuditedCustody(this.ledger);
  private readonly groups = new AuditedGroups(this.ledger, this.orders);
  private readonly busts = new AuditedBusts();
  private readonly fees = new AuditedFees();
  private nextTradeId = 1;
  private time = 0;
  private commands = 0;
  /** Whether the command changes rules, so that its trades may follow the old or the new ones. */
  private changesRules = false;
  /** Whether the kill switch is on. */
  private isHalted = false;

  /** Records and checks the effects of a command. @param time The time of its batch. */
  audit(
    state: State,
    command: Command,
    time: number,
    outcome: Outcome,
    events: readonly Event[],
  ): void {
    this.commands++;
    this.time = Math.max(this.time, time);
    check(state.time === this.time, `the time is ${this.time}, the engine's ${state.time}`);
    this.requests.note(command, outcome, this.time, (id) => this.staysOpen(id, events));
    this.fees.begin();
    this.noteRules(command, outcome);
    if (this.changesRules) this.fees.expectOtherRates();
    this.custody.noteCommand(command, outcome);
    this.groups.noteCommand(command, outcome);
    for (const event of events) {
      if (event.kind === 'entry' || event.kind === 'trade')
        check(event.time === this.time, 'an event has another time than its command');
      if (event.kind === 'entry') {
        this.ledger.note(event);
        this.fees.entry(event);
      } else if (event.kind === 'trade') this.trade(event);
      else if (event.kind === 'order') this.orders.note(event);
    }
    this.fees.end();
    this.custody.noteEvents(events);
    this.busts.note(events.filter((event) => event.kind === 'entry'));
    this.orders.end(state, outcome);
    this.groups.noteEffects(state, command, outcome, events);
    this.ledger.check(state);
  }

  /** Records a trade and the entries that it implies: the maker's, then the taker's. */
  private trade(trade: TradeEvent): void {
    const { id, price, amount, takerSide } = trade;
    const market = this.markets[trade.market]!;
    check(id === this.nextTradeId++, `trade ${id} comes after trade ${this.nextTradeId - 2}`);
    check(
      this.changesRules || !(this.isHalted || CLOSED.includes(market.status)),
      `trade ${id} happened in a closed market`,
    );
    check(
      trade.isAuction ||
        this.groups.findOwner(trade.makerAccount) !== this.groups.findOwner(trade.takerAccount),
      `both sides of trade ${id} are of one owner`,
    );
    const cost = BigInt(price) * BigInt(amount) * market.quoteUnit;
    check(cost === BigInt(trade.cost), `trade ${id} costs ${cost}, not ${trade.cost}`);
    market.bands.trade(trade, this.commands, !this.changesRules);
    this.orders.trade(trade);
    const base = { asset: market.base, amount: BigInt(amount) * market.baseUnit };
    const quote = { asset: market.quote, amount: cost };
    const [bought, paid] = takerSide === Side.buy ? [base, quote] : [quote, base];
    const { ledger } = this;
    ledger.checkNext(trade.makerEntryId);
    ledger.change(
      trade.makerAccount,
      bought.asset,
      EntryType.release,
      bought.amount,
      trade.makerOrderId,
    );
    this.settle(id, trade.makerAccount, bought, paid, trade.makerFee);
    ledger.checkAfter(trade.makerAccount, bought.asset, trade.makerGivenAfter);
    ledger.checkAfter(trade.makerAccount, paid.asset, trade.makerReceivedAfter);
    ledger.checkNext(trade.takerEntryId);
    this.settle(id, trade.takerAccount, paid, bought, trade.takerFee);
    ledger.checkAfter(trade.takerAccount, paid.asset, trade.takerGivenAfter);
    ledger.checkAfter(trade.takerAccount, bought.asset, trade.takerReceivedAfter);
    this.fees.trade(trade, market);
  }

  private settle(
    trade: number,
    account: number,
    gives: { readonly asset: number; readonly amount: bigint },
    gets: { readonly asset: number; readonly amount: bigint },
    fee: Exact,
  ): void {
    const { ledger, busts } = this;
    ledger.change(account, gives.asset, EntryType.trade, -gives.amount, trade);
    ledger.change(account, gets.asset, EntryType.trade, gets.amount, trade);
    const [asset, type] = fee < 0 ? [gives.asset, EntryType.rebate] : [gets.asset, EntryType.fee];
    busts.add(trade, account, gives.asset, -gives.amount);
    busts.add(trade, account, gets.asset, gets.amount);
    busts.add(trade, account, asset, -BigInt(fee));
    if (fee !== 0) ledger.change(account, asset, type, -BigInt(fee), trade);
  }

  /**
   * Returns whether an order was open before a command that has not ended it: after a jump of the clock, what is due ends
   * orders before the command takes effect.
   */
  private staysOpen(id: number, events: readonly Event[]): boolean {
    const isEnd = (event: Event) =>
      event.kind === 'order' && event.id === id && event.status !== OrderStatus.open;
    return this.orders.isOpen(id) && !events.some(isEnd);
  }

  /** Records a successful change by an operator. */
  private noteRules(submitted: Command, result: Outcome): void {
    const command = findExecuted(submitted, result);
    const outcome = findResult(result);
    this.changesRules = false;
    if (outcome.kind === 'rejected') return;
    const { markets } = this;
    switch (command.kind) {
      case CommandKind.createAsset:
        if (this.assets.has(command.asset)) return;
        this.assets.set(command.asset, this.decimals.length);
        this.decimals.push(command.decimals);
        return;
      case CommandKind.listMarket: {
        const [base, quote] = [this.assets.get(command.base)!, this.assets.get(command.quote)!];
        markets.push(new AuditedMarket(command, base, quote, this.decimals));
        return;
      }
      case CommandKind.setTradingStatus:
        this.changesRules = true;
        this.isHalted = command.status !== MarketStatus.online;
        return;
      case CommandKind.setMarketStatus:
        this.changesRules = true;
        markets[command.market]!.status = command.status;
        return;
      case CommandKind.delistMarket:
        this.changesRules = true;
        markets[command.market]!.status = MarketStatus.delisted;
        return;
      case CommandKind.changeMarketRules: {
        this.changesRules = true;
        const market = markets[command.market]!;
        market.rules = { ...market.rules, ...command.rules };
        market.bands.forget();
        return;
      }
      default:
        this.fees.noteCommand(command);
    }
  }
}
