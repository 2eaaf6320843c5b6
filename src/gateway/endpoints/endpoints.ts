import { MINUTE_MS } from '../../config/durations.ts';
import * as accounts from './admin/accounts.ts';
import { confirmClock, getClock } from './admin/clock.ts';
import * as fees from './admin/fees.ts';
import { changeMarket } from './admin/market-changes.ts';
import * as markets from './admin/markets.ts';
import { cancelOrdersOf, listOpenOrdersOf } from './admin/orders.ts';
import * as state from './admin/state.ts';
import { createTransfer } from './admin/transfers.ts';
import { upgrade } from './admin/upgrade.ts';
import { getUserAudit, inviteUser, listUsers, removeUser } from './admin/users.ts';
import { getCurrentKey } from './current-key.ts';
import type { Endpoint, Operation, Version } from './endpoint.ts';
import { useFaucet } from './faucet.ts';
import { getFees } from './fees.ts';
import { getFills } from './fills.ts';
import { getLedger } from './ledger.ts';
import { getCandles } from './market-data/candles.ts';
import { getLevel3 } from './market-data/level3.ts';
import { getAssets, getMarkets, getPrices } from './market-data/market-data.ts';
import { getOrderbook } from './market-data/orderbook.ts';
import { getTrades } from './market-data/trades.ts';
import { amendOrder } from './orders/amend-order.ts';
import { placeOrders } from './orders/batch.ts';
import { cancelAfter } from './orders/cancel-after.ts';
import { cancelOrders } from './orders/cancel-orders.ts';
import { placeOco } from './orders/oco.ts';
import { cancelOrder, getOrder, listOrders, placeOrder } from './orders/orders.ts';
import { testOco, testOrder } from './orders/test-order.ts';
import { getBalances } from './portfolio.ts';
import { getPortfolioHistory } from './portfolio-history.ts';
import { getStatus, getTime } from './service.ts';
import * as keys from './user/keys.ts';
import * as passkeys from './user/passkeys.ts';
import * as profile from './user/profile.ts';
import * as secondFactor from './user/second-factor.ts';
import * as sessions from './user/sessions.ts';
import { signIn, signOut } from './user/sign-in.ts';
import * as signUp from './user/sign-up.ts';

/** Version of responses that change only with commands. */
const byPosition: Version = ({ services }) => services.replica.position;
/** Version of responses with 24 h figures or candles, which also change every minute. */
const byMinute: Version = ({ services }) =>
  `${services.replica.position} ${Math.floor(services.now() / MINUTE_MS)}`;
/** Version of responses that contain the current time. */
const byTime: Version = ({ services }) => `${services.replica.position} ${services.now()}`;
/** Version of responses that change only with the account's orders, fills and balances. */
const byAccount: Version = ({ services, account }) => services.changes.get(account.index);

/** Version of the list of orders: the triggers of trailing stops also change with the trades of others. */
const byOrders: Version = ({ services, account, exchange }) => {
  const changes = services.changes.get(account.index);
  const { byAccount: trailing, moves } = exchange.state.trailingSlots;
  return trailing.has(account.index) ? `${changes} ${moves}` : changes;
};

/** Version of portfolio values at the ends of intervals; each minute is a new interval. */
const byAccountAndMinute: Version = ({ services, account, exchange }) => {
  const now = Math.max(services.now(), exchange.state.time);
  return `${services.changes.get(account.index)} ${Math.floor(now / MINUTE_MS)}`;
};

/** Requests per minute; also the limit of unknown paths and of methods that a path does not have. */
export const PUBLIC_LIMIT = 100;
const READ_LIMIT = 60;
const TRADE_LIMIT = 30;
const OPERATE_LIMIT = 600;
const SIGN_IN_LIMIT = 10;
export const SESSION_LIMIT = 60;

function open(path: string, handle: Endpoint['handle'], version?: Version): Endpoint {
  const endpoint = { method: 'GET', path, access: 'public', limit: PUBLIC_LIMIT, handle } as const;
  return version === undefined ? endpoint : { ...endpoint, version };
}

/** Describes public market data, which a node that does not reach the log rejects with STALE. */
function market(path: string, handle: Endpoint['handle'], version?: Version): Endpoint {
  return { ...open(path, handle, version), showsMarkets: true };
}

function read(path: string, handle: Endpoint['handle'], version?: Version): Endpoint {
  const endpoint = { method: 'GET', path, access: 'read', limit: READ_LIMIT, handle } as const;
  return version === undefined ? endpoint : { ...endpoint, version };
}

function trade(method: Endpoint['method'], path: string, handle: Endpoint['handle']): Endpoint {
  return { method, path, access: 'trade', limit: TRADE_LIMIT, handle };
}

/** Describes an endpoint that places orders. */
function placing(path: string, handle: Endpoint['handle']): Endpoint {
  return { ...order('POST', path, handle), access: 'place' };
}

/** Describes an endpoint that places or changes orders. */
function order(method: Endpoint['method'], path: string, handle: Endpoint['handle']): Endpoint {
  return { ...trade(method, path, handle), takesOrders: true };
}

/** Gives an endpoint a name under which sockets call it. @param query Parameters that the operation sets itself. */
function operation(name: string, endpoint: Endpoint, query?: Operation['query']): Endpoint {
  return { ...endpoint, operation: query === undefined ? { name } : { name, query } };
}

/** Describes an endpoint that previews orders: it accepts what placing them does, but reads only. */
function testing(path: string, handle: Endpoint['handle']): Endpoint {
  return { method: 'POST', path, access: 'place', limit: READ_LIMIT, handle };
}

function operate(method: Endpoint['method'], path: string, handle: Endpoint['handle']): Endpoint {
  return { method, path: `/api/admin${path}`, access: 'operate', limit: OPERATE_LIMIT, handle };
}

/** Describes an endpoint for users who are not signed in. Its requests are counted by address. */
function unauthenticated(path: string, handle: Endpoint['handle']): Endpoint {
  const terms = { access: 'public', limit: SIGN_IN_LIMIT, isUserEndpoint: true } as const;
  return { method: 'POST', path: `/api/account${path}`, ...terms, handle };
}

function session(method: Endpoint['method'], path: string, handle: Endpoint['handle']): Endpoint {
  const terms = { access: 'session', limit: SESSION_LIMIT, isUserEndpoint: true } as const;
  return { method, path: `/api/account${path}`, ...terms, handle };
}

/** Every endpoint. Its index in this list is its number in the rate limits. */
export const ENDPOINTS: readonly Endpoint[] = [
  market('/api/markets', getMarkets, byMinute),
  market('/api/prices', getPrices, byTime),
  market('/api/assets', getAssets),
  market('/api/orderbook', getOrderbook, byTime),
  market('/api/level3', getLevel3, byTime),
  market('/api/trades', getTrades, byPosition),
  market('/api/candles', getCandles, byMinute),
  open('/api/time', getTime),
  open('/api/status', getStatus),
  operation('balances', read('/api/portfolio/balances', getBalances)),
  read('/api/portfolio/history', getPortfolioHistory, byAccountAndMinute),
  read('/api/fees', getFees),
  operation('order.place', placing('/api/orders', placeOrder)),
  operation('orders.open', read('/api/orders', listOrders, byOrders), { status: 'open' }),
  operation('order.get', read('/api/orders/:id', getOrder)),
  read('/api/fills', getFills, byAccount),
  read('/api/ledger', getLedger, byAccount),
  operation('order.batch', { ...placing('/api/orders/batch', placeOrders), countsOrders: true }),
  operation('order.oco', placing('/api/orders/oco', placeOco)),
  operation('order.test', testing('/api/orders/test', testOrder)),
  operation('order.testOco', testing('/api/orders/oco/test', testOco)),
  operation('order.cancelAfter', trade('POST', '/api/orders/cancel-after', cancelAfter)),
  operation('order.cancel', trade('DELETE', '/api/orders/:id', cancelOrder)),
  operation('order.amend', order('PATCH', '/api/orders/:id', amendOrder)),
  operation('order.cancelAll', trade('DELETE', '/api/orders', cancelOrders)),
  { ...trade('POST', '/api/account/faucet', useFaucet), isSandboxOnly: true },
  { ...read('/api/account/keys/current', getCurrentKey), access: 'key' },

  unauthenticated('/sign-up', signUp.signUp),
  unauthenticated('/verify-email', signUp.verifyEmail),
  unauthenticated('/verify-email/link', signUp.previewSignUp),
  unauthenticated('/sign-in', signIn),
  unauthenticated('/sign-in/passkey/options', passkeys.passkeySignInOptions),
  unauthenticated('/sign-in/passkey', passkeys.signInByPasskey),
  unauthenticated('/password-reset', signUp.requestPasswordReset),
  unauthenticated('/password-reset/confirm', signUp.confirmPasswordReset),
  session('POST', '/sign-out', signOut),
  session('GET', '', profile.getProfile),
  session('PATCH', '', profile.changeProfile),
  session('POST', '/password', profile.changePassword),
  session('GET', '/sessions', sessions.listSessions),
  session('DELETE', '/sessions', sessions.endSessions),
  session('DELETE', '/sessions/:id', sessions.endSession),
  session('POST', '/second-factor', secondFactor.offerSecondFactor),
  session('POST', '/second-factor/confirm', secondFactor.confirmSecondFactor),
  session('POST', '/second-factor/recovery-codes', secondFactor.renewRecoveryCodes),
  session('POST', '/second-factor/remove', secondFactor.removeSecondFactor),
  session('GET', '/passkeys', passkeys.listPasskeys),
  session('POST', '/passkeys/options', passkeys.passkeyOptions),
  session('POST', '/passkeys', passkeys.addPasskey),
  session('DELETE', '/passkeys/:id', passkeys.removePasskey),
  session('GET', '/keys', keys.listOwnKeys),
  session('POST', '/keys', keys.createOwnKey),
  session('DELETE', '/keys/:id', keys.revokeOwnKey),

  operate('GET', '/accounts', accounts.listAccounts),
  operate('POST', '/accounts', accounts.createAccount),
  operate('GET', '/accounts/:id', accounts.getAccount),
  operate('PATCH', '/accounts/:id', accounts.changeAccount),
  operate('GET', '/accounts/:id/balances', accounts.getAccountBalances),
  operate('GET', '/accounts/:id/orders', listOpenOrdersOf),
  operate('DELETE', '/accounts/:id/orders', cancelOrdersOf),
  operate('GET', '/accounts/:id/keys', accounts.listKeys),
  operate('POST', '/accounts/:id/keys', accounts.createKey),
  operate('DELETE', '/accounts/:id/keys/:apiKey', accounts.revokeKey),
  { ...operate('POST', '/accounts/:id/users', inviteUser), isUserEndpoint: true },
  operate('GET', '/accounts/:id/users', listUsers),
  { ...operate('POST', '/accounts/:id/users/:email/remove', removeUser), isUserEndpoint: true },
  operate('GET', '/fee-tiers', fees.getFeeTiers),
  operate('POST', '/fee-tiers', fees.setFeeTiers),
  operate('POST', '/transfers', createTransfer),
  operate('GET', '/assets', markets.listAssets),
  operate('POST', '/assets', markets.createAsset),
  operate('GET', '/markets', markets.getAdminMarkets),
  operate('POST', '/markets', markets.listMarket),
  operate('PATCH', '/markets', changeMarket),
  operate('GET', '/state', state.getState),
  operate('GET', '/clock', getClock),
  operate('POST', '/clock/confirm', confirmClock),
  operate('POST', '/upgrade', upgrade),
  operate('GET', '/audit', state.getAudit),
  operate('GET', '/audit/users', getUserAudit),
];
