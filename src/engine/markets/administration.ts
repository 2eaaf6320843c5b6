import { changeStatus, wouldUncross } from '../auction/auction-endings.ts';
import type {
  ChangeMarketRules,
  CreateAccount,
  CreateAsset,
  ListedRules,
  ListMarket,
  SetAccountLimitClass,
  SetAccountStatus,
  SetMarketStatus,
  Transfer,
} from '../command.ts';
import { mixExact, mixNumber, mixText } from '../digest.ts';
import type { Outcome, TransferRecord } from '../event.ts';
import { Account, hashAccount } from '../ledger/accounts.ts';
import { brokenRebateRule } from '../ledger/fee-rules.ts';
import {
  MAX_ACCOUNTS,
  MAX_ASSET_DECIMALS,
  MAX_ASSET_TOTAL,
  MAX_ASSETS,
  MAX_MARKETS,
  MAX_REMEMBERED,
  MAX_TRANSFERS,
} from '../limits.ts';
import { difference, type Exact, sum } from '../numbers/exact.ts';
import { RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { MarketStatus } from '../terms.ts';
import { auctionRules, NO_AUCTIONS } from './market-rules.ts';
import {
  type Asset,
  brokenListingRule,
  hashAsset,
  hashLastPrice,
  hashMarket,
  Market,
} from './markets.ts';

const TICKER = /^[A-Z0-9]{1,12}$/;
const ACCOUNT_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Operator commands for assets, markets, accounts and transfers. */
export class Administration {
  constructor(private readonly state: State) {}

  createAsset(command: CreateAsset): Outcome {
    const { state } = this;
    const known = state.assetsByName.get(command.asset);
    if (known !== undefined) {
      return known.decimals === command.decimals && known.name === command.name
        ? { kind: 'asset', asset: known }
        : rejected(RejectionCode.alreadyExists, `asset ${command.asset} exists with other terms`);
    }
    if (!TICKER.test(command.asset)) {
      return rejected(RejectionCode.invalidRules, 'an asset is 1 to 12 of A-Z and 0-9');
    }
    if (!(command.decimals >= 0 && command.decimals <= MAX_ASSET_DECIMALS)) {
      return rejected(RejectionCode.invalidRules, `decimals are from 0 to ${MAX_ASSET_DECIMALS}`);
    }
    if (state.assets.length >= MAX_ASSETS) return rejected(RejectionCode.limitReached, 'assets');
    const asset = {
      index: state.assets.length,
      asset: command.asset,
      name: command.name,
      decimals: command.decimals,
    };
    this.addAsset(asset);
    return { kind: 'asset', asset };
  }

  listMarket(command: ListMarket): Outcome {
    const { state } = this;
    const base = state.assetsByName.get(command.base);
    const quote = state.assetsByName.get(command.quote);
    if (base === undefined || quote === undefined) return rejected(RejectionCode.unknownAsset);
    if (state.marketsBySymbol.has(`${base.asset}/${quote.asset}`)) {
      return rejected(RejectionCode.alreadyExists, 'the market is listed already');
    }
    if (state.markets.length >= MAX_MARKETS) return rejected(RejectionCode.limitReached, 'markets');
    const broken =
      brokenListingRule(base, quote, command, state.version) ??
      this.brokenOpening(command) ??
      this.brokenVersion(command) ??
      this.brokenRebate(command);
    if (broken !== undefined) return rejected(RejectionCode.invalidRules, broken);
    const market = new Market(
      state.markets.length,
      base,
      quote,
      { ...NO_AUCTIONS, ...selectRules(command) },
      state.time,
      state.orders,
      state.details,
    );
    market.restriction = state.parts.tradingStatus.status;
    this.addMarket(market);
    state.parts.auctions.noteRules(market, { ...market.rules, ...NO_AUCTIONS });
    if (command.opensAt !== undefined) state.parts.auctions.open(market, command.opensAt);
    return { kind: 'market', market };
  }

  private brokenOpening({ opensAt }: ListMarket): string | undefined {
    const { time, version } = this.state;
    if (opensAt === undefined) return undefined;
    if (version < 2) return 'auctions need engine version 2';
    if (opensAt === 0) return undefined;
    return opensAt > time ? undefined : 'opensAt must be in the future';
  }

  /** Returns why the engine version has no auctions, if the rules need them. */
  private brokenVersion(rules: Partial<ListedRules>): string | undefined {
    const hasAuctions = auctionRules.some((rule) => (rules[rule] ?? 0) !== 0);
    return hasAuctions && this.state.version < 2 ? 'auctions need engine version 2' : undefined;
  }

  /** Returns why makers could receive more than takers pay with the rules of a market. */
  private brokenRebate(rules: ListedRules): string | undefined {
    const { feeTiers } = this.state;
    return brokenRebateRule({ markets: [{ rules, status: MarketStatus.online }], feeTiers });
  }

  setMarketStatus(command: SetMarketStatus): Outcome {
    const market = this.state.markets[command.market];
    if (market === undefined) return rejected(RejectionCode.unknownMarket);
    if (command.status === MarketStatus.delisted || market.status === MarketStatus.delisted) {
      return rejected(RejectionCode.invalidRules, 'a market is not delisted by its status alone');
    }
    if (command.status === MarketStatus.auction && this.state.version < 2) {
      return rejected(RejectionCode.invalidRules, 'auctions need engine version 2');
    }
    const isRestricted = market.restriction !== MarketStatus.online;
    if (isRestricted && wouldUncross(this.state, market, command.status)) {
      return rejected(
        RejectionCode.invalidRules,
        'orders of the market cross and would trade: resume trading in all markets first',
      );
    }
    changeStatus(this.state, market, command.status);
    return { kind: 'market', market };
  }

  /**
   * Changes rules of a market. Resting orders keep their prices and amounts even if they do not fit
   * the new tick and step. Decimals never change, so that stored integers keep their meaning.
   */
  changeMarketRules(command: ChangeMarketRules): Outcome {
    const market = this.state.markets[command.market];
    if (market === undefined) return rejected(RejectionCode.unknownMarket);
    if (market.status === MarketStatus.delisted) {
      return rejected(RejectionCode.invalidRules, 'the market is delisted');
    }
    const rules = { ...market.rules, ...command.rules };
    const broken =
      brokenListingRule(market.base, market.quote, rules, this.state.version) ??
      this.brokenVersion(command.rules) ??
      this.brokenRebate(rules);
    if (broken !== undefined) return rejected(RejectionCode.invalidRules, broken);
    const before = market.rules;
    this.state.exclude(hashMarket(market));
    market.rules = rules;
    this.state.include(hashMarket(market));
    this.state.parts.auctions.noteRules(market, before);
    return { kind: 'market', market };
  }

  /** Creates an account; repeating the same command returns the existing one. */
  createAccount(command: CreateAccount): Outcome {
    const { state } = this;
    const known = state.accountsById.get(command.accountId);
    if (known !== undefined) {
      return known.limitClass === command.limitClass
        ? { kind: 'account', account: known, created: false }
        : rejected(RejectionCode.alreadyExists, 'the account exists with another limitClass');
    }
    if (!ACCOUNT_ID.test(command.accountId)) {
      return rejected(
        RejectionCode.invalidRules,
        'an account id is 1 to 64 of A-Z a-z 0-9 _ . - and begins with a letter or digit',
      );
    }
    if (!isLimitClass(command.limitClass)) return rejected(RejectionCode.invalidRules, LIMIT_CLASS);
    if (state.accounts.length >= MAX_ACCOUNTS) {
      return rejected(RejectionCode.limitReached, 'accounts');
    }
    const account = new Account(
      state.accounts.length,
      command.accountId,
      command.limitClass,
      state.time,
    );
    this.addAccount(account);
    return { kind: 'account', account, created: true };
  }

  setAccountStatus(command: SetAccountStatus): Outcome {
    const account = this.state.accounts[command.owner];
    if (account === undefined) return rejected(RejectionCode.unknownAccount);
    this.state.exclude(hashAccount(account));
    account.frozen = command.frozen;
    this.state.include(hashAccount(account));
    return { kind: 'account', account, created: false };
  }

  setAccountLimitClass({ owner, limitClass }: SetAccountLimitClass): Outcome {
    const account = this.state.accounts[owner];
    if (account === undefined) return rejected(RejectionCode.unknownAccount);
    if (!isLimitClass(limitClass)) return rejected(RejectionCode.invalidRules, LIMIT_CLASS);
    this.state.exclude(hashAccount(account));
    account.limitClass = limitClass;
    this.state.include(hashAccount(account));
    return { kind: 'account', account, created: false };
  }

  /**
   * Credits or debits an account against `external`; repeating a reference has no further effect.
   * From version 2 on only the newest references are remembered: for older ones history must have
   * been searched.
   */
  transfer(command: Transfer): Outcome {
    const { state } = this;
    const account = state.accounts[command.owner];
    if (account === undefined) return rejected(RejectionCode.unknownAccount);
    if (state.assets[command.asset] === undefined) return rejected(RejectionCode.unknownAsset);
    const known = state.transfers.get(command.reference);
    if (known !== undefined) {
      const isSame =
        known.account === command.owner &&
        known.asset === command.asset &&
        known.amount === command.amount;
      return isSame
        ? { kind: 'transfer', transfer: known, created: false }
        : rejected(RejectionCode.duplicateReference);
    }
    if (state.version >= 2 && state.oldestTransferId > Math.max(1, command.searchedBelow ?? 0)) {
      return rejected(RejectionCode.needsHistory);
    }
    if (command.amount === 0) return rejected(RejectionCode.amountOutOfBounds, 'notZero');
    const available = account.available(command.asset);
    if (sum(available, command.amount) < 0) {
      return {
        kind: 'rejected',
        code: RejectionCode.insufficientBalance,
        required: difference(0, command.amount),
        available,
        asset: command.asset,
      };
    }
    // Amounts that came from outside are negative in `external`.
    if (difference(command.amount, state.ledger.external[command.asset]!) >= MAX_ASSET_TOTAL) {
      return rejected(RejectionCode.amountOutOfBounds, 'maxTotal');
    }
    if (state.version < 2 && state.transfers.size >= MAX_TRANSFERS) {
      return rejected(RejectionCode.limitReached, 'transfers');
    }
    const transfer = {
      id: state.nextTransferId++,
      account: command.owner,
      asset: command.asset,
      amount: command.amount,
      reference: command.reference,
      time: state.time,
    };
    state.ledger.transfer(account, command.asset, command.amount, transfer.id);
    this.addTransfer(transfer);
    if (state.version >= 2) this.forgetTransfers();
    return { kind: 'transfer', transfer, created: true };
  }

  /**
   * Forgets two old transfers per new one, so that an exchange upgraded from version 1, which
   * remembered more, is not held up.
   */
  private forgetTransfers(): void {
    const { transfers } = this.state;
    for (let left = 2; left > 0 && transfers.size > MAX_REMEMBERED.transfers; left--) {
      const [oldest] = transfers.values();
      transfers.delete(oldest!.reference);
      this.state.exclude(hashTransfer(oldest!));
    }
  }

  // The methods below add a whole element, from a command or a snapshot.

  addAsset(asset: Asset, fees: Exact = 0, external: Exact = 0): void {
    this.state.assets.push(asset);
    this.state.assetsByName.set(asset.asset, asset);
    this.state.ledger.addAsset(fees, external);
    this.state.include(hashAsset(asset));
  }

  addMarket(market: Market): void {
    this.state.markets.push(market);
    this.state.marketsBySymbol.set(market.symbol, market);
    this.state.include(hashMarket(market));
    this.state.include(hashLastPrice(market));
    this.state.noteStaleBook(market);
  }

  addAccount(account: Account): void {
    this.state.accounts.push(account);
    this.state.accountsById.set(account.id, account);
    this.state.include(hashAccount(account));
  }

  addTransfer(transfer: TransferRecord): void {
    this.state.transfers.set(transfer.reference, transfer);
    this.state.include(hashTransfer(transfer));
  }
}

export function hashTransfer(transfer: TransferRecord): number {
  const hash = mixNumber(mixText(12, transfer.reference), transfer.id);
  return mixNumber(
    mixExact(mixNumber(mixNumber(hash, transfer.account), transfer.asset), transfer.amount),
    transfer.time,
  );
}

const LIMIT_CLASS = 'limitClass is from 1 to 1000';

function isLimitClass(value: number): boolean {
  return value >= 1 && value <= 1000;
}

function selectRules(command: ListMarket) {
  const { kind, account, key, symbol, base, quote, opensAt, ...rules } = command;
  return rules;
}
