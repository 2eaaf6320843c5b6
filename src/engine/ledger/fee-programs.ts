import type { SetFeeDiscount, SetReferralShare, SetReferrer } from '../command.ts';
import { mix, mixExact } from '../digest.ts';
import type { Outcome, TradeEvent } from '../event.ts';
import type { Market } from '../markets/markets.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { type Exact, sum } from '../numbers/exact.ts';
import { invariant, type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { PartState } from '../state-part.ts';
import { NONE, Side } from '../terms.ts';
import type { FeeDiscount } from './fee-discount.ts';
import { brokenRebateRule } from './fee-rules.ts';
import { takeShare } from './ledger.ts';

/** 100 % in parts per million. */
const ALL = 1_000_000;

/** The state part of fee discounts and referrals. */
export class FeePrograms {
  readonly id = 120;
  readonly nextTime = Number.POSITIVE_INFINITY;
  /** Part of its fees that the referrer of an account receives, in parts per million. */
  referralShare = 0;
  /** The referrers by account, as indexes of accounts. */
  private readonly referrers = new Map<number, number>();
  /** The number of accounts that each account referred. */
  private readonly counts = new Map<number, number>();

  constructor(private readonly state: PartState) {}

  get isEmpty(): boolean {
    return this.hasNoTerms && this.referrers.size === 0;
  }

  /** The discount of accounts that own an asset, which `FeeTiers` applies. */
  get discount(): FeeDiscount | undefined {
    return this.state.feeTiers.discount;
  }

  /** Whether any trade may pay a referrer. */
  get paysReferrers(): boolean {
    return this.referralShare > 0 && this.referrers.size > 0;
  }

  /** Returns the index of the account that referred another; NONE for none. */
  findReferrer(account: number): number {
    return this.referrers.get(account) ?? NONE;
  }

  /** Returns the number of accounts that an account referred. */
  countReferred(account: number): number {
    return this.counts.get(account) ?? 0;
  }

  setDiscount({ asset, minBalance, rate }: SetFeeDiscount): Outcome {
    const { state } = this;
    const { markets, feeTiers } = state;
    if (state.version < 2) return needsVersion2();
    if (state.assets[asset] === undefined) return rejected(RejectionCode.unknownAsset);
    const discount = rate === 0 ? undefined : { asset, minBalance, rate };
    const broken =
      brokenDiscountRule(discount) ??
      brokenRebateRule({ markets, feeTiers: { tiers: feeTiers.tiers, discount } });
    if (broken !== undefined) return rejected(RejectionCode.invalidRules, broken);
    this.changeTerms(() => {
      feeTiers.discount = discount;
    });
    return { kind: 'done' };
  }

  setReferralShare({ share }: SetReferralShare): Outcome {
    if (this.state.version < 2) return needsVersion2();
    if (share > ALL) {
      return rejected(RejectionCode.invalidRules, 'share must be from 0 to 1');
    }
    this.changeTerms(() => {
      this.referralShare = share;
    });
    return { kind: 'done' };
  }

  /**
   * Records a referral. The referrer is the older account, so that no accounts refer each other, not even through others.
   * Repeating the same command changes nothing.
   */
  setReferrer({ owner, referrer }: SetReferrer): Outcome {
    const { state, referrers } = this;
    if (state.version < 2) return needsVersion2();
    const account = state.accounts[owner];
    if (account === undefined || state.accounts[referrer] === undefined) {
      return rejected(RejectionCode.unknownAccount);
    }
    const isOfGroup = account.owner === state.accounts[referrer]?.owner;
    if (referrer >= owner || isOfGroup) return rejected(RejectionCode.referrerNotAllowed);
    const known = referrers.get(owner);
    if (known !== undefined && known !== referrer) return rejected(RejectionCode.alreadyReferred);
    if (known === undefined) {
      this.add(owner, referrer);
      state.include(hashReferral(owner, referrer));
    }
    return { kind: 'account', account, created: false };
  }

  private add(owner: number, referrer: number): void {
    this.referrers.set(owner, referrer);
    this.counts.set(referrer, this.countReferred(referrer) + 1);
  }

  /** Pays the referrers of both accounts of a trade their shares of the fees, less the rebate for the taker's. */
  payReferrers(market: Market, trade: TradeEvent): void {
    const { makerFee, takerFee } = trade;
    const takerBuys = trade.takerSide === Side.buy;
    const [bought, paid] = takerBuys
      ? [market.base.index, market.quote.index]
      : [market.quote.index, market.base.index];
    if (makerFee > 0) this.payReferrer(trade.makerAccount, paid, makerFee, trade.id);
    const kept = makerFee < 0 ? sum(takerFee, makerFee) : takerFee;
    this.payReferrer(trade.takerAccount, bought, kept, trade.id);
  }

  private payReferrer(account: number, asset: number, fee: Exact, tradeId: number): void {
    const referrer = this.referrers.get(account);
    if (referrer === undefined) return;
    const share = takeShare(fee, this.referralShare);
    const { ledger, accounts } = this.state;
    if (share !== 0) ledger.payReferral(accounts[referrer]!, asset, share, tradeId);
  }

  runDue(): void {}

  countDigest(): number {
    let all = this.hashTerms();
    for (const [owner, referrer] of this.referrers) all = (all + hashReferral(owner, referrer)) | 0;
    return all;
  }

  audit(): void {
    const { accounts, assets, ledger } = this.state;
    for (const [owner, referrer] of this.referrers) {
      const isFit = accounts[owner] !== undefined && referrer >= 0 && referrer < owner;
      invariant(isFit, `account ${owner} cannot be referred by account ${referrer}`);
    }
    invariant(this.referralShare <= ALL, 'the referral share exceeds the fee');
    for (const { index, asset } of assets) {
      invariant(ledger.fees[index]! >= 0, `more fees of ${asset} were paid out than charged`);
    }
    const broken = brokenDiscountRule(this.discount) ?? brokenRebateRule(this.state);
    invariant(broken === undefined, `fees break a rule: ${broken}`);
  }

  write(writer: ByteWriter): void {
    const { asset, minBalance, rate } = this.discount ?? NO_DISCOUNT;
    writer.uint32(asset);
    writer.exact(minBalance);
    writer.uint32(rate);
    writer.uint32(this.referralShare);
    writer.uint32(this.referrers.size);
    for (const [owner, referrer] of [...this.referrers].sort((a, b) => a[0] - b[0])) {
      writer.uint32(owner);
      writer.uint32(referrer);
    }
  }

  read(reader: ByteReader): void {
    const { state } = this;
    const discount = {
      asset: reader.uint32(),
      minBalance: reader.exact(),
      rate: reader.uint32(),
    };
    state.feeTiers.discount = discount.rate === 0 ? undefined : discount;
    this.referralShare = reader.uint32();
    state.include(this.hashTerms());
    for (let left = reader.uint32(); left > 0; left--) {
      const owner = reader.uint32();
      const referrer = reader.uint32();
      this.add(owner, referrer);
      state.include(hashReferral(owner, referrer));
    }
  }

  private changeTerms(change: () => void): void {
    this.state.exclude(this.hashTerms());
    change();
    this.state.include(this.hashTerms());
  }

  private get hasNoTerms(): boolean {
    return this.discount === undefined && this.referralShare === 0;
  }

  /** Returns the hash of the discount and the share; 0 for none. */
  private hashTerms(): number {
    if (this.hasNoTerms) return 0;
    const { asset, minBalance, rate } = this.discount ?? NO_DISCOUNT;
    return mix(mix(mixExact(mix(120, asset), minBalance), rate), this.referralShare);
  }
}

const NO_DISCOUNT: FeeDiscount = { asset: 0, minBalance: 0, rate: 0 };

function needsVersion2(): Rejection {
  return rejected(RejectionCode.invalidRules, 'engine version 2');
}

function brokenDiscountRule(discount: FeeDiscount | undefined): string | undefined {
  if (discount === undefined) return undefined;
  if (discount.rate > ALL) return 'discount must be from 0 to 1';
  return discount.minBalance > 0 ? undefined : 'minBalance must be above zero';
}

function hashReferral(owner: number, referrer: number): number {
  return mix(mix(121, owner), referrer);
}
