import type { Account, Currency, Dict, Int, Str, TransferEntry } from 'ccxt';
import { Funding } from './funding.ts';

/** The sub-accounts of the key's account, and transfers between accounts. */
export class Transfers extends Funding {
  /** Returns the account of the key and, if that is a main account, its sub-accounts. */
  override async fetchAccounts(params: Dict = {}): Promise<Account[]> {
    const { data } = await this.privateGetAccounts(params);
    return this.parseAccounts(data.accounts);
  }

  /** Opens a sub-account; a name that exists returns its account. The key needs the permission `transfer`. */
  override async createSubAccount(name: string, params: Dict = {}): Promise<Account> {
    const { data } = await this.privatePostAccounts({ name, ...params });
    return this.parseAccount(data.account);
  }

  override parseAccount(account: Dict): Account {
    return {
      info: account,
      id: account.accountId,
      type: account.isMain ? 'main' : 'subaccount',
      code: undefined,
      name: this.safeString(account, 'name'),
    } as Account;
  }

  /**
   * Moves money at once. With `params.clientId`, repeating the call does not move it twice.
   * @param fromAccount The account of the key, or one of its sub-accounts; empty for the account of the key
   * @param toAccount An account id, or the email of a user
   */
  override async transfer(
    code: string,
    amount: number,
    fromAccount: string,
    toAccount: string,
    params: Dict = {},
  ): Promise<TransferEntry> {
    await this.loadMarkets();
    const currency = this.currency(code) as Currency;
    const { data } = await this.privatePostTransfers({
      ...(fromAccount && { from: fromAccount }),
      ...{ to: toAccount, asset: this.currencyId(code) },
      amount: this.currencyToPrecision(code, amount),
      ...params,
    });
    return this.parseTransfer(data.transfer, currency);
  }

  override async fetchTransfers(
    code: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<TransferEntry[]> {
    await this.loadMarkets();
    const currency = code === undefined ? undefined : (this.currency(code) as Currency);
    const transfers = await this.pages('privateGetTransfers', 'transfers', params, since, limit);
    return this.parseTransfers(transfers, currency, since, limit);
  }

  override parseTransfer(transfer: Dict, currency?: Currency): TransferEntry {
    const timestamp = this.parse8601(transfer.timestamp);
    return {
      info: transfer,
      id: transfer.id,
      timestamp,
      datetime: this.iso8601(timestamp),
      currency: this.safeCurrencyCode(transfer.asset, currency),
      amount: this.safeNumber(transfer, 'amount'),
      fromAccount: transfer.from,
      toAccount: transfer.to,
      status: 'ok',
    };
  }
}
