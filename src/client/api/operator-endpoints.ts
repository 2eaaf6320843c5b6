// Generated from the OpenAPI document by `npm run generate`. Do not edit.

import type { CallOptions } from '../route.ts';
import { Endpoints } from './endpoints.ts';
import type {
  CancelOrdersOfParameters,
  ChangeAccountParameters,
  ChangeMarketParameters,
  ConfirmClockParameters,
  CreateAccountParameters,
  CreateAssetParameters,
  CreateKeyParameters,
  CreateTransferParameters,
  GetAccountBalancesParameters,
  GetAccountParameters,
  GetAuditParameters,
  GetUserAuditParameters,
  InviteUserParameters,
  ListAccountsParameters,
  ListKeysParameters,
  ListMarketParameters,
  ListOpenOrdersOfParameters,
  ListUsersParameters,
  RemoveUserParameters,
  RevokeKeyParameters,
  SetFeeTiersParameters,
  UpgradeParameters,
} from './operator-parameters.ts';
import type {
  Account,
  ApiKey,
  AssetTotals,
  AuditEntry,
  OperatorOrder,
  Transfer,
  User,
  UserEntry,
} from './operator-records.ts';
import type { Asset, Balance, FeeTier, Market } from './records.ts';

/** A method for each endpoint of operators; prices and amounts in responses have the type N. */
export abstract class OperatorEndpoints<N> extends Endpoints<N> {
  /** `GET /api/admin/accounts`: List or search accounts */
  listAccounts(
    parameters: ListAccountsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly accounts: readonly Account[];
  }> {
    return this.call({ method: 'GET', path: '/api/admin/accounts' }, parameters, options);
  }

  /** `POST /api/admin/accounts`: Open an account */
  createAccount(
    parameters: CreateAccountParameters,
    options?: CallOptions,
  ): Promise<{
    readonly account: Account;
    readonly created: boolean;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/accounts' }, parameters, options);
  }

  /** `GET /api/admin/accounts/{id}`: Get an account */
  getAccount(
    parameters: GetAccountParameters,
    options?: CallOptions,
  ): Promise<{
    readonly account: Account;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/accounts/{id}' }, parameters, options);
  }

  /** `PATCH /api/admin/accounts/{id}`: Freeze or unfreeze an account, set its fee tier or rate-limit multiplier */
  changeAccount(
    parameters: ChangeAccountParameters,
    options?: CallOptions,
  ): Promise<{
    readonly account: Account;
  }> {
    return this.call({ method: 'PATCH', path: '/api/admin/accounts/{id}' }, parameters, options);
  }

  /** `GET /api/admin/accounts/{id}/balances`: Balances of an account */
  getAccountBalances(
    parameters: GetAccountBalancesParameters,
    options?: CallOptions,
  ): Promise<{
    readonly balances: readonly Balance<N>[];
  }> {
    return this.call(
      { method: 'GET', path: '/api/admin/accounts/{id}/balances' },
      parameters,
      options,
    );
  }

  /** `GET /api/admin/accounts/{id}/orders`: The open orders of an account */
  listOpenOrdersOf(
    parameters: ListOpenOrdersOfParameters,
    options?: CallOptions,
  ): Promise<{
    readonly orders: readonly OperatorOrder<N>[];
  }> {
    return this.call(
      { method: 'GET', path: '/api/admin/accounts/{id}/orders' },
      parameters,
      options,
    );
  }

  /** `DELETE /api/admin/accounts/{id}/orders`: Cancel orders of an account */
  cancelOrdersOf(
    parameters: CancelOrdersOfParameters,
    options?: CallOptions,
  ): Promise<{
    readonly orders: readonly OperatorOrder<N>[];
  }> {
    return this.call(
      { method: 'DELETE', path: '/api/admin/accounts/{id}/orders' },
      parameters,
      options,
    );
  }

  /** `GET /api/admin/accounts/{id}/keys`: API keys of an account, newest first */
  listKeys(
    parameters: ListKeysParameters,
    options?: CallOptions,
  ): Promise<{
    readonly keys: readonly ApiKey[];
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/accounts/{id}/keys' }, parameters, options);
  }

  /** `POST /api/admin/accounts/{id}/keys`: Create an API key */
  createKey(
    parameters: CreateKeyParameters,
    options?: CallOptions,
  ): Promise<{
    readonly key: ApiKey;
    readonly apiSecret: string | null;
  }> {
    return this.call(
      { method: 'POST', path: '/api/admin/accounts/{id}/keys' },
      parameters,
      options,
    );
  }

  /** `DELETE /api/admin/accounts/{id}/keys/{apiKey}`: Revoke an API key */
  revokeKey(
    parameters: RevokeKeyParameters,
    options?: CallOptions,
  ): Promise<{
    readonly key: ApiKey;
  }> {
    return this.call(
      { method: 'DELETE', path: '/api/admin/accounts/{id}/keys/{apiKey}' },
      parameters,
      options,
    );
  }

  /** `POST /api/admin/accounts/{id}/users`: Invite a user to an account */
  inviteUser(
    parameters: InviteUserParameters,
    options?: CallOptions,
  ): Promise<{
    readonly email: string;
    readonly link: string;
  }> {
    return this.call(
      { method: 'POST', path: '/api/admin/accounts/{id}/users' },
      parameters,
      options,
    );
  }

  /** `GET /api/admin/accounts/{id}/users`: Users of an account */
  listUsers(
    parameters: ListUsersParameters,
    options?: CallOptions,
  ): Promise<{
    readonly users: readonly User[];
  }> {
    return this.call(
      { method: 'GET', path: '/api/admin/accounts/{id}/users' },
      parameters,
      options,
    );
  }

  /** `POST /api/admin/accounts/{id}/users/{email}/remove`: Remove a user from an account */
  removeUser(
    parameters: RemoveUserParameters,
    options?: CallOptions,
  ): Promise<{
    readonly users: readonly User[];
  }> {
    return this.call(
      { method: 'POST', path: '/api/admin/accounts/{id}/users/{email}/remove' },
      parameters,
      options,
    );
  }

  /** `GET /api/admin/fee-tiers`: The fee tiers */
  getFeeTiers(options?: CallOptions): Promise<{
    readonly tiers: readonly FeeTier<N>[];
    readonly volumeAsset: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/fee-tiers' }, {}, options);
  }

  /** `POST /api/admin/fee-tiers`: Replace the fee tiers */
  setFeeTiers(
    parameters: SetFeeTiersParameters,
    options?: CallOptions,
  ): Promise<{
    readonly tiers: readonly FeeTier<N>[];
    readonly volumeAsset: string | null;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/fee-tiers' }, parameters, options);
  }

  /** `POST /api/admin/transfers`: Credit or debit an account (external deposit or withdrawal) */
  createTransfer(
    parameters: CreateTransferParameters,
    options?: CallOptions,
  ): Promise<{
    readonly transfer: Transfer<N>;
    readonly created: boolean;
    readonly available: N;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/transfers' }, parameters, options);
  }

  /** `GET /api/admin/assets`: All assets */
  listKnownAssets(options?: CallOptions): Promise<{
    readonly assets: readonly Asset[];
  }> {
    return this.call({ method: 'GET', path: '/api/admin/assets' }, {}, options);
  }

  /** `POST /api/admin/assets`: Add an asset */
  createAsset(
    parameters: CreateAssetParameters,
    options?: CallOptions,
  ): Promise<{
    readonly asset: Asset;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/assets' }, parameters, options);
  }

  /** `GET /api/admin/markets`: All markets */
  listAdminMarkets(options?: CallOptions): Promise<{
    readonly markets: readonly Market<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/admin/markets' }, {}, options);
  }

  /** `POST /api/admin/markets`: List a market */
  listMarket(
    parameters: ListMarketParameters,
    options?: CallOptions,
  ): Promise<{
    readonly market: Market<N>;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/markets' }, parameters, options);
  }

  /** `PATCH /api/admin/markets`: Change a market's status or its rules */
  changeMarket(
    parameters: ChangeMarketParameters,
    options?: CallOptions,
  ): Promise<{
    readonly market: Market<N>;
    readonly affected?: number | undefined;
    readonly orders?: readonly OperatorOrder<N>[] | undefined;
  }> {
    return this.call(
      { method: 'PATCH', path: '/api/admin/markets', query: ['preview'] },
      parameters,
      options,
    );
  }

  /** `GET /api/admin/state`: Log position, state hash and ledger totals */
  getState(options?: CallOptions): Promise<{
    readonly engineVersion: number;
    readonly newestEngineVersion: number;
    readonly logPosition: number;
    readonly stateHash: string;
    readonly archivistLagMs: number;
    readonly openOrders: number;
    readonly assets: readonly AssetTotals<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/admin/state' }, {}, options);
  }

  /** `GET /api/admin/clock`: The clock of the node that responds */
  getClock(options?: CallOptions): Promise<{
    readonly timestamp: string;
    readonly wallClock: string;
    readonly offsetMs: number;
    readonly isOff: boolean;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/clock' }, {}, options);
  }

  /** `POST /api/admin/clock/confirm`: Confirm the wall clock of the node's machine after it jumped */
  confirmClock(
    parameters: ConfirmClockParameters,
    options?: CallOptions,
  ): Promise<{
    readonly timestamp: string;
    readonly wallClock: string;
    readonly offsetMs: number;
    readonly isOff: boolean;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/clock/confirm' }, parameters, options);
  }

  /** `POST /api/admin/upgrade`: Upgrade the engine version */
  upgrade(
    parameters: UpgradeParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly engineVersion: number;
    readonly newestEngineVersion: number;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/upgrade' }, parameters, options);
  }

  /** `GET /api/admin/audit`: Audit of operator commands, newest first */
  getAudit(
    parameters: GetAuditParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly entries: readonly AuditEntry[];
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/audit' }, parameters, options);
  }

  /** `GET /api/admin/audit/users`: Audit of sign-ins and permission changes, newest first */
  getUserAudit(
    parameters: GetUserAuditParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly entries: readonly UserEntry[];
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/audit/users' }, parameters, options);
  }
}
