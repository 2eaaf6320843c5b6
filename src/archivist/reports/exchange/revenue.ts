import type { EntryEvent, TradeEvent } from '../../../engine/event.ts';
import type { Exchange } from '../../../engine/exchange.ts';
import { difference, type Exact, sum } from '../../../engine/numbers/exact.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { EntryType, oppositeSide, type Side } from '../../../engine/terms.ts';
import { type Listings, number, text } from '../account-columns.ts';
import type { ExchangeObserver, ExchangeReport } from './observer.ts';

/** The fees of a period do not lead to the balance of the fee account. */
export class RevenueMismatchError extends Error {
  override readonly name = 'RevenueMismatchError';
}

type Source = 'trading' | 'withdrawals' | 'trade_busts';

/** Changes of the fee account in one asset, minor units, or its balance at an end of the period. */
interface Revenue {
  readonly source: Source | 'opening_balance' | 'closing_balance';
  /** Null but for trading. */
  readonly market: number | null;
  readonly tier: number | null;
  readonly asset: number;
  fees: Exact;
  rebates: Exact;
  referrals: Exact;
  /** The balance, or fees − rebates − referrals. */
  amount: Exact;
}

/**
 * Rows per market, tier and asset, between the balances of the fee account at both ends: the amounts add up to the
 * closing balance, or the report fails.
 */
export const revenueReport: ExchangeReport<Revenue> = {
  columns({ assets, markets }: Listings) {
    const amount = ({ asset }: Revenue, units: Exact) =>
      formatUnits(units, assets[asset]!.decimals);
    const isBalance = ({ source }: Revenue) => source.endsWith('_balance');
    const part = (name: 'fees' | 'rebates' | 'referrals') =>
      number<Revenue>(name, (row) => (isBalance(row) ? null : amount(row, row[name])));
    return [
      text('source', ({ source }) => source),
      text('symbol', ({ market }) => (market === null ? null : markets[market]!.symbol)),
      number('tier', ({ tier }) => (tier === null ? null : String(tier))),
      text('asset', ({ asset }) => assets[asset]!.asset),
      part('fees'),
      part('rebates'),
      part('referrals'),
      number('amount', (row) => amount(row, row.amount)),
    ];
  },
  observe: (exchange, _from, write) => new RevenueObserver(exchange, write),
};

/** The trades of one command, and the tiers of their accounts. */
interface Charged {
  readonly trade: TradeEvent;
  readonly makerTier: number;
  readonly takerTier: number;
}

class RevenueObserver implements ExchangeObserver {
  private readonly rows = new Map<string, Revenue>();
  private readonly opening: readonly Exact[];

  constructor(
    private readonly exchange: Exchange,
    private readonly write: (row: Revenue) => void,
  ) {
    this.opening = [...exchange.state.ledger.fees];
  }

  note(): void {
    const { events } = this.exchange;
    if (events.length === 0) return;
    const charged = this.chargedTrades();
    for (const each of charged.values()) this.addTrade(each);
    for (const event of events) if (event.kind === 'entry') this.addEntry(event, charged);
  }

  endBatch(): void {}

  end(): void {
    const rows = [...this.rows.values()].sort(compare);
    const { fees } = this.exchange.state.ledger;
    for (const [asset, closing] of fees.entries()) {
      const own = rows.filter((row) => row.asset === asset);
      const opening = this.opening[asset] ?? 0;
      const expected = own.reduce((all, { amount }) => sum(all, amount), opening);
      if (expected !== closing) {
        throw new RevenueMismatchError(
          `the fees of asset ${asset} lead to ${expected}, and the fee account has ${closing}`,
        );
      }
      if (opening === 0 && own.length === 0) continue;
      this.write(balance('opening_balance', asset, opening));
      for (const row of own) this.write(row);
      this.write(balance('closing_balance', asset, closing));
    }
  }

  /** Returns the trades of the last command by id, with the tiers at which their fees were charged. */
  private chargedTrades(): Map<number, Charged> {
    const { events, state } = this.exchange;
    const { feeTiers, accounts, markets, time } = state;
    // The volume of a trade counts for the fees of those after it, so it is taken back from the last one on.
    const later = new Map<number, Exact>();
    const tierBefore = (account: number, counted: Exact) => {
      const volume = difference(later.get(account) ?? 0, counted);
      later.set(account, volume);
      return feeTiers.currentTier(accounts[account]!, time, volume);
    };
    const charged = new Map<number, Charged>();
    for (const trade of events.filter((event) => event.kind === 'trade').reverse()) {
      const isCounted = markets[trade.market]!.quote.index === feeTiers.asset;
      const counted = isCounted ? trade.cost : 0;
      charged.set(trade.id, {
        trade,
        makerTier: tierBefore(trade.makerAccount, counted),
        takerTier: tierBefore(trade.takerAccount, counted),
      });
    }
    return charged;
  }

  private addTrade({ trade, makerTier, takerTier }: Charged): void {
    const { takerSide, makerFee, takerFee } = trade;
    this.addFee(trade.market, makerTier, oppositeSide(takerSide), makerFee);
    this.addFee(trade.market, takerTier, takerSide, takerFee);
  }

  private addFee(market: number, tier: number, side: Side, fee: Exact): void {
    if (fee === 0) return;
    const { index } = this.exchange.state.markets[market]!.feeAsset(side, fee);
    const row = this.row('trading', market, tier, index);
    if (fee < 0) row.rebates = difference(row.rebates, fee);
    else row.fees = sum(row.fees, fee);
    row.amount = sum(row.amount, fee);
  }

  private addEntry(entry: EntryEvent, charged: ReadonlyMap<number, Charged>): void {
    const { type, asset, amount, reference } = entry;
    if (type === EntryType.withdrawalFee || type === EntryType.tradeBustFee) {
      const source = type === EntryType.withdrawalFee ? 'withdrawals' : 'trade_busts';
      const row = this.row(source, null, null, asset);
      row.fees = difference(row.fees, amount);
      row.amount = difference(row.amount, amount);
    } else if (type === EntryType.referral) {
      // It is paid from the fee of the account that received this asset.
      const { trade, makerTier, takerTier } = charged.get(reference)!;
      const taken = this.exchange.state.markets[trade.market]!.feeAsset(trade.takerSide, 0);
      const tier = taken.index === asset ? takerTier : makerTier;
      const row = this.row('trading', trade.market, tier, asset);
      row.referrals = sum(row.referrals, amount);
      row.amount = difference(row.amount, amount);
    }
  }

  private row(source: Source, market: number | null, tier: number | null, asset: number): Revenue {
    const key = `${source} ${market} ${tier} ${asset}`;
    let row = this.rows.get(key);
    if (row === undefined) {
      row = { source, market, tier, asset, fees: 0, rebates: 0, referrals: 0, amount: 0 };
      this.rows.set(key, row);
    }
    return row;
  }
}

const SOURCES: readonly Revenue['source'][] = ['trading', 'withdrawals', 'trade_busts'];

function compare(a: Revenue, b: Revenue): number {
  return (
    SOURCES.indexOf(a.source) - SOURCES.indexOf(b.source) ||
    (a.market ?? 0) - (b.market ?? 0) ||
    (a.tier ?? 0) - (b.tier ?? 0)
  );
}

function balance(
  source: 'opening_balance' | 'closing_balance',
  asset: number,
  amount: Exact,
): Revenue {
  return { source, market: null, tier: null, asset, fees: 0, rebates: 0, referrals: 0, amount };
}
