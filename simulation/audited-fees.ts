import type { Command, FeeTier, SetFeeDiscount } from '../src/engine/command.ts';
import { CommandKind } from '../src/engine/command.ts';
import type { EntryEvent, TradeEvent } from '../src/engine/event.ts';
import { EntryType, Side } from '../src/engine/terms.ts';
import type { AuditedMarket } from './audited-market.ts';
import { check } from './failure.ts';

type ReferralEntry = readonly [account: number, asset: number, amount: bigint];

/** Explains fees, rebates and referral shares by the rates that operators set (invariant 8). */
export class AuditedFees {
  private tiers: readonly FeeTier[] = [];
  private discount: SetFeeDiscount | undefined;
  private share = 0;
  private readonly referrers = new Map<number, number>();
  /** The shares that the last trades owe, in the order of their entries. */
  private owed: ReferralEntry[] = [];
  /** Whether the command changes rates, so that its trades may follow the old or the new ones. */
  private isChanging = false;

  /** Begins a command. */
  begin(): void {
    this.owed = [];
    this.isChanging = false;
  }

  /** Notes a change of rules outside of this class. */
  expectOtherRates(): void {
    this.isChanging = true;
  }

  /** Notes a command that was executed. */
  noteCommand(command: Command): void {
    if (command.kind === CommandKind.setFeeTiers) this.tiers = command.tiers;
    else if (command.kind === CommandKind.setFeeDiscount) this.discount = command;
    else if (command.kind === CommandKind.setReferralShare) this.share = command.share;
    else if (command.kind === CommandKind.setReferrer) {
      const { owner, referrer } = command;
      const known = this.referrers.get(owner) ?? referrer;
      check(known === referrer && referrer < owner, `account ${owner} has another referrer`);
      this.referrers.set(owner, referrer);
    } else return;
    this.isChanging = true;
  }

  /** Checks the fees of a trade. */
  trade(trade: TradeEvent, market: AuditedMarket): void {
    const [makerFee, takerFee] = [BigInt(trade.makerFee), BigInt(trade.takerFee)];
    const rebate = makerFee < 0n ? -makerFee : 0n;
    check(takerFee >= rebate, `the taker of trade ${trade.id} pays less than its maker receives`);
    const base = BigInt(trade.amount) * market.baseUnit;
    const cost = BigInt(trade.cost);
    const takerBuys = trade.takerSide === Side.buy;
    const [bought, paid] = takerBuys ? [base, cost] : [cost, base];
    if (!this.isChanging) {
      this.checkRate(trade, 'makerFee', paid, bought, market);
      this.checkRate(trade, 'takerFee', bought, bought, market);
    }
    const [asset, other] = takerBuys ? [market.base, market.quote] : [market.quote, market.base];
    this.owe(trade.makerAccount, other, makerFee + rebate);
    this.owe(trade.takerAccount, asset, takerFee - rebate);
  }

  /** Checks an entry: shares follow their trade at once. */
  entry({ type, account, asset, amount }: EntryEvent): void {
    if (type !== EntryType.referral || this.isChanging) return;
    const next = this.owed.shift();
    const paid = `${account} ${asset} ${amount}`;
    check(next?.join(' ') === paid, `a referral pays ${paid} instead of ${next?.join(' ')}`);
  }

  /** Ends a command. */
  end(): void {
    check(this.isChanging || this.owed.length === 0, 'a referrer was not paid');
  }

  private owe(account: number, asset: number, fee: bigint): void {
    const referrer = this.referrers.get(account);
    const amount = (fee * BigInt(this.share)) / 1_000_000n;
    if (referrer !== undefined && amount > 0n) this.owed.push([referrer, asset, amount]);
  }

  /**
   * Checks that the fee is the market's rate, that of a lower tier or a discounted one, rounded for the exchange.
   * @param received Base of a fee. @param bought Base of a rebate
   */
  private checkRate(
    trade: TradeEvent,
    which: 'makerFee' | 'takerFee',
    received: bigint,
    bought: bigint,
    { rules }: AuditedMarket,
  ): void {
    const fee = BigInt(trade[which]);
    // In an auction both orders rested, so both pay the maker fee, and there are no rebates.
    const name = trade.isAuction ? 'makerFee' : which;
    const plain = [rules[name], ...this.tiers.map((tier) => Math.min(rules[name], tier[name]))];
    const waived = 1_000_000 - (this.discount?.rate ?? 0);
    const all = plain.flatMap((rate) =>
      rate < 0 ? [rate] : [rate, Math.ceil((rate * waived) / 1_000_000)],
    );
    const rates = trade.isAuction ? all.map((rate) => Math.max(0, rate)) : all;
    const isOwed = rates.some((rate) => {
      const exact = (rate < 0 ? bought : received) * BigInt(rate);
      return fee * 1_000_000n >= exact && (fee - 1n) * 1_000_000n < exact;
    });
    check(
      isOwed,
      `the ${which} of trade ${trade.id} is ${fee} of ${received}, which no rate explains`,
    );
  }
}
