// Generated from the OpenAPI document by `npm run generate`. Do not edit.

import type { CallOptions } from '../route.ts';
import { Endpoints } from './endpoints.ts';
import type {
  AddNoteParameters,
  AnnounceParameters,
  ApproveRequestParameters,
  ApproveWithdrawalParameters,
  BustTradeParameters,
  CancelMaintenanceParameters,
  CancelOrdersOfParameters,
  ChangeAccountParameters,
  ChangeKeyParameters,
  ChangeMarketParameters,
  ConfirmClockParameters,
  CreateAccountParameters,
  CreateAccountReportParameters,
  CreateAssetParameters,
  CreateKeyParameters,
  CreateTransferParameters,
  DeleteAnyReportParameters,
  EndAccountSessionParameters,
  GetAccountBalancesParameters,
  GetAccountFillsParameters,
  GetAccountLedgerParameters,
  GetAccountOrderParameters,
  GetAccountOrderTimelineParameters,
  GetAccountParameters,
  GetAccountTimelineParameters,
  GetAlertActivityParameters,
  GetAnyReportFileParameters,
  GetAnyReportParameters,
  GetAuditParameters,
  GetSurveillanceAlertParameters,
  GetUserAuditParameters,
  InviteUserParameters,
  ListAccountOrdersParameters,
  ListAccountSessionsParameters,
  ListAccountsParameters,
  ListAccountWithdrawalAddressesParameters,
  ListAllDepositsParameters,
  ListAllReportsParameters,
  ListAllWithdrawalsParameters,
  ListKeysParameters,
  ListMarketParameters,
  ListNotesParameters,
  ListSurveillanceAlertsParameters,
  ListUsersParameters,
  MakeProofParameters,
  RejectRequestParameters,
  RejectWithdrawalParameters,
  RemoveNoteParameters,
  RemoveUserParameters,
  ResolveDepositParameters,
  ReviewAlertParameters,
  RevokeKeyParameters,
  ScheduleMaintenanceParameters,
  SearchAllParameters,
  SetAccountTradingLimitsParameters,
  SetApprovalPolicyParameters,
  SetCustodianKeyParameters,
  SetFeeDiscountParameters,
  SetFeeTiersParameters,
  SetNetworkParameters,
  SetReferralShareParameters,
  SetTradingLimitsParameters,
  SetTradingStatusParameters,
  UpgradeParameters,
  WithdrawAnnouncementParameters,
} from './operator-parameters.ts';
import type {
  Account,
  AccountName,
  AccountOwner,
  AccountTotals,
  AlertFill,
  AlertReview,
  ApiKey,
  Approval,
  ApprovalPolicy,
  AssetTotals,
  AuditEntry,
  BustedTrade,
  DashboardFees,
  DashboardMarket,
  DashboardNode,
  DashboardQueues,
  DashboardSeries,
  DashboardUsers,
  DashboardVolume,
  Detection,
  FailedDetector,
  LogArchive,
  Note,
  OperatorMarket,
  OperatorOrder,
  Role,
  RoleAssignment,
  SearchResult,
  SurveillanceAlert,
  Transfer,
  User,
  UserEntry,
  UserSession,
  UserTimelineEntry,
} from './operator-records.ts';
import type {
  Asset,
  Balance,
  Deposit,
  FeeDiscount,
  FeeTier,
  Fill,
  LedgerEntry,
  LiabilityProof,
  Market,
  Network,
  Order,
  QueuePoint,
  Report,
  TimelineEvent,
  TradingLimits,
  WhyNotFilled,
  Withdrawal,
  WithdrawalAddress,
} from './records.ts';

/** A method for each endpoint of operators; prices and amounts in responses have the type N. */
export abstract class OperatorEndpoints<N> extends Endpoints<N> {
  /** `GET /api/admin/accounts`: List or search accounts */
  listAccounts(
    parameters: ListAccountsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly accounts: readonly Account<N>[];
    readonly owners: readonly AccountOwner[];
    readonly balances: readonly AccountTotals<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/admin/accounts' }, parameters, options);
  }

  /** `POST /api/admin/accounts`: Open an account */
  createAccount(
    parameters: CreateAccountParameters,
    options?: CallOptions,
  ): Promise<{
    readonly account: Account<N>;
    readonly created: boolean;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/accounts' }, parameters, options);
  }

  /** `GET /api/admin/accounts/{id}`: Get an account */
  getAccount(
    parameters: GetAccountParameters,
    options?: CallOptions,
  ): Promise<{
    readonly account: Account<N>;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/accounts/{id}' }, parameters, options);
  }

  /** `PATCH /api/admin/accounts/{id}`: Freeze or unfreeze an account, set its fee tier, rate-limit multiplier or referrer */
  changeAccount(
    parameters: ChangeAccountParameters,
    options?: CallOptions,
  ): Promise<{
    readonly account: Account<N>;
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

  /** `GET /api/admin/accounts/{id}/orders`: The orders of an account, newest first */
  listAccountOrders(
    parameters: ListAccountOrdersParameters,
    options?: CallOptions,
  ): Promise<{
    readonly orders: readonly OperatorOrder<N>[];
    readonly nextCursor: string | null;
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

  /** `GET /api/admin/accounts/{id}/orders/{orderId}`: An order of an account */
  getAccountOrder(
    parameters: GetAccountOrderParameters,
    options?: CallOptions,
  ): Promise<OperatorOrder<N>> {
    return this.call(
      { method: 'GET', path: '/api/admin/accounts/{id}/orders/{orderId}' },
      parameters,
      options,
    );
  }

  /** `GET /api/admin/accounts/{id}/orders/{orderId}/timeline`: The life of an order of an account */
  getAccountOrderTimeline(
    parameters: GetAccountOrderTimelineParameters,
    options?: CallOptions,
  ): Promise<{
    readonly order: Order<N>;
    readonly events: readonly TimelineEvent<N>[];
    readonly points: readonly QueuePoint<N>[];
    readonly whyNotFilled: WhyNotFilled<N> | null;
    readonly complete: boolean;
    readonly position: number;
    readonly timestamp: string;
  }> {
    return this.call(
      { method: 'GET', path: '/api/admin/accounts/{id}/orders/{orderId}/timeline' },
      parameters,
      options,
    );
  }

  /** `GET /api/admin/accounts/{id}/fills`: The fills of an account, newest first */
  getAccountFills(
    parameters: GetAccountFillsParameters,
    options?: CallOptions,
  ): Promise<{
    readonly fills: readonly Fill<N>[];
    readonly nextCursor: string | null;
  }> {
    return this.call(
      { method: 'GET', path: '/api/admin/accounts/{id}/fills' },
      parameters,
      options,
    );
  }

  /** `GET /api/admin/accounts/{id}/ledger`: Every change of an account's available balances, newest first */
  getAccountLedger(
    parameters: GetAccountLedgerParameters,
    options?: CallOptions,
  ): Promise<{
    readonly entries: readonly LedgerEntry<N>[];
    readonly nextCursor: string | null;
  }> {
    return this.call(
      { method: 'GET', path: '/api/admin/accounts/{id}/ledger' },
      parameters,
      options,
    );
  }

  /** `GET /api/admin/accounts/{id}/withdrawal-addresses`: The address book of an account */
  listAccountWithdrawalAddresses(
    parameters: ListAccountWithdrawalAddressesParameters,
    options?: CallOptions,
  ): Promise<{
    readonly addresses: readonly WithdrawalAddress[];
  }> {
    return this.call(
      { method: 'GET', path: '/api/admin/accounts/{id}/withdrawal-addresses' },
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

  /** `PATCH /api/admin/accounts/{id}/keys/{apiKey}`: Change the label and the IP allowlist of an API key */
  changeKey(
    parameters: ChangeKeyParameters,
    options?: CallOptions,
  ): Promise<{
    readonly key: ApiKey;
  }> {
    return this.call(
      { method: 'PATCH', path: '/api/admin/accounts/{id}/keys/{apiKey}' },
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

  /** `GET /api/admin/accounts/{id}/sessions`: Sessions of the users of an account */
  listAccountSessions(
    parameters: ListAccountSessionsParameters,
    options?: CallOptions,
  ): Promise<{
    readonly sessions: readonly UserSession[];
  }> {
    return this.call(
      { method: 'GET', path: '/api/admin/accounts/{id}/sessions' },
      parameters,
      options,
    );
  }

  /** `DELETE /api/admin/accounts/{id}/sessions/{sessionId}`: End a session of a user */
  endAccountSession(
    parameters: EndAccountSessionParameters,
    options?: CallOptions,
  ): Promise<{
    readonly sessions: readonly UserSession[];
  }> {
    return this.call(
      { method: 'DELETE', path: '/api/admin/accounts/{id}/sessions/{sessionId}' },
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

  /** `GET /api/admin/fee-programs`: The fee discount and the referral share */
  getFeePrograms(options?: CallOptions): Promise<{
    readonly discount: FeeDiscount<N> | null;
    readonly referralShare: N;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/fee-programs' }, {}, options);
  }

  /** `POST /api/admin/fee-discount`: Set or remove the fee discount of accounts that own an asset */
  setFeeDiscount(
    parameters: SetFeeDiscountParameters,
    options?: CallOptions,
  ): Promise<{
    readonly discount: FeeDiscount<N> | null;
    readonly referralShare: N;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/fee-discount' }, parameters, options);
  }

  /** `POST /api/admin/referral-share`: Set the share of fees that referrers receive */
  setReferralShare(
    parameters: SetReferralShareParameters,
    options?: CallOptions,
  ): Promise<{
    readonly discount: FeeDiscount<N> | null;
    readonly referralShare: N;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/referral-share' }, parameters, options);
  }

  /** `GET /api/admin/trading-limits`: The trading limits of accounts without their own */
  getTradingLimits(options?: CallOptions): Promise<{
    readonly limits: TradingLimits<N>;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/trading-limits' }, {}, options);
  }

  /** `POST /api/admin/trading-limits`: Replace the trading limits of accounts without their own */
  setTradingLimits(
    parameters: SetTradingLimitsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly limits: TradingLimits<N>;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/trading-limits' }, parameters, options);
  }

  /** `POST /api/admin/accounts/{id}/trading-limits`: Set the trading limits of an account */
  setAccountTradingLimits(
    parameters: SetAccountTradingLimitsParameters,
    options?: CallOptions,
  ): Promise<{
    readonly limits: TradingLimits<N>;
  }> {
    return this.call(
      { method: 'POST', path: '/api/admin/accounts/{id}/trading-limits' },
      parameters,
      options,
    );
  }

  /** `POST /api/admin/trading-status`: Halt all markets, or resume trading (kill switch) */
  setTradingStatus(
    parameters: SetTradingStatusParameters,
    options?: CallOptions,
  ): Promise<{
    readonly trading: {
      readonly status: 'trading' | 'cancel_only' | 'halted';
      readonly killSwitch: 'trading' | 'cancel_only' | 'halted';
      readonly reason: string | null;
      readonly since: string | null;
    };
    readonly maintenance: readonly {
      readonly from: string;
      readonly to: string;
      readonly mode: 'cancel_only' | 'halted';
      readonly message: string;
      readonly active: boolean;
    }[];
    readonly announcements: readonly {
      readonly id: string;
      readonly severity: 'info' | 'warning';
      readonly title: string;
      readonly text: string;
      readonly timestamp: string;
      readonly until: string | null;
    }[];
  }> {
    return this.call({ method: 'POST', path: '/api/admin/trading-status' }, parameters, options);
  }

  /** `POST /api/admin/maintenance`: Announce a maintenance */
  scheduleMaintenance(
    parameters: ScheduleMaintenanceParameters,
    options?: CallOptions,
  ): Promise<{
    readonly trading: {
      readonly status: 'trading' | 'cancel_only' | 'halted';
      readonly killSwitch: 'trading' | 'cancel_only' | 'halted';
      readonly reason: string | null;
      readonly since: string | null;
    };
    readonly maintenance: readonly {
      readonly from: string;
      readonly to: string;
      readonly mode: 'cancel_only' | 'halted';
      readonly message: string;
      readonly active: boolean;
    }[];
    readonly announcements: readonly {
      readonly id: string;
      readonly severity: 'info' | 'warning';
      readonly title: string;
      readonly text: string;
      readonly timestamp: string;
      readonly until: string | null;
    }[];
  }> {
    return this.call({ method: 'POST', path: '/api/admin/maintenance' }, parameters, options);
  }

  /** `POST /api/admin/maintenance/cancel`: Withdraw a maintenance, or end the current one */
  cancelMaintenance(
    parameters: CancelMaintenanceParameters,
    options?: CallOptions,
  ): Promise<{
    readonly trading: {
      readonly status: 'trading' | 'cancel_only' | 'halted';
      readonly killSwitch: 'trading' | 'cancel_only' | 'halted';
      readonly reason: string | null;
      readonly since: string | null;
    };
    readonly maintenance: readonly {
      readonly from: string;
      readonly to: string;
      readonly mode: 'cancel_only' | 'halted';
      readonly message: string;
      readonly active: boolean;
    }[];
    readonly announcements: readonly {
      readonly id: string;
      readonly severity: 'info' | 'warning';
      readonly title: string;
      readonly text: string;
      readonly timestamp: string;
      readonly until: string | null;
    }[];
  }> {
    return this.call(
      { method: 'POST', path: '/api/admin/maintenance/cancel' },
      parameters,
      options,
    );
  }

  /** `POST /api/admin/announcements`: Announce something to all clients */
  announce(
    parameters: AnnounceParameters,
    options?: CallOptions,
  ): Promise<{
    readonly trading: {
      readonly status: 'trading' | 'cancel_only' | 'halted';
      readonly killSwitch: 'trading' | 'cancel_only' | 'halted';
      readonly reason: string | null;
      readonly since: string | null;
    };
    readonly maintenance: readonly {
      readonly from: string;
      readonly to: string;
      readonly mode: 'cancel_only' | 'halted';
      readonly message: string;
      readonly active: boolean;
    }[];
    readonly announcements: readonly {
      readonly id: string;
      readonly severity: 'info' | 'warning';
      readonly title: string;
      readonly text: string;
      readonly timestamp: string;
      readonly until: string | null;
    }[];
  }> {
    return this.call({ method: 'POST', path: '/api/admin/announcements' }, parameters, options);
  }

  /** `DELETE /api/admin/announcements/{id}`: Withdraw an announcement */
  withdrawAnnouncement(
    parameters: WithdrawAnnouncementParameters,
    options?: CallOptions,
  ): Promise<{
    readonly trading: {
      readonly status: 'trading' | 'cancel_only' | 'halted';
      readonly killSwitch: 'trading' | 'cancel_only' | 'halted';
      readonly reason: string | null;
      readonly since: string | null;
    };
    readonly maintenance: readonly {
      readonly from: string;
      readonly to: string;
      readonly mode: 'cancel_only' | 'halted';
      readonly message: string;
      readonly active: boolean;
    }[];
    readonly announcements: readonly {
      readonly id: string;
      readonly severity: 'info' | 'warning';
      readonly title: string;
      readonly text: string;
      readonly timestamp: string;
      readonly until: string | null;
    }[];
  }> {
    return this.call(
      { method: 'DELETE', path: '/api/admin/announcements/{id}' },
      parameters,
      options,
    );
  }

  /** `GET /api/admin/trade-busts`: Busted trades */
  listTradeBusts(options?: CallOptions): Promise<{
    readonly busts: readonly BustedTrade<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/admin/trade-busts' }, {}, options);
  }

  /** `POST /api/admin/trade-busts`: Bust a trade */
  bustTrade(
    parameters: BustTradeParameters,
    options?: CallOptions,
  ): Promise<{
    readonly bust: BustedTrade<N>;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/trade-busts' }, parameters, options);
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

  /** `GET /api/admin/custodian`: Keys of the custodian, and instructions that wait for it */
  getCustodian(options?: CallOptions): Promise<{
    readonly host: string | null;
    readonly exchangeKey: string;
    readonly exchangeKeyNumber: number;
    readonly nextExchangeKey: string;
    readonly custodianKey: string | null;
    readonly keyNumber: number;
    readonly waiting: number;
    readonly oldestMs: number;
    readonly failures: number;
    readonly lastAttempt: string | null;
    readonly error: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/custodian' }, {}, options);
  }

  /** `POST /api/admin/networks`: Add a network, or replace its rules */
  setNetwork(
    parameters: SetNetworkParameters,
    options?: CallOptions,
  ): Promise<{
    readonly network: Network<N>;
    readonly created: boolean;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/networks' }, parameters, options);
  }

  /** `POST /api/admin/custodian-key`: Set the key of the custodian */
  setCustodianKey(
    parameters: SetCustodianKeyParameters,
    options?: CallOptions,
  ): Promise<{
    readonly keyNumber: number;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/custodian-key' }, parameters, options);
  }

  /** `GET /api/admin/deposits`: Deposits that wait for a decision */
  listDepositsInReview(options?: CallOptions): Promise<{
    readonly deposits: readonly Deposit<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/admin/deposits' }, {}, options);
  }

  /** `GET /api/admin/deposits/history`: Deposits of all accounts, newest first */
  listAllDeposits(
    parameters: ListAllDepositsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly deposits: readonly Deposit<N>[];
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/deposits/history' }, parameters, options);
  }

  /** `POST /api/admin/deposits/{id}/resolve`: Decide on a deposit */
  resolveDeposit(
    parameters: ResolveDepositParameters,
    options?: CallOptions,
  ): Promise<{
    readonly deposit: Deposit<N>;
  }> {
    return this.call(
      { method: 'POST', path: '/api/admin/deposits/{id}/resolve' },
      parameters,
      options,
    );
  }

  /** `GET /api/admin/withdrawals`: Withdrawals that wait for approval */
  listWithdrawalsToApprove(options?: CallOptions): Promise<{
    readonly withdrawals: readonly Withdrawal<N>[];
    readonly requiredApprovals: number;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/withdrawals' }, {}, options);
  }

  /** `GET /api/admin/withdrawals/history`: Withdrawals of all accounts, newest first */
  listAllWithdrawals(
    parameters: ListAllWithdrawalsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly withdrawals: readonly Withdrawal<N>[];
    readonly nextCursor: string | null;
  }> {
    return this.call(
      { method: 'GET', path: '/api/admin/withdrawals/history' },
      parameters,
      options,
    );
  }

  /** `POST /api/admin/withdrawals/{id}/approve`: Approve a withdrawal */
  approveWithdrawal(
    parameters: ApproveWithdrawalParameters,
    options?: CallOptions,
  ): Promise<{
    readonly withdrawal: Withdrawal<N>;
  }> {
    return this.call(
      { method: 'POST', path: '/api/admin/withdrawals/{id}/approve' },
      parameters,
      options,
    );
  }

  /** `POST /api/admin/withdrawals/{id}/reject`: Reject a withdrawal */
  rejectWithdrawal(
    parameters: RejectWithdrawalParameters,
    options?: CallOptions,
  ): Promise<{
    readonly withdrawal: Withdrawal<N>;
  }> {
    return this.call(
      { method: 'POST', path: '/api/admin/withdrawals/{id}/reject' },
      parameters,
      options,
    );
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
    readonly markets: readonly OperatorMarket<N>[];
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

  /** `GET /api/admin/accounts/{id}/timeline`: Timeline of a user, newest first */
  getAccountTimeline(
    parameters: GetAccountTimelineParameters,
    options?: CallOptions,
  ): Promise<{
    readonly accounts: readonly string[];
    readonly names: readonly AccountName[];
    readonly entries: readonly UserTimelineEntry<N>[];
    readonly nextCursor: string | null;
  }> {
    return this.call(
      { method: 'GET', path: '/api/admin/accounts/{id}/timeline' },
      parameters,
      options,
    );
  }

  /** `GET /api/admin/accounts/{id}/notes`: Notes of operators about an account, newest first */
  listNotes(
    parameters: ListNotesParameters,
    options?: CallOptions,
  ): Promise<{
    readonly notes: readonly Note[];
  }> {
    return this.call(
      { method: 'GET', path: '/api/admin/accounts/{id}/notes' },
      parameters,
      options,
    );
  }

  /** `POST /api/admin/accounts/{id}/notes`: Add a note about an account */
  addNote(
    parameters: AddNoteParameters,
    options?: CallOptions,
  ): Promise<{
    readonly note: Note;
  }> {
    return this.call(
      { method: 'POST', path: '/api/admin/accounts/{id}/notes' },
      parameters,
      options,
    );
  }

  /** `DELETE /api/admin/accounts/{id}/notes/{noteId}`: Remove a note about an account */
  removeNote(
    parameters: RemoveNoteParameters,
    options?: CallOptions,
  ): Promise<{
    readonly note: Note;
  }> {
    return this.call(
      { method: 'DELETE', path: '/api/admin/accounts/{id}/notes/{noteId}' },
      parameters,
      options,
    );
  }

  /** `GET /api/admin/roles`: Roles of operators, and who has them */
  getRoles(options?: CallOptions): Promise<{
    readonly roles: readonly Role[];
    readonly operators: readonly RoleAssignment[];
  }> {
    return this.call({ method: 'GET', path: '/api/admin/roles' }, {}, options);
  }

  /** `GET /api/admin/approvals`: Requests for approval */
  listApprovals(options?: CallOptions): Promise<{
    readonly pending: readonly Approval[];
    readonly closed: readonly Approval[];
  }> {
    return this.call({ method: 'GET', path: '/api/admin/approvals' }, {}, options);
  }

  /** `POST /api/admin/approvals/{id}/approve`: Approve a request of another operator */
  approveRequest(
    parameters: ApproveRequestParameters,
    options?: CallOptions,
  ): Promise<{
    readonly approval: Approval;
  }> {
    return this.call(
      { method: 'POST', path: '/api/admin/approvals/{id}/approve' },
      parameters,
      options,
    );
  }

  /** `POST /api/admin/approvals/{id}/reject`: Reject a request for approval, or withdraw your own */
  rejectRequest(
    parameters: RejectRequestParameters,
    options?: CallOptions,
  ): Promise<{
    readonly approval: Approval;
  }> {
    return this.call(
      { method: 'POST', path: '/api/admin/approvals/{id}/reject' },
      parameters,
      options,
    );
  }

  /** `GET /api/admin/approval-policy`: The actions that need a second operator */
  getApprovalPolicy(options?: CallOptions): Promise<{
    readonly policy: ApprovalPolicy<N>;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/approval-policy' }, {}, options);
  }

  /** `POST /api/admin/approval-policy`: Ask a second operator to change the approval policy */
  setApprovalPolicy(
    parameters: SetApprovalPolicyParameters,
    options?: CallOptions,
  ): Promise<{
    readonly policy: ApprovalPolicy<N>;
  }> {
    return this.call({ method: 'POST', path: '/api/admin/approval-policy' }, parameters, options);
  }

  /** `GET /api/admin/search`: Search accounts, orders, transfers, deposits and withdrawals */
  searchAll(
    parameters: SearchAllParameters,
    options?: CallOptions,
  ): Promise<{
    readonly results: readonly SearchResult<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/admin/search' }, parameters, options);
  }

  /** `GET /api/admin/dashboard`: Figures of the exchange at a glance */
  getDashboard(options?: CallOptions): Promise<{
    readonly timestamp: string;
    readonly startedAt: string;
    readonly feesSince: string;
    readonly node: DashboardNode;
    readonly series: DashboardSeries<N>;
    readonly markets: readonly DashboardMarket<N>[];
    readonly volumes: readonly DashboardVolume<N>[];
    readonly fees: readonly DashboardFees<N>[];
    readonly users: DashboardUsers;
    readonly queues: DashboardQueues;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/dashboard' }, {}, options);
  }

  /** `GET /api/admin/state`: Log position, state hash, ledger totals and coverage */
  getState(options?: CallOptions): Promise<{
    readonly engineVersion: number;
    readonly newestEngineVersion: number;
    readonly timestamp: string;
    readonly logPosition: number;
    readonly stateHash: string;
    readonly archivistLagMs: number;
    readonly openOrders: number;
    readonly archive: LogArchive | null;
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

  /** `POST /api/admin/proofs`: Make and publish a proof of liabilities */
  makeProof(parameters: MakeProofParameters = {}, options?: CallOptions): Promise<LiabilityProof> {
    return this.call({ method: 'POST', path: '/api/admin/proofs' }, parameters, options);
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

  /** `GET /api/admin/alerts`: Alerts of market surveillance, newest first */
  listSurveillanceAlerts(
    parameters: ListSurveillanceAlertsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly alerts: readonly SurveillanceAlert[];
    readonly failedDetectors: readonly FailedDetector[];
    readonly detection: Detection;
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/admin/alerts' }, parameters, options);
  }

  /** `GET /api/admin/alerts/{id}`: An alert of market surveillance with the reviews of its case, oldest first */
  getSurveillanceAlert(
    parameters: GetSurveillanceAlertParameters,
    options?: CallOptions,
  ): Promise<{
    readonly alert: SurveillanceAlert;
    readonly reviews: readonly AlertReview[];
  }> {
    return this.call({ method: 'GET', path: '/api/admin/alerts/{id}' }, parameters, options);
  }

  /** `PATCH /api/admin/alerts/{id}`: Assign, comment on, close or reopen the case of an alert */
  reviewAlert(
    parameters: ReviewAlertParameters,
    options?: CallOptions,
  ): Promise<{
    readonly alert: SurveillanceAlert;
    readonly reviews: readonly AlertReview[];
  }> {
    return this.call({ method: 'PATCH', path: '/api/admin/alerts/{id}' }, parameters, options);
  }

  /** `GET /api/admin/alerts/{id}/activity`: Trades and orders behind an alert, oldest first */
  getAlertActivity(
    parameters: GetAlertActivityParameters,
    options?: CallOptions,
  ): Promise<{
    readonly fills: readonly AlertFill<N>[];
    readonly orders: readonly OperatorOrder<N>[];
    readonly areFillsComplete: boolean;
    readonly areOrdersComplete: boolean;
  }> {
    return this.call(
      { method: 'GET', path: '/api/admin/alerts/{id}/activity' },
      parameters,
      options,
    );
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

  /** `POST /api/admin/reports`: Create a report about an account or the exchange */
  createAccountReport(
    parameters: CreateAccountReportParameters,
    options?: CallOptions,
  ): Promise<Report> {
    return this.call({ method: 'POST', path: '/api/admin/reports' }, parameters, options);
  }

  /** `GET /api/admin/reports`: Reports of all accounts and the exchange, newest first */
  listAllReports(
    parameters: ListAllReportsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly reports: readonly Report[];
  }> {
    return this.call({ method: 'GET', path: '/api/admin/reports' }, parameters, options);
  }

  /** `GET /api/admin/reports/{id}`: A report of any account and its progress */
  getAnyReport(parameters: GetAnyReportParameters, options?: CallOptions): Promise<Report> {
    return this.call({ method: 'GET', path: '/api/admin/reports/{id}' }, parameters, options);
  }

  /** `DELETE /api/admin/reports/{id}`: Remove a report of any account and its file */
  deleteAnyReport(parameters: DeleteAnyReportParameters, options?: CallOptions): Promise<Report> {
    return this.call({ method: 'DELETE', path: '/api/admin/reports/{id}' }, parameters, options);
  }

  /** `GET /api/admin/reports/{id}/file`: Download the file of a report of any account */
  getAnyReportFile(
    parameters: GetAnyReportFileParameters,
    options?: CallOptions,
  ): Promise<Response> {
    return this.download(
      { method: 'GET', path: '/api/admin/reports/{id}/file' },
      parameters,
      options,
    );
  }
}
