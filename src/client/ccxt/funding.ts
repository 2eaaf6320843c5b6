import {
  ArgumentsRequired,
  type Currency,
  type DepositAddress,
  type Dict,
  type Int,
  InvalidAddress,
  type Str,
  type Strings,
  type Transaction,
} from 'ccxt';
import { Account } from './account.ts';

/** CCXT's names of the statuses of deposits and withdrawals. */
const TRANSACTION_STATUSES: Dict = {
  ...{ seen: 'pending', confirming: 'pending', review: 'pending', frozen: 'pending' },
  ...{ credited: 'ok', released: 'ok', reversed: 'failed', debited: 'failed' },
  ...{ below_minimum: 'failed', dismissed: 'failed' },
  ...{ delayed: 'pending', awaiting_approval: 'pending', approved: 'pending' },
  ...{ sending: 'pending', broadcast: 'pending', confirmed: 'ok', failed: 'failed' },
  ...{ canceled: 'canceled', rejected: 'canceled' },
};

/** Deposits and withdrawals. Networks have their own names, such as `bitcoin`, in `params.network`. */
export class Funding extends Account {
  /** Asks for a deposit address. @throws InvalidAddress while the custodian is asked for it: try again */
  override async createDepositAddress(code: string, params: Dict = {}): Promise<DepositAddress> {
    const { currency, network, rest } = await this.place(code, params);
    const request = { asset: currency.id, network, ...rest };
    const { data } = await this.privatePostDepositAddresses(request);
    if (data.address === null) {
      throw new InvalidAddress(`${this.id} is creating the address; ask again in a moment`);
    }
    return this.parseDepositAddress(data.address, currency as Currency);
  }

  override async fetchDepositAddress(code: string, params: Dict = {}): Promise<DepositAddress> {
    const { currency, network, rest } = await this.place(code, params);
    const { data } = await this.privateGetDepositAddresses(rest);
    const found = (data.addresses as Dict[]).find(
      (each) => each.asset === currency.id && each.network === network,
    );
    if (found !== undefined) return this.parseDepositAddress(found, currency as Currency);
    throw new InvalidAddress(`${this.id} has no ${code} address on ${network}: create one first`);
  }

  override parseDepositAddress(address: Dict, currency?: Currency): DepositAddress {
    return {
      info: address,
      currency: this.safeCurrencyCode(address.asset, currency),
      network: address.network,
      address: address.address,
      tag: this.safeString(address, 'memo'),
    } as DepositAddress;
  }

  override async fetchDeposits(
    code: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Transaction[]> {
    return this.listTransactions('privateGetDeposits', 'deposits', code, since, limit, params);
  }

  override async fetchWithdrawals(
    code: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Transaction[]> {
    return this.listTransactions(
      'privateGetWithdrawals',
      'withdrawals',
      code,
      since,
      limit,
      params,
    );
  }

  /**
   * Withdraws to an address of the address book, which a user fills. With `params.clientId`, repeating the call does not
   * withdraw twice.
   * @param amount The amount that arrives; the fee is paid in addition
   * @throws InvalidAddress if the address is not in the address book
   */
  override async withdraw(
    code: string,
    amount: number,
    address: string,
    tag: Str = undefined,
    params: Dict = {},
  ): Promise<Transaction> {
    const { currency, network, rest } = await this.place(code, params);
    const { data: book } = await this.privateGetWithdrawalAddresses();
    const entry = (book.addresses as Dict[]).find(
      (each) =>
        each.asset === currency.id &&
        each.network === network &&
        each.address === address &&
        (each.memo ?? undefined) === tag,
    );
    if (entry === undefined) {
      throw new InvalidAddress(`${this.id}: the address is not in the address book of ${network}`);
    }
    const exact = this.currencyToPrecision(code, amount, network);
    const request = { addressId: entry.id, amount: exact, ...rest };
    const { data } = await this.privatePostWithdrawals(request);
    return this.parseTransaction(data.withdrawal, currency as Currency);
  }

  override async fetchDepositWithdrawFees(codes: Strings = undefined, _params: Dict = {}) {
    await this.loadMarkets(true);
    const wanted = codes ?? Object.keys(this.currencies);
    const fees = wanted.map((code) => [code, this.transferFees(this.currency(code) as Dict)]);
    return Object.fromEntries(fees);
  }

  override parseTransaction(transaction: Dict, currency?: Currency): Transaction {
    const isDeposit = 'requiredConfirmations' in transaction;
    const timestamp = this.parse8601(transaction.createdAt);
    const code = this.safeCurrencyCode(transaction.asset, currency);
    const memo = this.safeString(transaction, 'memo');
    return {
      info: transaction,
      id: transaction.id,
      txid: this.safeString(transaction, 'transaction'),
      timestamp,
      datetime: this.iso8601(timestamp),
      network: transaction.network,
      address: transaction.address,
      addressTo: transaction.address,
      addressFrom: undefined,
      tag: memo,
      tagTo: memo,
      tagFrom: undefined,
      type: isDeposit ? 'deposit' : 'withdrawal',
      amount: this.safeNumber(transaction, 'amount'),
      currency: code,
      status: this.safeString(TRANSACTION_STATUSES, transaction.status),
      updated: this.parse8601(transaction.updatedAt),
      internal: false,
      comment: this.safeString(transaction, 'reason'),
      fee: isDeposit ? undefined : { cost: this.safeNumber(transaction, 'fee'), currency: code },
    } as unknown as Transaction;
  }

  private async listTransactions(
    method: string,
    field: string,
    code: Str,
    since: Int,
    limit: Int,
    params: Dict,
  ): Promise<Transaction[]> {
    await this.loadMarkets();
    const currency = code === undefined ? undefined : this.currency(code);
    const start = since === undefined ? {} : { since: this.iso8601(since) };
    const { data } = await this[method]({ limit: 1000, ...start, ...params });
    return this.parseTransactions(data[field], currency as Currency, since, limit);
  }

  /** Returns an asset and the network of `params`, or its only one. @throws ArgumentsRequired */
  private async place(code: string, params: Dict) {
    await this.loadMarkets();
    const currency = this.currency(code) as Dict;
    const { network: given, ...rest } = params;
    const names = Object.keys(currency.networks);
    const network = given ?? (names.length === 1 ? names[0] : undefined);
    if (network !== undefined && names.includes(network)) return { currency, network, rest };
    throw new ArgumentsRequired(
      `${this.id} needs params.network for ${code}: ${names.join(', ') || 'it has no networks'}`,
    );
  }

  private transferFees(currency: Dict): Dict {
    const networks = Object.values(currency.networks as Dict).map((each: Dict) => [
      each.network,
      {
        deposit: { fee: 0, percentage: false },
        withdraw: { fee: each.fee, percentage: false },
      },
    ]);
    return {
      info: currency.info,
      deposit: { fee: 0, percentage: false },
      withdraw: { fee: currency.fee, percentage: false },
      networks: Object.fromEntries(networks),
    };
  }
}
