import type { FeeTier } from '../src/engine/command.ts';
import { type Command, CommandKind } from '../src/engine/command.ts';
import type { Event, Outcome, TradeEvent } from '../src/engine/event.ts';
import type { Exact } from '../src/engine/numbers/exact.ts';
import type { State } from '../src/engine/state.ts';
import { EntryType, MarketStatus, Side } from '../src/engine/terms.ts';
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
  private tiers: readonly FeeTier[] = [];
  private nextTradeId = 1;
  private time = 0;
  /** Whether the command changes rules, so that its trades may follow the old or the new ones. */
  private changesRules = false;

  /** Records and checks the effects of a command. @param time The time of its batch. */
  audit(
    state: State,
    command: Command,
    time: number,
    outcome: Outcome,
    events: readonly Event[],
  ): void {
    this.time = Math.max(this.time, time);
    check(state.time === this.time, `the time is ${this.time}, the engine's ${state.time}`);
    this.requests.note(command, outcome, this.time, (id) => this.orders.isOpen(id));
    this.noteRules(command, outcome);
    for (const event of events) {
      if (event.kind !== 'order')
        check(event.time === this.time, 'an event has another time than its command');
      if (event.kind === 'entry') this.ledger.note(event);
      else if (event.kind === 'trade') this.trade(event);
      else this.orders.note(event);
    }
    this.orders.end(state, outcome);
    this.ledger.check(state);
  }

  /** Records a trade and the entries that it implies: the maker's, then the taker's. */
  private trade(trade: TradeEvent): void {
    const { id, price, amount, takerSide } = trade;
    const market = this.markets[trade.market]!;
    check(id === this.nextTradeId++, `trade ${id} comes after trade ${this.nextTradeId - 2}`);
    check(
      this.changesRules || !CLOSED.includes(market.status),
      `trade ${id} happened in a closed market`,
    );
    check(
      trade.makerAccount !== trade.takerAccount,
      `both sides of trade ${id} are of one account`,
    );
    const cost = BigInt(price) * BigInt(amount) * market.quoteUnit;
    check(cost === BigInt(trade.cost), `trade ${id} costs ${cost}, not ${trade.cost}`);
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
    this.checkFee(trade, 'makerFee', paid.amount, market);
    this.checkFee(trade, 'takerFee', bought.amount, market);
  }

  private settle(
    trade: number,
    account: number,
    gives: { readonly asset: number; readonly amount: bigint },
    gets: { readonly asset: number; readonly amount: bigint },
    fee: Exact,
  ): void {
    const { ledger } = this;
    ledger.change(account, gives.asset, EntryType.trade, -gives.amount, trade);
    ledger.change(account, gets.asset, EntryType.trade, gets.amount, trade);
    if (fee !== 0) ledger.change(account, gets.asset, EntryType.fee, -BigInt(fee), trade);
  }

  /** Checks that the fee is the market's rate, or that of a lower tier, rounded up (invariant 8). */
  private checkFee(
    trade: TradeEvent,
    which: 'makerFee' | 'takerFee',
    received: bigint,
    { rules }: AuditedMarket,
  ): void {
    if (this.changesRules) return;
    const fee = BigInt(trade[which]);
    const rates = [rules[which], ...this.tiers.map((tier) => Math.min(rules[which], tier[which]))];
    const isOwed = rates.some((rate) => {
      const exact = received * BigInt(rate);
      return fee * 1_000_000n >= exact && (fee - 1n) * 1_000_000n < exact;
    });
    check(
      isOwed,
      `the ${which} of trade ${trade.id} is ${fee} of ${received}, which no rate explains`,
    );
  }

  /** Records a successful change by an operator. */
  private noteRules(command: Command, outcome: Outcome): void {
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
        return;
      }
      case CommandKind.setFeeTiers:
        this.changesRules = true;
        this.tiers = command.tiers;
    }
  }
}
