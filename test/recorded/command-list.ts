import {
  type Command,
  CommandKind,
  type PlaceOrder,
  type PlaceStopOrder,
  SYSTEM_ACTOR,
} from '../../src/engine/command.ts';
import type { Outcome } from '../../src/engine/event.ts';
import { ENGINE_VERSION, Exchange } from '../../src/engine/exchange.ts';
import type { RejectionCode } from '../../src/engine/rejection.ts';
import {
  OrderType,
  Permission,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../src/engine/terms.ts';
import { START, type Timed } from '../reference/scenario.ts';

/** Accounts of a command list and their keys; account 0 is the operator. */
export const TRADER = { account: 1, key: 1 } as const;
export const OTHER = { account: 2, key: 2 } as const;
export const THIRD = { account: 3, key: 3 } as const;

const MARKET_RULES = {
  priceDecimals: 2,
  amountDecimals: 4,
  tick: 1,
  step: 1,
  minPrice: 1,
  maxPrice: 1_000_000,
  minAmount: 1,
  maxAmount: 1_000_000_000,
  minNotional: 0,
  makerFee: 800,
  takerFee: 1000,
  referencePrice: 10_000,
  collar: 0,
};

export type OrderTerms = Partial<PlaceOrder> & Partial<Omit<PlaceStopOrder, 'kind'>>;

/** The commands of a recording, applied as they are added, so that later ones can refer to what earlier ones did. */
export class CommandList {
  readonly timed: Timed[] = [];
  readonly exchange = new Exchange();
  time = START;

  add(command: Command): Outcome {
    this.timed.push({ command, time: this.time });
    return this.exchange.apply(command, this.time);
  }

  /** Adds a command that has to succeed. */
  accept(command: Command): Exclude<Outcome, { readonly kind: 'rejected' }> {
    const outcome = this.add(command);
    if (outcome.kind === 'rejected') {
      throw new Error(`${JSON.stringify(outcome)}: ${JSON.stringify(command)}`);
    }
    return outcome;
  }

  /** Adds a command that the engine has to reject for this reason. */
  reject(command: Command, code: RejectionCode): void {
    const outcome = this.add(command);
    if (outcome.kind === 'rejected' && outcome.code === code) return;
    throw new Error(`Not rejected with code ${code}: ${JSON.stringify(command)}`);
  }

  /** Lets time pass, in milliseconds, up to a tick. */
  tick(waitMs: number): void {
    this.time += waitMs;
    this.accept({ kind: CommandKind.tick });
  }

  /** Adds two markets, A/B and B/A, and the accounts with a key and funds each. */
  begin(): void {
    this.accept({ kind: CommandKind.open, version: ENGINE_VERSION, sandbox: false });
    for (const asset of ['A', 'B']) {
      this.accept({
        kind: CommandKind.createAsset,
        ...SYSTEM_ACTOR,
        asset,
        name: asset,
        decimals: 8,
      });
    }
    for (const [base, quote] of [
      ['A', 'B'],
      ['B', 'A'],
    ] as const) {
      const names = { symbol: `${base}/${quote}`, base, quote };
      this.accept({ kind: CommandKind.listMarket, ...SYSTEM_ACTOR, ...names, ...MARKET_RULES });
    }
    for (let owner = 0; owner <= 3; owner++) this.addAccount(owner);
  }

  private addAccount(owner: number): void {
    const accountId = `account-${owner}`;
    this.accept({ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 });
    this.accept({
      kind: CommandKind.createKey,
      ...SYSTEM_ACTOR,
      owner,
      apiKey: `key-${owner}`,
      permissions: owner === 0 ? Permission.operate : Permission.trade,
      secretHash: new Uint8Array(32),
      label: '',
      addresses: [],
      expiresAt: 0,
    });
    for (let asset = 0; asset < 2; asset++) {
      const reference = `funds-${owner}-${asset}`;
      const terms = { owner, asset, amount: 10n ** 17n, reference, reason: '' };
      this.accept({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...terms });
    }
  }
}

/** Returns a limit order of TRADER in market 0, unless `terms` change it. */
export function limitOrder(terms: OrderTerms): PlaceOrder {
  return {
    kind: CommandKind.placeOrder,
    ...TRADER,
    market: 0,
    side: Side.buy,
    type: OrderType.limit,
    timeInForce: TimeInForce.gtc,
    postOnly: false,
    selfTradePrevention: SelfTradePrevention.expireMaker,
    price: 9000,
    amount: 10,
    cost: 0,
    expiresAt: 0,
    clientOrderId: null,
    ...terms,
  };
}

/** Returns a stop order of TRADER that becomes a market order, unless `terms` change it. */
export function stopOrder(terms: OrderTerms): PlaceStopOrder {
  return {
    ...limitOrder({ price: 0, type: OrderType.stop, ...terms }),
    kind: CommandKind.placeStopOrder,
    triggerPrice: terms.triggerPrice ?? 0,
  };
}
