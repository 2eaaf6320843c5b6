import type { EntryEvent, Event, OrderRecord } from '../../../engine/event.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import type { State } from '../../../engine/state.ts';
import { EntryType } from '../../../engine/terms.ts';
import { decimalText } from '../decimals.ts';
import type { Symbols } from '../symbols.ts';
import { AccountLists } from './account-lists.ts';
import { executionReport } from './execution-report.ts';
import { AccountExecutions, type Execution } from './executions.ts';
import type { JoinedFills } from './joined-fills.ts';

/** The types of entries that move money into an account or out of it without a trade, as Binance reports them. */
const TRANSFERS: readonly number[] = [EntryType.transfer, EntryType.internalTransfer];

/** A command that was applied. */
export interface Applied {
  /** In order. */
  readonly events: readonly Event[];
  readonly fills: JoinedFills;
  /** The lowest id of orders that it placed. */
  readonly firstNewId: number;
}

/** The exchange, as far as feeds use it. */
export interface FeedSource {
  readonly state: State;
  readonly symbols: Symbols;
  readonly now: () => number;
  /** Called with each event, once for each subscriber. */
  readonly onSent: (event: string) => void;
  /** Returns an id that no earlier report has. */
  readonly executionId: (execution: Execution) => number;
  /** Returns an order of an account, open or final, from history. */
  readonly findOrder: (account: Account, id: number) => Promise<OrderRecord | undefined>;
}

interface Subscriber {
  /** Receives an event as JSON. */
  readonly send: (event: string) => void;
}

/** The events of one account, which are the same for all its subscribers. */
export class AccountFeed {
  readonly subscribers = new Set<Subscriber>();
  private readonly executions: AccountExecutions;
  private readonly lists: AccountLists;

  constructor(
    private readonly source: FeedSource,
    readonly account: Account,
  ) {
    const { state } = source;
    this.executions = new AccountExecutions(state, account);
    const findOrder = (id: number) => source.findOrder(account, id);
    this.lists = new AccountLists(state, state.accountOpenOrders(account), findOrder);
  }

  /** Sends what the last command has changed: orders first, then transfers, then the balances after it. */
  note(applied: Applied): void {
    for (const event of [
      ...this.orderEvents(applied),
      ...this.transferEvents(applied.events),
      ...this.balanceEvents(applied.events),
    ]) {
      for (const { send } of this.subscribers) {
        send(event);
        this.source.onSent(event);
      }
    }
  }

  private orderEvents({ events, fills, firstNewId }: Applied): string[] {
    const { state, symbols, now, executionId } = this.source;
    const shown = this.executions
      .read(events, fills, firstNewId)
      .filter(({ order }) => symbols.includes(state.markets[order.market]!));
    for (const { order } of shown) this.lists.note(order);
    const reports = shown.map((execution) => {
      const { order } = execution;
      const market = state.markets[order.market]!;
      const names = this.lists.names(order);
      return executionReport(execution, {
        ...{ market, names, now: now(), executionId: executionId(execution) },
      });
    });
    return [...reports, ...this.lists.statusEvents(shown, firstNewId, now())];
  }

  private transferEvents(events: readonly Event[]): string[] {
    return events.flatMap((event) =>
      event.kind === 'entry' && this.isOwn(event) && TRANSFERS.includes(event.type)
        ? this.transferText(event)
        : [],
    );
  }

  private transferText({ asset: index, amount, time }: EntryEvent): string {
    const { state, now } = this.source;
    const { asset, decimals } = state.assets[index]!;
    const change = decimalText(amount, decimals);
    return `{"e":"balanceUpdate","E":${now()},"a":"${asset}","d":"${change}","T":${time}}`;
  }

  private balanceEvents(events: readonly Event[]): string[] {
    const { state, now } = this.source;
    const changed = new Set<number>();
    for (const event of events) {
      if (event.kind === 'entry') {
        if (this.isOwn(event)) changed.add(event.asset);
      } else if (event.kind === 'trade' && this.hasTraded(event)) {
        const { base, quote } = state.markets[event.market]!;
        changed.add(base.index).add(quote.index);
      }
    }
    if (changed.size === 0) return [];
    const texts = [...changed].map((index) => {
      const { asset, decimals } = state.assets[index]!;
      const { available = 0, held = 0 } = this.account.balances[index] ?? {};
      const text = (units: Exact) => decimalText(units, decimals);
      return `{"a":"${asset}","f":"${text(available)}","l":"${text(held)}"}`;
    });
    return [
      `{"e":"outboundAccountPosition","E":${now()},"u":${state.time},"B":[${texts.join(',')}]}`,
    ];
  }

  private isOwn({ account }: { readonly account: number }): boolean {
    return account === this.account.index;
  }

  private hasTraded(trade: Extract<Event, { kind: 'trade' }>): boolean {
    const { index } = this.account;
    return trade.makerAccount === index || trade.takerAccount === index;
  }
}
