import { auditState } from '../engine/audit/audit.ts';
import {
  type Command,
  CommandKind,
  type RequestWithdrawal,
  SYSTEM_ACTOR,
} from '../engine/command.ts';
import type { DepositRecord, WithdrawalRecord } from '../engine/custody/custody-records.ts';
import { MemoRule } from '../engine/custody/statuses.ts';
import type { Outcome } from '../engine/event.ts';
import { Exchange } from '../engine/exchange.ts';
import { NONE } from '../engine/terms.ts';

/** The account index of the user. */
export const USER = 2;
/** The rules of its network. */
export const rules = {
  name: 'bitcoin',
  decimals: 6,
  minDeposit: 500,
  minWithdrawal: 1_000,
  withdrawalFee: 100,
  confirmations: 3,
  memo: MemoRule.none,
  deposits: true,
  withdrawals: true,
  dailyLimit: 1_000_000,
  hourlyCount: 3,
  addressCoolingMs: 0,
  newDeviceDelayMs: 60_000,
  approvalAbove: 50_000,
} as const;
/** The command that sets them. */
export const network = {
  kind: CommandKind.setNetwork,
  ...SYSTEM_ACTOR,
  asset: 0,
  ...rules,
} as const;

/** An exchange with one asset of 8 decimals, two operators and a user who has an address. */
export class Venue {
  readonly exchange = new Exchange();
  time = 1_000;
  private reports = 0;

  constructor() {
    this.do({ kind: CommandKind.open, version: 2, sandbox: true });
    const asset = { asset: 'BTC', name: 'Bitcoin', decimals: 8 };
    this.do({ kind: CommandKind.createAsset, ...SYSTEM_ACTOR, ...asset });
    for (const accountId of ['one', 'two', 'user']) {
      this.do({ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 });
    }
    this.do(network);
    const place = { owner: USER, network: 0, address: 'own', memo: '' };
    this.do({ kind: CommandKind.assignAddress, ...SYSTEM_ACTOR, keyNumber: 0, ...place });
  }

  do(command: Command): Outcome {
    const outcome = this.exchange.apply(command, this.time);
    auditState(this.exchange.state);
    return outcome;
  }

  report(confirmations: number, terms: object = {}): DepositRecord {
    const payment = { network: 0, transaction: 't', index: 0, address: 'own', memo: '' };
    const outcome = this.do({
      ...{ kind: CommandKind.reportDeposit, ...SYSTEM_ACTOR, keyNumber: 0, ...payment },
      ...{ amount: 10_000, confirmations, report: ++this.reports, reorganized: false, ...terms },
    });
    if (outcome.kind !== 'deposit') throw new Error(JSON.stringify(outcome));
    return outcome.deposit;
  }

  /** Gives the user an address to withdraw to, and funds. */
  prepare(): number {
    const transfer = { owner: USER, asset: 0, amount: 2_000_000, reference: 'f', reason: '' };
    this.do({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...transfer });
    const place = { network: 0, address: 'theirs', memo: '' };
    const outcome = this.do({
      ...{ kind: CommandKind.addWithdrawalAddress, account: USER, key: NONE },
      ...place,
    });
    if (outcome.kind !== 'withdrawalAddress') throw new Error(JSON.stringify(outcome));
    return outcome.entry.id;
  }

  request(addressId: number, terms: Partial<RequestWithdrawal> = {}): Outcome {
    const request = { addressId, amount: 20_000, clientId: null, isNewDevice: false, ...terms };
    return this.do({ ...request, kind: CommandKind.requestWithdrawal, account: USER, key: NONE });
  }

  withdraw(addressId: number, terms: Partial<RequestWithdrawal> = {}): WithdrawalRecord {
    const outcome = this.request(addressId, terms);
    if (outcome.kind !== 'withdrawal') throw new Error(JSON.stringify(outcome));
    return outcome.withdrawal;
  }

  approve(withdrawal: number, account: number): Outcome {
    return this.do({ kind: CommandKind.approveWithdrawal, account, key: NONE, withdrawal });
  }

  reach(withdrawal: number, reached: 4 | 5 | 6, report: number): Outcome {
    const terms = { keyNumber: 0, withdrawal, reached, transaction: 'x', reason: '', report };
    return this.do({ kind: CommandKind.reportWithdrawal, ...SYSTEM_ACTOR, ...terms });
  }

  get balance() {
    const { available = 0, held = 0 } =
      this.exchange.state.accounts[USER]!.balances[0] ?? ({} as Record<string, never>);
    return { available, held };
  }

  get store() {
    return this.exchange.state.parts.custody.store;
  }
}

/** Returns the code of a rejection, or the kind of another outcome. */
export const code = (outcome: Outcome) =>
  outcome.kind === 'rejected' ? outcome.code : outcome.kind;
