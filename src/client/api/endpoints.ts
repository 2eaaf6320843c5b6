// Generated from the OpenAPI document by `npm run generate`. Do not edit.

import type { CallOptions, Route } from '../route.ts';
import type {
  AddFaultsParameters,
  AddPasskeyParameters,
  AddWithdrawalAddressParameters,
  AmendOrderParameters,
  AssignDepositAddressParameters,
  CancelAfterParameters,
  CancelEmailChangeParameters,
  CancelOrderParameters,
  CancelOrdersParameters,
  CancelWithdrawalParameters,
  ChangeAntiPhishingCodeParameters,
  ChangeEmailParameters,
  ChangeMakersParameters,
  ChangeNotificationSettingsParameters,
  ChangeOwnKeyParameters,
  ChangePasswordParameters,
  ChangeProfileParameters,
  ChangeSubAccountParameters,
  ChangeWebhookParameters,
  ConfirmEmailChangeParameters,
  ConfirmPasswordResetParameters,
  ConfirmSecondFactorParameters,
  CreateCheckpointParameters,
  CreateOwnKeyParameters,
  CreatePriceAlertParameters,
  CreateReportParameters,
  CreateSubAccountParameters,
  CreateWebhookParameters,
  DeleteCheckpointParameters,
  DeletePriceAlertParameters,
  DeleteReportParameters,
  DeleteWebhookParameters,
  EndSessionParameters,
  GetBalancesParameters,
  GetCandlesParameters,
  GetFeesParameters,
  GetFillsParameters,
  GetInclusionParameters,
  GetLedgerParameters,
  GetLevel3Parameters,
  GetMarketsParameters,
  GetOrderbookParameters,
  GetOrderParameters,
  GetOrderTimelineParameters,
  GetPortfolioHistoryParameters,
  GetPricesParameters,
  GetProfitAndLossParameters,
  GetReferralsParameters,
  GetReportFileParameters,
  GetReportParameters,
  GetTradesParameters,
  GetWebhookSecretParameters,
  ListDeliveriesParameters,
  ListDepositsParameters,
  ListFaultsParameters,
  ListInternalTransfersParameters,
  ListNoticesParameters,
  ListOrdersParameters,
  ListOwnKeysParameters,
  ListSignInsParameters,
  ListWithdrawalsParameters,
  LookAtLinkParameters,
  MarkNoticesReadParameters,
  OfferSecondFactorParameters,
  PasskeyOptionsParameters,
  PasskeySignInOptionsParameters,
  PlaceOrderParameters,
  PlaceOrdersParameters,
  PlacePairParameters,
  RemoveFaultsParameters,
  RemovePasskeyParameters,
  RemoveSecondFactorParameters,
  RemoveWithdrawalAddressParameters,
  RenameWithdrawalAddressParameters,
  RenewRecoveryCodesParameters,
  ReportDepositParameters,
  ReportHoldingsParameters,
  ReportWithdrawalParameters,
  RequestDepositAddressParameters,
  RequestPasswordResetParameters,
  RequestWithdrawalParameters,
  RestoreCheckpointParameters,
  RevokeOwnKeyParameters,
  SetSandboxClockParameters,
  SignInByPasskeyParameters,
  SignInParameters,
  SignOutParameters,
  SignUpParameters,
  TestOcoParameters,
  TestOrderParameters,
  TestWebhookParameters,
  TransferInternallyParameters,
  UseFaucetParameters,
  VerifyEmailParameters,
} from './parameters.ts';
import type {
  Asset,
  Balance,
  Candle,
  Deadline,
  Delivery,
  Deposit,
  DepositAddress,
  EndpointLimit,
  Fee,
  FeeDiscount,
  FeeTier,
  Fill,
  GroupAccount,
  Holding,
  IncludedBalance,
  InternalTransfer,
  LedgerEntry,
  LiabilityProof,
  Market,
  Network,
  Notice,
  NotificationSettings,
  Order,
  OrderHold,
  OwnKey,
  Passkey,
  PortfolioPoint,
  Price,
  PriceAlert,
  Profile,
  ProfitAndLoss,
  QueuePoint,
  Report,
  Session,
  SignIn,
  TestedFill,
  TestedOrder,
  TimelineEvent,
  Trade,
  TradingLimits,
  UsedLimits,
  Webhook,
  WhyNotFilled,
  Withdrawal,
  WithdrawalAddress,
  WithdrawalLimit,
} from './records.ts';

/** A method for each endpoint of traders; prices and amounts in responses have the type N. */
export abstract class Endpoints<N> {
  protected abstract call<Data>(
    route: Route,
    parameters: object,
    options: CallOptions | undefined,
  ): Promise<Data>;

  /** Returns a response whose body is a file. */
  protected abstract download(
    route: Route,
    parameters: object,
    options: CallOptions | undefined,
  ): Promise<Response>;

  /** `GET /api/markets`: Markets, their rules and 24 h figures */
  getMarkets(
    parameters: GetMarketsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly markets: readonly Market<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/markets' }, parameters, options);
  }

  /** `GET /api/prices`: Current prices and rolling 24 h figures */
  getPrices(
    parameters: GetPricesParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly prices: readonly Price<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/prices' }, parameters, options);
  }

  /** `GET /api/assets`: All assets */
  getAssets(options?: CallOptions): Promise<{
    readonly assets: readonly Asset[];
  }> {
    return this.call({ method: 'GET', path: '/api/assets' }, {}, options);
  }

  /** `GET /api/networks`: Networks on which assets are deposited and withdrawn */
  getNetworks(options?: CallOptions): Promise<{
    readonly networks: readonly Network<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/networks' }, {}, options);
  }

  /** `GET /api/fees/schedule`: The fee schedule: rates of the markets, fee tiers and discount */
  getFeeSchedule(options?: CallOptions): Promise<{
    readonly fees: readonly Fee<N>[];
    readonly tiers: readonly FeeTier<N>[];
    readonly volumeAsset: string | null;
    readonly volumeDays: number;
    readonly discount: FeeDiscount<N> | null;
  }> {
    return this.call({ method: 'GET', path: '/api/fees/schedule' }, {}, options);
  }

  /** `GET /api/orderbook`: A market's order book */
  getOrderbook(
    parameters: GetOrderbookParameters,
    options?: CallOptions,
  ): Promise<{
    readonly symbol: string;
    readonly bids: readonly (readonly [N, N])[];
    readonly asks: readonly (readonly [N, N])[];
    readonly sequence: number;
    readonly updatedAt: string | null;
    readonly timestamp: string;
  }> {
    return this.call({ method: 'GET', path: '/api/orderbook' }, parameters, options);
  }

  /** `GET /api/level3`: A market's order book, order by order */
  getLevel3(
    parameters: GetLevel3Parameters,
    options?: CallOptions,
  ): Promise<{
    readonly symbol: string;
    readonly bids: readonly (readonly [string, N, N])[];
    readonly asks: readonly (readonly [string, N, N])[];
    readonly sequence: number;
    readonly checksum: number;
    readonly updatedAt: string | null;
    readonly timestamp: string;
  }> {
    return this.call({ method: 'GET', path: '/api/level3' }, parameters, options);
  }

  /** `GET /api/trades`: A market's trades, newest first */
  getTrades(
    parameters: GetTradesParameters,
    options?: CallOptions,
  ): Promise<{
    readonly trades: readonly Trade<N>[];
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/trades' }, parameters, options);
  }

  /** `GET /api/candles`: A market's candles, oldest first */
  getCandles(
    parameters: GetCandlesParameters,
    options?: CallOptions,
  ): Promise<{
    readonly candles: readonly Candle<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/candles' }, parameters, options);
  }

  /** `GET /api/status/history`: Incidents of the last 90 days, and response times */
  getStatusHistory(options?: CallOptions): Promise<{
    readonly timestamp: string;
    readonly startedAt: string;
    readonly recordedSince: string;
    readonly archivistLagMs: number;
    readonly days: readonly {
      readonly date: string;
      readonly restrictedSeconds: number;
      readonly anyRestrictedSeconds: number;
      readonly depositsSuspendedSeconds: number;
      readonly withdrawalsSuspendedSeconds: number;
    }[];
    readonly incidents: readonly {
      readonly cause: 'halt' | 'maintenance' | 'market';
      readonly symbol: string | null;
      readonly status: 'cancel_only' | 'halted';
      readonly reason: string | null;
      readonly from: string;
      readonly to: string | null;
    }[];
    readonly responseTimes: {
      readonly everyMs: number;
      readonly medianMs: readonly N[];
      readonly p99Ms: readonly N[];
    };
  }> {
    return this.call({ method: 'GET', path: '/api/status/history' }, {}, options);
  }

  /** `GET /api/time`: The server's clock */
  getTime(options?: CallOptions): Promise<{
    readonly timestamp: string;
  }> {
    return this.call({ method: 'GET', path: '/api/time' }, {}, options);
  }

  /** `GET /api/status`: Status, release, maintenance and announcements of the exchange */
  getStatus(options?: CallOptions): Promise<{
    readonly status: 'ok' | 'overloaded' | 'stale';
    readonly version: string;
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
    return this.call({ method: 'GET', path: '/api/status' }, {}, options);
  }

  /** `GET /api/log/head`: Position and chain hash of the log */
  getLogHead(options?: CallOptions): Promise<{
    readonly position: number;
    readonly logHash: string;
    readonly timestamp: string;
  }> {
    return this.call({ method: 'GET', path: '/api/log/head' }, {}, options);
  }

  /** `GET /api/proofs`: The proofs of liabilities, newest first */
  listProofs(options?: CallOptions): Promise<{
    readonly proofs: readonly LiabilityProof[];
  }> {
    return this.call({ method: 'GET', path: '/api/proofs' }, {}, options);
  }

  /** `GET /api/portfolio/balances`: Balances of every asset that the account ever had */
  getBalances(
    parameters: GetBalancesParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly balances: readonly Balance<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/portfolio/balances' }, parameters, options);
  }

  /** `GET /api/portfolio/history`: The account's balances at the end of each interval, oldest first */
  getPortfolioHistory(
    parameters: GetPortfolioHistoryParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly points: readonly PortfolioPoint<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/portfolio/history' }, parameters, options);
  }

  /** `GET /api/portfolio/profit-and-loss`: The account's profit and loss: costs, realized and unrealized gains, and return */
  getProfitAndLoss(
    parameters: GetProfitAndLossParameters = {},
    options?: CallOptions,
  ): Promise<ProfitAndLoss<N>> {
    return this.call(
      { method: 'GET', path: '/api/portfolio/profit-and-loss' },
      parameters,
      options,
    );
  }

  /** `GET /api/fees`: The account's fee rates, fee tier and discount */
  getFees(
    parameters: GetFeesParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly fees: readonly Fee<N>[];
    readonly tier: number;
    readonly isTierFixed: boolean;
    readonly tiers: readonly FeeTier<N>[];
    readonly volumeAsset: string | null;
    readonly volumeDays: number;
    readonly discount: FeeDiscount<N> | null;
    readonly volume: N | null;
    readonly hasDiscount: boolean;
  }> {
    return this.call({ method: 'GET', path: '/api/fees' }, parameters, options);
  }

  /** `GET /api/limits`: Limits of the account, and what is used of them */
  getLimits(options?: CallOptions): Promise<{
    readonly limits: TradingLimits<N>;
    readonly used: UsedLimits<N>;
    readonly withdrawals: readonly WithdrawalLimit<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/limits' }, {}, options);
  }

  /** `GET /api/proofs/{id}/inclusion`: Proof that the account's balances are in a proof of liabilities */
  getInclusion(
    parameters: GetInclusionParameters,
    options?: CallOptions,
  ): Promise<{
    readonly proof: LiabilityProof;
    readonly account: string;
    readonly balances: readonly IncludedBalance[];
  }> {
    return this.call({ method: 'GET', path: '/api/proofs/{id}/inclusion' }, parameters, options);
  }

  /** `POST /api/orders`: Place an order */
  placeOrder(parameters: PlaceOrderParameters, options?: CallOptions): Promise<Order<N>> {
    return this.call({ method: 'POST', path: '/api/orders' }, parameters, options);
  }

  /** `GET /api/orders`: The account's orders, newest first */
  listOrders(
    parameters: ListOrdersParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly orders: readonly Order<N>[];
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/orders' }, parameters, options);
  }

  /** `DELETE /api/orders`: Cancel several orders */
  cancelOrders(
    parameters: CancelOrdersParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly orders: readonly Order<N>[];
  }> {
    return this.call({ method: 'DELETE', path: '/api/orders' }, parameters, options);
  }

  /** `GET /api/orders/{id}`: One of the account's orders */
  getOrder(parameters: GetOrderParameters, options?: CallOptions): Promise<Order<N>> {
    return this.call({ method: 'GET', path: '/api/orders/{id}' }, parameters, options);
  }

  /** `DELETE /api/orders/{id}`: Cancel an open order */
  cancelOrder(parameters: CancelOrderParameters, options?: CallOptions): Promise<Order<N>> {
    return this.call({ method: 'DELETE', path: '/api/orders/{id}' }, parameters, options);
  }

  /** `PATCH /api/orders/{id}`: Amend an open order */
  amendOrder(parameters: AmendOrderParameters, options?: CallOptions): Promise<Order<N>> {
    return this.call({ method: 'PATCH', path: '/api/orders/{id}' }, parameters, options);
  }

  /** `GET /api/orders/{id}/timeline`: The life of one of your orders: its events, its place in the queue, and why it has not filled */
  getOrderTimeline(
    parameters: GetOrderTimelineParameters,
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
    return this.call({ method: 'GET', path: '/api/orders/{id}/timeline' }, parameters, options);
  }

  /** `GET /api/fills`: The account's fills, newest first */
  getFills(
    parameters: GetFillsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly fills: readonly Fill<N>[];
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/fills' }, parameters, options);
  }

  /** `GET /api/ledger`: Every change of the account's available balances, newest first */
  getLedger(
    parameters: GetLedgerParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly entries: readonly LedgerEntry<N>[];
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/ledger' }, parameters, options);
  }

  /** `GET /api/referrals`: What the account earned by referring others, newest first */
  getReferrals(
    parameters: GetReferralsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly share: N;
    readonly isReferred: boolean;
    readonly accounts: number;
    readonly entries: readonly LedgerEntry<N>[];
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/referrals' }, parameters, options);
  }

  /** `POST /api/reports`: Create a report of orders, fills, the ledger, deposits, withdrawals or gains, or a statement */
  createReport(parameters: CreateReportParameters, options?: CallOptions): Promise<Report> {
    return this.call({ method: 'POST', path: '/api/reports' }, parameters, options);
  }

  /** `GET /api/reports`: Reports of the account, newest first */
  listReports(options?: CallOptions): Promise<{
    readonly reports: readonly Report[];
  }> {
    return this.call({ method: 'GET', path: '/api/reports' }, {}, options);
  }

  /** `GET /api/reports/{id}`: A report and its progress */
  getReport(parameters: GetReportParameters, options?: CallOptions): Promise<Report> {
    return this.call({ method: 'GET', path: '/api/reports/{id}' }, parameters, options);
  }

  /** `DELETE /api/reports/{id}`: Remove a report and its file */
  deleteReport(parameters: DeleteReportParameters, options?: CallOptions): Promise<Report> {
    return this.call({ method: 'DELETE', path: '/api/reports/{id}' }, parameters, options);
  }

  /** `GET /api/reports/{id}/file`: Download the file of a report */
  getReportFile(parameters: GetReportFileParameters, options?: CallOptions): Promise<Response> {
    return this.download({ method: 'GET', path: '/api/reports/{id}/file' }, parameters, options);
  }

  /** `GET /api/deposits`: Deposits of the account, newest first */
  listDeposits(
    parameters: ListDepositsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly deposits: readonly Deposit<N>[];
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/deposits' }, parameters, options);
  }

  /** `GET /api/withdrawals`: Withdrawals of the account, newest first */
  listWithdrawals(
    parameters: ListWithdrawalsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly withdrawals: readonly Withdrawal<N>[];
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/withdrawals' }, parameters, options);
  }

  /** `POST /api/withdrawals`: Withdraw to an address of the address book */
  requestWithdrawal(
    parameters: RequestWithdrawalParameters,
    options?: CallOptions,
  ): Promise<{
    readonly withdrawal: Withdrawal<N>;
    readonly created: boolean;
  }> {
    return this.call({ method: 'POST', path: '/api/withdrawals' }, parameters, options);
  }

  /** `GET /api/deposit-addresses`: Deposit addresses of the account */
  listDepositAddresses(options?: CallOptions): Promise<{
    readonly addresses: readonly DepositAddress[];
  }> {
    return this.call({ method: 'GET', path: '/api/deposit-addresses' }, {}, options);
  }

  /** `POST /api/deposit-addresses`: Ask for a deposit address */
  requestDepositAddress(
    parameters: RequestDepositAddressParameters,
    options?: CallOptions,
  ): Promise<{
    readonly address: DepositAddress | null;
  }> {
    return this.call({ method: 'POST', path: '/api/deposit-addresses' }, parameters, options);
  }

  /** `GET /api/withdrawal-addresses`: Address book: the addresses to which the account may withdraw */
  listWithdrawalAddresses(options?: CallOptions): Promise<{
    readonly addresses: readonly WithdrawalAddress[];
  }> {
    return this.call({ method: 'GET', path: '/api/withdrawal-addresses' }, {}, options);
  }

  /** `POST /api/withdrawal-addresses`: Add an address to the address book */
  addWithdrawalAddress(
    parameters: AddWithdrawalAddressParameters,
    options?: CallOptions,
  ): Promise<{
    readonly address: WithdrawalAddress;
    readonly created: boolean;
  }> {
    return this.call({ method: 'POST', path: '/api/withdrawal-addresses' }, parameters, options);
  }

  /** `PATCH /api/withdrawal-addresses/{id}`: Name an address of the address book */
  renameWithdrawalAddress(
    parameters: RenameWithdrawalAddressParameters,
    options?: CallOptions,
  ): Promise<{
    readonly address: WithdrawalAddress;
  }> {
    return this.call(
      { method: 'PATCH', path: '/api/withdrawal-addresses/{id}' },
      parameters,
      options,
    );
  }

  /** `DELETE /api/withdrawal-addresses/{id}`: Remove an address from the address book */
  removeWithdrawalAddress(
    parameters: RemoveWithdrawalAddressParameters,
    options?: CallOptions,
  ): Promise<{
    readonly address: WithdrawalAddress;
  }> {
    return this.call(
      { method: 'DELETE', path: '/api/withdrawal-addresses/{id}' },
      parameters,
      options,
    );
  }

  /** `DELETE /api/withdrawals/{id}`: Cancel a withdrawal */
  cancelWithdrawal(
    parameters: CancelWithdrawalParameters,
    options?: CallOptions,
  ): Promise<{
    readonly withdrawal: Withdrawal<N>;
  }> {
    return this.call({ method: 'DELETE', path: '/api/withdrawals/{id}' }, parameters, options);
  }

  /** `GET /api/accounts`: The main account and its sub-accounts, with their balances */
  listGroup(options?: CallOptions): Promise<{
    readonly accounts: readonly GroupAccount<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/accounts' }, {}, options);
  }

  /** `POST /api/accounts`: Open a sub-account */
  createSubAccount(
    parameters: CreateSubAccountParameters,
    options?: CallOptions,
  ): Promise<{
    readonly account: GroupAccount<N>;
    readonly created: boolean;
  }> {
    return this.call({ method: 'POST', path: '/api/accounts' }, parameters, options);
  }

  /** `PATCH /api/accounts/{id}`: Rename, close or reopen a sub-account */
  changeSubAccount(
    parameters: ChangeSubAccountParameters,
    options?: CallOptions,
  ): Promise<{
    readonly account: GroupAccount<N>;
  }> {
    return this.call({ method: 'PATCH', path: '/api/accounts/{id}' }, parameters, options);
  }

  /** `GET /api/transfers`: Transfers from and to the account, newest first */
  listInternalTransfers(
    parameters: ListInternalTransfersParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly transfers: readonly InternalTransfer<N>[];
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/transfers' }, parameters, options);
  }

  /** `POST /api/transfers`: Move money to another account */
  transferInternally(
    parameters: TransferInternallyParameters,
    options?: CallOptions,
  ): Promise<{
    readonly transfer: InternalTransfer<N>;
    readonly created: boolean;
  }> {
    return this.call({ method: 'POST', path: '/api/transfers' }, parameters, options);
  }

  /** `POST /api/custody/deposits`: Report an incoming payment */
  reportDeposit(
    parameters: ReportDepositParameters,
    options?: CallOptions,
  ): Promise<{
    readonly deposit: Deposit<N>;
    readonly changed: boolean;
  }> {
    return this.call({ method: 'POST', path: '/api/custody/deposits' }, parameters, options);
  }

  /** `POST /api/custody/addresses`: Give an account its deposit address */
  assignDepositAddress(
    parameters: AssignDepositAddressParameters,
    options?: CallOptions,
  ): Promise<{
    readonly address: DepositAddress;
  }> {
    return this.call({ method: 'POST', path: '/api/custody/addresses' }, parameters, options);
  }

  /** `POST /api/custody/withdrawals`: Report the progress of a withdrawal */
  reportWithdrawal(
    parameters: ReportWithdrawalParameters,
    options?: CallOptions,
  ): Promise<{
    readonly withdrawal: Withdrawal<N>;
    readonly changed: boolean;
  }> {
    return this.call({ method: 'POST', path: '/api/custody/withdrawals' }, parameters, options);
  }

  /** `POST /api/custody/holdings`: Report the coins on a network */
  reportHoldings(
    parameters: ReportHoldingsParameters,
    options?: CallOptions,
  ): Promise<{
    readonly holding: Holding<N>;
    readonly changed: boolean;
  }> {
    return this.call({ method: 'POST', path: '/api/custody/holdings' }, parameters, options);
  }

  /** `POST /api/orders/batch`: Place several orders in one request */
  placeOrders(
    parameters: PlaceOrdersParameters,
    options?: CallOptions,
  ): Promise<{
    readonly results: readonly (
      | {
          readonly success: true;
          readonly data: Order<N>;
        }
      | {
          readonly success: false;
          readonly error: {
            readonly code:
              | 'INVALID_REQUEST'
              | 'INVALID_SYMBOL'
              | 'INVALID_SIDE'
              | 'INVALID_TYPE'
              | 'INVALID_AMOUNT'
              | 'INVALID_PRICE'
              | 'MIN_NOTIONAL'
              | 'INSUFFICIENT_BALANCE'
              | 'POST_ONLY_WOULD_TAKE'
              | 'MARKET_UNAVAILABLE'
              | 'NO_LIQUIDITY'
              | 'TOO_MANY_OPEN_ORDERS'
              | 'ACCOUNT_LIMIT'
              | 'ORDER_NOT_OPEN'
              | 'NETWORK_UNAVAILABLE'
              | 'INVALID_ADDRESS'
              | 'ADDRESS_COOLING'
              | 'WITHDRAWAL_LIMIT'
              | 'WITHDRAWAL_NOT_PENDING'
              | 'DEPOSIT_NOT_IN_REVIEW'
              | 'UNSUPPORTED_VERSION'
              | 'UNAUTHORIZED'
              | 'INSUFFICIENT_PERMISSIONS'
              | 'IP_NOT_ALLOWED'
              | 'ACCOUNT_FROZEN'
              | 'WITHDRAWALS_BLOCKED'
              | 'APPROVAL_NOT_ALLOWED'
              | 'BROWSER_NOT_ALLOWED'
              | 'ORDER_NOT_FOUND'
              | 'NOT_FOUND'
              | 'METHOD_NOT_ALLOWED'
              | 'PAYLOAD_TOO_LARGE'
              | 'DUPLICATE_CLIENT_ORDER_ID'
              | 'DUPLICATE_REFERENCE'
              | 'DUPLICATE_WITHDRAWAL'
              | 'DEPOSIT_CONFLICT'
              | 'RATE_LIMIT_EXCEEDED'
              | 'INTERNAL_ERROR'
              | 'OUTCOME_UNKNOWN'
              | 'CLOCK_OFF'
              | 'OVERLOADED'
              | 'STALE';
            readonly message: string;
            readonly details: Readonly<Record<string, unknown>>;
          };
        }
    )[];
  }> {
    return this.call({ method: 'POST', path: '/api/orders/batch' }, parameters, options);
  }

  /** `POST /api/orders/oco`: Place an OCO order (one cancels the other) */
  placePair(
    parameters: PlacePairParameters,
    options?: CallOptions,
  ): Promise<{
    readonly orders: readonly Order<N>[];
  }> {
    return this.call({ method: 'POST', path: '/api/orders/oco' }, parameters, options);
  }

  /** `POST /api/orders/test`: Test an order without placing it */
  testOrder(
    parameters: TestOrderParameters,
    options?: CallOptions,
  ): Promise<{
    readonly order: TestedOrder<N>;
    readonly fills: readonly TestedFill<N>[];
    readonly hold: OrderHold<N> | null;
  }> {
    return this.call({ method: 'POST', path: '/api/orders/test' }, parameters, options);
  }

  /** `POST /api/orders/oco/test`: Test an OCO order without placing it */
  testOco(
    parameters: TestOcoParameters,
    options?: CallOptions,
  ): Promise<{
    readonly orders: readonly TestedOrder<N>[];
    readonly hold: OrderHold<N> | null;
  }> {
    return this.call({ method: 'POST', path: '/api/orders/oco/test' }, parameters, options);
  }

  /** `POST /api/orders/cancel-after`: Cancel this key's open orders if it stops sending heartbeats (dead man's switch) */
  cancelAfter(
    parameters: CancelAfterParameters,
    options?: CallOptions,
  ): Promise<{
    readonly armed: readonly Deadline[];
  }> {
    return this.call({ method: 'POST', path: '/api/orders/cancel-after' }, parameters, options);
  }

  /** `POST /api/account/faucet`: Get demo funds from the sandbox faucet */
  useFaucet(
    parameters: UseFaucetParameters,
    options?: CallOptions,
  ): Promise<{
    readonly balances: readonly Balance<N>[];
  }> {
    return this.call({ method: 'POST', path: '/api/account/faucet' }, parameters, options);
  }

  /** `GET /api/account/keys/current`: The API key of this request, its permissions and its limits */
  getCurrentKey(options?: CallOptions): Promise<{
    readonly key: OwnKey;
    readonly accountId: string;
    readonly limitClass: number;
    readonly limits: readonly EndpointLimit[];
  }> {
    return this.call({ method: 'GET', path: '/api/account/keys/current' }, {}, options);
  }

  /** `GET /api/webhooks`: Webhooks of the account, oldest first */
  listWebhooks(options?: CallOptions): Promise<{
    readonly webhooks: readonly Webhook[];
  }> {
    return this.call({ method: 'GET', path: '/api/webhooks' }, {}, options);
  }

  /** `POST /api/webhooks`: Create a webhook */
  createWebhook(
    parameters: CreateWebhookParameters,
    options?: CallOptions,
  ): Promise<{
    readonly webhook: Webhook;
    readonly secret: string;
  }> {
    return this.call({ method: 'POST', path: '/api/webhooks' }, parameters, options);
  }

  /** `PATCH /api/webhooks/{id}`: Change, pause or resume a webhook */
  changeWebhook(
    parameters: ChangeWebhookParameters,
    options?: CallOptions,
  ): Promise<{
    readonly webhook: Webhook;
  }> {
    return this.call({ method: 'PATCH', path: '/api/webhooks/{id}' }, parameters, options);
  }

  /** `DELETE /api/webhooks/{id}`: Delete a webhook */
  deleteWebhook(
    parameters: DeleteWebhookParameters,
    options?: CallOptions,
  ): Promise<{
    readonly webhook: Webhook;
  }> {
    return this.call({ method: 'DELETE', path: '/api/webhooks/{id}' }, parameters, options);
  }

  /** `POST /api/webhooks/{id}/secret`: Show or renew the secret of a webhook */
  getWebhookSecret(
    parameters: GetWebhookSecretParameters,
    options?: CallOptions,
  ): Promise<{
    readonly webhook: Webhook;
    readonly secret: string;
  }> {
    return this.call({ method: 'POST', path: '/api/webhooks/{id}/secret' }, parameters, options);
  }

  /** `POST /api/webhooks/{id}/test`: Send a test event to a webhook */
  testWebhook(
    parameters: TestWebhookParameters,
    options?: CallOptions,
  ): Promise<{
    readonly delivery: Delivery;
  }> {
    return this.call({ method: 'POST', path: '/api/webhooks/{id}/test' }, parameters, options);
  }

  /** `GET /api/webhooks/{id}/deliveries`: Deliveries of a webhook, newest first */
  listDeliveries(
    parameters: ListDeliveriesParameters,
    options?: CallOptions,
  ): Promise<{
    readonly deliveries: readonly Delivery[];
  }> {
    return this.call({ method: 'GET', path: '/api/webhooks/{id}/deliveries' }, parameters, options);
  }

  /** `GET /api/alerts`: Price alerts of the account, newest first */
  listPriceAlerts(options?: CallOptions): Promise<{
    readonly alerts: readonly PriceAlert<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/alerts' }, {}, options);
  }

  /** `POST /api/alerts`: Create a price alert */
  createPriceAlert(
    parameters: CreatePriceAlertParameters,
    options?: CallOptions,
  ): Promise<{
    readonly alert: PriceAlert<N>;
  }> {
    return this.call({ method: 'POST', path: '/api/alerts' }, parameters, options);
  }

  /** `DELETE /api/alerts/{id}`: Delete a price alert */
  deletePriceAlert(
    parameters: DeletePriceAlertParameters,
    options?: CallOptions,
  ): Promise<{
    readonly alert: PriceAlert<N>;
  }> {
    return this.call({ method: 'DELETE', path: '/api/alerts/{id}' }, parameters, options);
  }

  /** `GET /api/notices`: Notices of the account, newest first */
  listNotices(
    parameters: ListNoticesParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly notices: readonly Notice[];
    readonly unread: number;
  }> {
    return this.call({ method: 'GET', path: '/api/notices' }, parameters, options);
  }

  /** `POST /api/notices/read`: Mark notices as read */
  markNoticesRead(
    parameters: MarkNoticesReadParameters,
    options?: CallOptions,
  ): Promise<{
    readonly unread: number;
  }> {
    return this.call({ method: 'POST', path: '/api/notices/read' }, parameters, options);
  }

  /** `POST /api/account/sign-up`: Sign up */
  signUp(
    parameters: SignUpParameters,
    options?: CallOptions,
  ): Promise<{
    readonly status: 'check_email';
  }> {
    return this.call({ method: 'POST', path: '/api/account/sign-up' }, parameters, options);
  }

  /** `POST /api/account/verify-email`: Open the account of a mailed link */
  verifyEmail(
    parameters: VerifyEmailParameters,
    options?: CallOptions,
  ): Promise<{
    readonly status: 'verified';
  }> {
    return this.call({ method: 'POST', path: '/api/account/verify-email' }, parameters, options);
  }

  /** `POST /api/account/verify-email/link`: Show the sign-up of a mailed link */
  lookAtLink(
    parameters: LookAtLinkParameters,
    options?: CallOptions,
  ): Promise<{
    readonly email: string;
    readonly name: string;
  }> {
    return this.call(
      { method: 'POST', path: '/api/account/verify-email/link' },
      parameters,
      options,
    );
  }

  /** `POST /api/account/sign-in`: Sign in with a password */
  signIn(
    parameters: SignInParameters,
    options?: CallOptions,
  ): Promise<{
    readonly status: 'signed_in' | 'second_factor_required';
    readonly session?: Session | undefined;
  }> {
    return this.call({ method: 'POST', path: '/api/account/sign-in' }, parameters, options);
  }

  /** `POST /api/account/sign-in/passkey/options`: Start a sign-in with a passkey */
  passkeySignInOptions(
    parameters: PasskeySignInOptionsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly options: Readonly<Record<string, unknown>>;
  }> {
    return this.call(
      { method: 'POST', path: '/api/account/sign-in/passkey/options' },
      parameters,
      options,
    );
  }

  /** `POST /api/account/sign-in/passkey`: Sign in with a passkey */
  signInByPasskey(
    parameters: SignInByPasskeyParameters,
    options?: CallOptions,
  ): Promise<{
    readonly status: 'signed_in';
    readonly session: Session;
  }> {
    return this.call({ method: 'POST', path: '/api/account/sign-in/passkey' }, parameters, options);
  }

  /** `POST /api/account/password-reset`: Request a password reset */
  requestPasswordReset(
    parameters: RequestPasswordResetParameters,
    options?: CallOptions,
  ): Promise<{
    readonly status: 'check_email';
  }> {
    return this.call({ method: 'POST', path: '/api/account/password-reset' }, parameters, options);
  }

  /** `POST /api/account/password-reset/confirm`: Set a new password with a mailed link */
  confirmPasswordReset(
    parameters: ConfirmPasswordResetParameters,
    options?: CallOptions,
  ): Promise<{
    readonly status: 'password_changed';
  }> {
    return this.call(
      { method: 'POST', path: '/api/account/password-reset/confirm' },
      parameters,
      options,
    );
  }

  /** `POST /api/account/email/confirm`: Confirm a new email address with a mailed link */
  confirmEmailChange(
    parameters: ConfirmEmailChangeParameters,
    options?: CallOptions,
  ): Promise<{
    readonly status: 'email_changed';
  }> {
    return this.call({ method: 'POST', path: '/api/account/email/confirm' }, parameters, options);
  }

  /** `POST /api/account/sign-out`: Sign out */
  signOut(
    parameters: SignOutParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly status: 'signed_out';
  }> {
    return this.call({ method: 'POST', path: '/api/account/sign-out' }, parameters, options);
  }

  /** `GET /api/account`: Your profile */
  getProfile(options?: CallOptions): Promise<{
    readonly profile: Profile;
  }> {
    return this.call({ method: 'GET', path: '/api/account' }, {}, options);
  }

  /** `PATCH /api/account`: Change your name */
  changeProfile(
    parameters: ChangeProfileParameters,
    options?: CallOptions,
  ): Promise<{
    readonly profile: Profile;
  }> {
    return this.call({ method: 'PATCH', path: '/api/account' }, parameters, options);
  }

  /** `POST /api/account/password`: Change your password */
  changePassword(
    parameters: ChangePasswordParameters,
    options?: CallOptions,
  ): Promise<{
    readonly status: 'password_changed';
  }> {
    return this.call({ method: 'POST', path: '/api/account/password' }, parameters, options);
  }

  /** `POST /api/account/email`: Change your email address */
  changeEmail(
    parameters: ChangeEmailParameters,
    options?: CallOptions,
  ): Promise<{
    readonly profile: Profile;
  }> {
    return this.call({ method: 'POST', path: '/api/account/email' }, parameters, options);
  }

  /** `POST /api/account/email/cancel`: Cancel a change of your email address */
  cancelEmailChange(
    parameters: CancelEmailChangeParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly profile: Profile;
  }> {
    return this.call({ method: 'POST', path: '/api/account/email/cancel' }, parameters, options);
  }

  /** `POST /api/account/anti-phishing-code`: Change your anti-phishing code */
  changeAntiPhishingCode(
    parameters: ChangeAntiPhishingCodeParameters,
    options?: CallOptions,
  ): Promise<{
    readonly profile: Profile;
  }> {
    return this.call(
      { method: 'POST', path: '/api/account/anti-phishing-code' },
      parameters,
      options,
    );
  }

  /** `GET /api/account/notifications`: Your notification settings */
  getNotificationSettings(options?: CallOptions): Promise<{
    readonly notifications: NotificationSettings;
  }> {
    return this.call({ method: 'GET', path: '/api/account/notifications' }, {}, options);
  }

  /** `PATCH /api/account/notifications`: Change your notification settings */
  changeNotificationSettings(
    parameters: ChangeNotificationSettingsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly notifications: NotificationSettings;
  }> {
    return this.call({ method: 'PATCH', path: '/api/account/notifications' }, parameters, options);
  }

  /** `GET /api/account/sessions`: Your sessions */
  listSessions(options?: CallOptions): Promise<{
    readonly sessions: readonly Session[];
  }> {
    return this.call({ method: 'GET', path: '/api/account/sessions' }, {}, options);
  }

  /** `DELETE /api/account/sessions`: Sign out everywhere */
  endSessions(options?: CallOptions): Promise<{
    readonly sessions: readonly Session[];
  }> {
    return this.call({ method: 'DELETE', path: '/api/account/sessions' }, {}, options);
  }

  /** `DELETE /api/account/sessions/{id}`: End a session */
  endSession(
    parameters: EndSessionParameters,
    options?: CallOptions,
  ): Promise<{
    readonly sessions: readonly Session[];
  }> {
    return this.call({ method: 'DELETE', path: '/api/account/sessions/{id}' }, parameters, options);
  }

  /** `GET /api/account/sign-ins`: Your sign-ins, newest first */
  listSignIns(
    parameters: ListSignInsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly signIns: readonly SignIn[];
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/account/sign-ins' }, parameters, options);
  }

  /** `POST /api/account/second-factor`: Start setting up two-factor authentication (2FA) */
  offerSecondFactor(
    parameters: OfferSecondFactorParameters,
    options?: CallOptions,
  ): Promise<{
    readonly secret: string;
    readonly uri: string;
  }> {
    return this.call({ method: 'POST', path: '/api/account/second-factor' }, parameters, options);
  }

  /** `POST /api/account/second-factor/confirm`: Turn on two-factor authentication */
  confirmSecondFactor(
    parameters: ConfirmSecondFactorParameters,
    options?: CallOptions,
  ): Promise<{
    readonly recoveryCodes: readonly string[];
  }> {
    return this.call(
      { method: 'POST', path: '/api/account/second-factor/confirm' },
      parameters,
      options,
    );
  }

  /** `POST /api/account/second-factor/recovery-codes`: Create new recovery codes */
  renewRecoveryCodes(
    parameters: RenewRecoveryCodesParameters,
    options?: CallOptions,
  ): Promise<{
    readonly recoveryCodes: readonly string[];
  }> {
    return this.call(
      { method: 'POST', path: '/api/account/second-factor/recovery-codes' },
      parameters,
      options,
    );
  }

  /** `POST /api/account/second-factor/remove`: Turn off two-factor authentication */
  removeSecondFactor(
    parameters: RemoveSecondFactorParameters,
    options?: CallOptions,
  ): Promise<{
    readonly status: 'removed';
  }> {
    return this.call(
      { method: 'POST', path: '/api/account/second-factor/remove' },
      parameters,
      options,
    );
  }

  /** `GET /api/account/passkeys`: Your passkeys */
  listPasskeys(options?: CallOptions): Promise<{
    readonly passkeys: readonly Passkey[];
  }> {
    return this.call({ method: 'GET', path: '/api/account/passkeys' }, {}, options);
  }

  /** `POST /api/account/passkeys`: Add a passkey */
  addPasskey(
    parameters: AddPasskeyParameters,
    options?: CallOptions,
  ): Promise<{
    readonly passkey: Passkey;
  }> {
    return this.call({ method: 'POST', path: '/api/account/passkeys' }, parameters, options);
  }

  /** `POST /api/account/passkeys/options`: Start adding a passkey */
  passkeyOptions(
    parameters: PasskeyOptionsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly options: Readonly<Record<string, unknown>>;
  }> {
    return this.call(
      { method: 'POST', path: '/api/account/passkeys/options' },
      parameters,
      options,
    );
  }

  /** `DELETE /api/account/passkeys/{id}`: Remove a passkey */
  removePasskey(
    parameters: RemovePasskeyParameters,
    options?: CallOptions,
  ): Promise<{
    readonly passkeys: readonly Passkey[];
  }> {
    return this.call({ method: 'DELETE', path: '/api/account/passkeys/{id}' }, parameters, options);
  }

  /** `GET /api/account/keys`: API keys of the account, newest first */
  listOwnKeys(
    parameters: ListOwnKeysParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly keys: readonly OwnKey[];
    readonly nextCursor: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/account/keys' }, parameters, options);
  }

  /** `POST /api/account/keys`: Create an API key */
  createOwnKey(
    parameters: CreateOwnKeyParameters,
    options?: CallOptions,
  ): Promise<{
    readonly key: OwnKey;
    readonly apiKey: string;
    readonly apiSecret: string | null;
  }> {
    return this.call({ method: 'POST', path: '/api/account/keys' }, parameters, options);
  }

  /** `PATCH /api/account/keys/{id}`: Change the label and the IP allowlist of an API key */
  changeOwnKey(
    parameters: ChangeOwnKeyParameters,
    options?: CallOptions,
  ): Promise<{
    readonly key: OwnKey;
  }> {
    return this.call({ method: 'PATCH', path: '/api/account/keys/{id}' }, parameters, options);
  }

  /** `DELETE /api/account/keys/{id}`: Revoke an API key */
  revokeOwnKey(
    parameters: RevokeOwnKeyParameters,
    options?: CallOptions,
  ): Promise<{
    readonly key: OwnKey;
  }> {
    return this.call({ method: 'DELETE', path: '/api/account/keys/{id}' }, parameters, options);
  }

  /** `GET /api/sandbox/clock`: The sandbox's clock */
  getSandboxClock(options?: CallOptions): Promise<{
    readonly mode: 'real' | 'frozen' | 'stepped' | 'scaled';
    readonly speed: N;
    readonly stepMs: number;
    readonly timestamp: string;
    readonly nextEventAt: string | null;
  }> {
    return this.call({ method: 'GET', path: '/api/sandbox/clock' }, {}, options);
  }

  /** `POST /api/sandbox/clock`: Set and move the sandbox's clock */
  setSandboxClock(
    parameters: SetSandboxClockParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly mode: 'real' | 'frozen' | 'stepped' | 'scaled';
    readonly speed: N;
    readonly stepMs: number;
    readonly timestamp: string;
    readonly nextEventAt: string | null;
  }> {
    return this.call({ method: 'POST', path: '/api/sandbox/clock' }, parameters, options);
  }

  /** `GET /api/sandbox/makers`: The market makers' behavior */
  getMakers(options?: CallOptions): Promise<{
    readonly makers: readonly {
      readonly symbol: string;
      readonly running: boolean;
      readonly spread: N;
      readonly depth: N;
      readonly volatility: N;
      readonly flow: N;
      readonly bias: N;
    }[];
  }> {
    return this.call({ method: 'GET', path: '/api/sandbox/makers' }, {}, options);
  }

  /** `POST /api/sandbox/makers`: Change the market makers' behavior */
  changeMakers(
    parameters: ChangeMakersParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly makers: readonly {
      readonly symbol: string;
      readonly running: boolean;
      readonly spread: N;
      readonly depth: N;
      readonly volatility: N;
      readonly flow: N;
      readonly bias: N;
    }[];
  }> {
    return this.call({ method: 'POST', path: '/api/sandbox/makers' }, parameters, options);
  }

  /** `GET /api/sandbox/checkpoints`: List checkpoints */
  listCheckpoints(options?: CallOptions): Promise<{
    readonly checkpoints: readonly {
      readonly name: string;
      readonly position: number;
      readonly timestamp: string;
    }[];
  }> {
    return this.call({ method: 'GET', path: '/api/sandbox/checkpoints' }, {}, options);
  }

  /** `POST /api/sandbox/checkpoints`: Create a checkpoint */
  createCheckpoint(
    parameters: CreateCheckpointParameters,
    options?: CallOptions,
  ): Promise<{
    readonly name: string;
    readonly position: number;
    readonly timestamp: string;
  }> {
    return this.call({ method: 'POST', path: '/api/sandbox/checkpoints' }, parameters, options);
  }

  /** `DELETE /api/sandbox/checkpoints/{name}`: Delete a checkpoint */
  deleteCheckpoint(
    parameters: DeleteCheckpointParameters,
    options?: CallOptions,
  ): Promise<{
    readonly name: string;
    readonly position: number;
    readonly timestamp: string;
  }> {
    return this.call(
      { method: 'DELETE', path: '/api/sandbox/checkpoints/{name}' },
      parameters,
      options,
    );
  }

  /** `POST /api/sandbox/restore`: Restore a checkpoint */
  restoreCheckpoint(
    parameters: RestoreCheckpointParameters,
    options?: CallOptions,
  ): Promise<{
    readonly name: string;
    readonly position: number;
    readonly timestamp: string;
  }> {
    return this.call({ method: 'POST', path: '/api/sandbox/restore' }, parameters, options);
  }

  /** `POST /api/sandbox/faults`: Install a script of faults */
  addFaults(
    parameters: AddFaultsParameters,
    options?: CallOptions,
  ): Promise<{
    readonly script: {
      readonly id: string;
      readonly apiKey: string | null;
      readonly account: string | null;
      readonly seed: number;
      readonly faults: readonly {
        readonly kind:
          | 'answer_lost_after_commit'
          | 'answer_lost_before_commit'
          | 'delay'
          | 'status'
          | 'stream_gap'
          | 'stream_duplicate'
          | 'stream_reorder'
          | 'stream_disconnect'
          | 'stale_read'
          | 'slow_fill'
          | 'reject_all'
          | 'market_halt'
          | 'clock_skew'
          | 'maintenance';
        readonly probability: N;
        readonly count: number | null;
        readonly schedule: {
          readonly from: string;
          readonly until: string | null;
          readonly everyMs: number | null;
          readonly forMs: number | null;
        };
        readonly endpoints: readonly string[] | null;
        readonly ms: number | null;
        readonly jitter: number | null;
        readonly before: boolean;
        readonly status: number | null;
        readonly symbol: string | null;
        readonly injected: number;
      }[];
    };
  }> {
    return this.call({ method: 'POST', path: '/api/sandbox/faults' }, parameters, options);
  }

  /** `GET /api/sandbox/faults`: The scripts of faults, and the faults that have happened */
  listFaults(
    parameters: ListFaultsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly scripts: readonly {
      readonly id: string;
      readonly apiKey: string | null;
      readonly account: string | null;
      readonly seed: number;
      readonly faults: readonly {
        readonly kind:
          | 'answer_lost_after_commit'
          | 'answer_lost_before_commit'
          | 'delay'
          | 'status'
          | 'stream_gap'
          | 'stream_duplicate'
          | 'stream_reorder'
          | 'stream_disconnect'
          | 'stale_read'
          | 'slow_fill'
          | 'reject_all'
          | 'market_halt'
          | 'clock_skew'
          | 'maintenance';
        readonly probability: N;
        readonly count: number | null;
        readonly schedule: {
          readonly from: string;
          readonly until: string | null;
          readonly everyMs: number | null;
          readonly forMs: number | null;
        };
        readonly endpoints: readonly string[] | null;
        readonly ms: number | null;
        readonly jitter: number | null;
        readonly before: boolean;
        readonly status: number | null;
        readonly symbol: string | null;
        readonly injected: number;
      }[];
    }[];
    readonly injected: readonly {
      readonly number: number;
      readonly scriptId: string;
      readonly fault: number;
      readonly kind:
        | 'answer_lost_after_commit'
        | 'answer_lost_before_commit'
        | 'delay'
        | 'status'
        | 'stream_gap'
        | 'stream_duplicate'
        | 'stream_reorder'
        | 'stream_disconnect'
        | 'stale_read'
        | 'slow_fill'
        | 'reject_all'
        | 'market_halt'
        | 'clock_skew'
        | 'maintenance';
      readonly requestId: string | null;
      readonly position: number;
      readonly timestamp: string;
      readonly apiKey: string | null;
      readonly account: string | null;
      readonly endpoint: string;
    }[];
    readonly happened: number;
    readonly dropped: number;
  }> {
    return this.call({ method: 'GET', path: '/api/sandbox/faults' }, parameters, options);
  }

  /** `DELETE /api/sandbox/faults`: Remove a script of faults, or all */
  removeFaults(
    parameters: RemoveFaultsParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly removed: number;
  }> {
    return this.call({ method: 'DELETE', path: '/api/sandbox/faults' }, parameters, options);
  }

  /** `GET /api/sandbox/recordings`: Recorded markets */
  getRecordings(options?: CallOptions): Promise<{
    readonly recordings: readonly {
      readonly symbol: string;
      readonly format: 'trades' | 'l2' | 'l3' | 'bitstamp' | 'aggTrades' | 'klines';
      readonly rows: number;
      readonly startsAt: string;
      readonly endsAt: string;
      readonly played: number;
      readonly skipped: number;
      readonly rejected: number;
      readonly ended: boolean;
    }[];
  }> {
    return this.call({ method: 'GET', path: '/api/sandbox/recordings' }, {}, options);
  }
}
