import type { Exchange } from '../../../engine/exchange.ts';
import { number, text } from '../account-columns.ts';
import { Days, dateText, type ExchangeObserver, type ExchangeReport } from './observer.ts';

/** The accounts of a day. */
interface DayUsers {
  readonly day: number;
  /** At the end of the day. */
  readonly accounts: number;
  readonly newAccounts: number;
  /** Accounts that placed an order or traded. */
  readonly active: number;
  readonly traders: number;
  /** Accounts one of whose resting orders was filled. */
  readonly makers: number;
  readonly frozen: number;
}

/** A row per day: accounts, new ones, and those that placed orders and traded. */
export const usersReport: ExchangeReport<DayUsers> = {
  columns: () => [
    text('date', ({ day }) => dateText(day)),
    number('accounts', ({ accounts }) => String(accounts)),
    number('newAccounts', ({ newAccounts }) => String(newAccounts)),
    number('frozenAccounts', ({ frozen }) => String(frozen)),
    number('activeAccounts', ({ active }) => String(active)),
    number('traders', ({ traders }) => String(traders)),
    number('makers', ({ makers }) => String(makers)),
  ],
  observe: (exchange, from, write) => new UsersObserver(exchange, from, write),
};

class UsersObserver implements ExchangeObserver {
  private readonly days: Days;
  private readonly active = new Set<number>();
  private readonly traders = new Set<number>();
  private readonly makers = new Set<number>();
  /** As of the last batch: a command may begin a day. */
  private accounts: number;
  private frozen: number;
  private accountsBefore: number;

  constructor(
    private readonly exchange: Exchange,
    from: number,
    write: (row: DayUsers) => void,
  ) {
    this.accounts = exchange.state.accounts.length;
    this.accountsBefore = this.accounts;
    this.frozen = countFrozen(exchange);
    this.days = new Days(from, (day) => write(this.take(day)));
  }

  note(): void {
    const { events, state } = this.exchange;
    this.days.passTo(state.time);
    for (const event of events) {
      if (event.kind === 'order' && event.createdAt === state.time) this.active.add(event.account);
      if (event.kind !== 'trade') continue;
      for (const account of [event.makerAccount, event.takerAccount]) {
        this.traders.add(account);
        this.active.add(account);
      }
      this.makers.add(event.makerAccount);
    }
    this.accounts = state.accounts.length;
  }

  endBatch(): void {
    this.frozen = countFrozen(this.exchange);
  }

  end(time: number): void {
    this.days.end(time);
  }

  private take(day: number): DayUsers {
    const { accounts, accountsBefore, active, traders, makers, frozen } = this;
    const newAccounts = accounts - accountsBefore;
    const row = { day, accounts, newAccounts, frozen, active: active.size, traders: traders.size };
    const taken = { ...row, makers: makers.size };
    this.accountsBefore = accounts;
    for (const set of [active, traders, makers]) set.clear();
    return taken;
  }
}

function countFrozen({ state }: Exchange): number {
  return state.accounts.reduce((count, { isFrozen }) => count + (isFrozen ? 1 : 0), 0);
}
