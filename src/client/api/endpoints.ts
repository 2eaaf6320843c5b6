// Generated from the OpenAPI document by `npm run generate`. Do not edit.

import type { CallOptions, Route } from '../route.ts';
import type {
  AddPasskeyParameters,
  AmendOrderParameters,
  CancelAfterParameters,
  CancelOrderParameters,
  CancelOrdersParameters,
  ChangePasswordParameters,
  ChangeProfileParameters,
  ConfirmPasswordResetParameters,
  ConfirmSecondFactorParameters,
  CreateOwnKeyParameters,
  EndSessionParameters,
  GetCandlesParameters,
  GetFeesParameters,
  GetFillsParameters,
  GetLedgerParameters,
  GetLevel3Parameters,
  GetMarketsParameters,
  GetOrderbookParameters,
  GetOrderParameters,
  GetPortfolioHistoryParameters,
  GetPricesParameters,
  GetTradesParameters,
  ListOrdersParameters,
  ListOwnKeysParameters,
  LookAtLinkParameters,
  OfferSecondFactorParameters,
  PasskeyOptionsParameters,
  PasskeySignInOptionsParameters,
  PlaceOrderParameters,
  PlaceOrdersParameters,
  PlacePairParameters,
  RemovePasskeyParameters,
  RemoveSecondFactorParameters,
  RenewRecoveryCodesParameters,
  RequestPasswordResetParameters,
  RevokeOwnKeyParameters,
  SignInByPasskeyParameters,
  SignInParameters,
  SignOutParameters,
  SignUpParameters,
  TestOcoParameters,
  TestOrderParameters,
  UseFaucetParameters,
  VerifyEmailParameters,
} from './parameters.ts';
import type {
  Asset,
  Balance,
  Candle,
  Deadline,
  EndpointLimit,
  Fee,
  FeeTier,
  Fill,
  LedgerEntry,
  Market,
  Order,
  OrderHold,
  OwnKey,
  Passkey,
  PortfolioPoint,
  Price,
  Profile,
  Session,
  TestedFill,
  TestedOrder,
  Trade,
} from './records.ts';

/** A method for each endpoint of traders; prices and amounts in responses have the type N. */
export abstract class Endpoints<N> {
  protected abstract call<Data>(
    route: Route,
    parameters: object,
    options: CallOptions | undefined,
  ): Promise<Data>;

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

  /** `GET /api/time`: The server's clock */
  getTime(options?: CallOptions): Promise<{
    readonly timestamp: string;
  }> {
    return this.call({ method: 'GET', path: '/api/time' }, {}, options);
  }

  /** `GET /api/status`: Status and release of the exchange */
  getStatus(options?: CallOptions): Promise<{
    readonly status: 'ok' | 'overloaded' | 'stale';
    readonly version: string;
  }> {
    return this.call({ method: 'GET', path: '/api/status' }, {}, options);
  }

  /** `GET /api/portfolio/balances`: Balances of every asset that the account ever had */
  getBalances(options?: CallOptions): Promise<{
    readonly balances: readonly Balance<N>[];
  }> {
    return this.call({ method: 'GET', path: '/api/portfolio/balances' }, {}, options);
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

  /** `GET /api/fees`: The account's fee rates and fee tier */
  getFees(
    parameters: GetFeesParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly fees: readonly Fee<N>[];
    readonly tier: number;
    readonly tiers: readonly FeeTier<N>[];
    readonly volumeAsset: string | null;
    readonly volume: N | null;
    readonly volumeDays: number;
  }> {
    return this.call({ method: 'GET', path: '/api/fees' }, parameters, options);
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
              | 'ORDER_NOT_OPEN'
              | 'UNSUPPORTED_VERSION'
              | 'UNAUTHORIZED'
              | 'INSUFFICIENT_PERMISSIONS'
              | 'IP_NOT_ALLOWED'
              | 'ACCOUNT_FROZEN'
              | 'BROWSER_NOT_ALLOWED'
              | 'ORDER_NOT_FOUND'
              | 'NOT_FOUND'
              | 'METHOD_NOT_ALLOWED'
              | 'PAYLOAD_TOO_LARGE'
              | 'DUPLICATE_CLIENT_ORDER_ID'
              | 'DUPLICATE_REFERENCE'
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

  /** `DELETE /api/account/keys/{id}`: Revoke an API key */
  revokeOwnKey(
    parameters: RevokeOwnKeyParameters,
    options?: CallOptions,
  ): Promise<{
    readonly key: OwnKey;
  }> {
    return this.call({ method: 'DELETE', path: '/api/account/keys/{id}' }, parameters, options);
  }
}
