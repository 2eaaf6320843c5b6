import { MINUTE_MS } from '../../config/durations.ts';
import { depositTimesRevision } from '../activity/deposit-times.ts';
import { ADMIN_ENDPOINTS } from './admin/endpoints.ts';
import { getCurrentKey } from './current-key.ts';
import { renameWithdrawalAddress } from './custody/address-labels.ts';
import * as addressBook from './custody/addresses.ts';
import * as custodian from './custody/custodian.ts';
import { listDeposits, listWithdrawals } from './custody/lists.ts';
import * as networks from './custody/networks.ts';
import * as withdrawals from './custody/withdrawals.ts';
import type { Endpoint, Operation, Version } from './endpoint.ts';
import { useFaucet } from './faucet.ts';
import { getFeeSchedule, getFees } from './fees.ts';
import { getFills } from './fills.ts';
import { getLedger } from './ledger.ts';
import { getCandles } from './market-data/candles.ts';
import { getLevel3 } from './market-data/level3.ts';
import { getAssets, getMarkets, getPrices } from './market-data/market-data.ts';
import { getOrderbook } from './market-data/orderbook.ts';
import { getTrades } from './market-data/trades.ts';
import * as notices from './notifications/notices.ts';
import * as priceAlerts from './notifications/price-alerts.ts';
import * as webhooks from './notifications/webhooks.ts';
import { amendOrder } from './orders/amend-order.ts';
import { placeOrders } from './orders/batch.ts';
import { cancelAfter } from './orders/cancel-after.ts';
import { cancelOrders } from './orders/cancel-orders.ts';
import { listOrders } from './orders/list-orders.ts';
import { placeOco } from './orders/oco.ts';
import { cancelOrder, getOrder, placeOrder } from './orders/orders.ts';
import { testOco, testOrder } from './orders/test-order.ts';
import { getOrderTimeline } from './orders/timeline.ts';
import { getBalances } from './portfolio.ts';
import { getPortfolioHistory } from './portfolio-history.ts';
import { getProfitAndLoss } from './profit-and-loss.ts';
import { getInclusion, getLogHead, listProofs } from './proofs.ts';
import { RATES } from './rates.ts';
import { getReferrals } from './referrals.ts';
import * as reports from './reports.ts';
import * as checkpoints from './sandbox/checkpoints.ts';
import { getSandboxClock, setSandboxClock } from './sandbox/clock.ts';
import { addFaults, listFaults, removeFaults } from './sandbox/faults.ts';
import { changeMakers, getMakers } from './sandbox/makers.ts';
import { getRecordings } from './sandbox/recordings.ts';
import { getStatus, getTime } from './service.ts';
import { getStatusHistory } from './status-history.ts';
import * as internalTransfers from './sub-accounts/internal-transfers.ts';
import * as subAccounts from './sub-accounts/sub-accounts.ts';
import { getLimits } from './trading-limits.ts';
import * as email from './user/email.ts';
import * as keys from './user/keys.ts';
import * as passkeys from './user/passkeys.ts';
import * as profile from './user/profile.ts';
import * as secondFactor from './user/second-factor.ts';
import * as sessions from './user/sessions.ts';
import { signIn, signOut } from './user/sign-in.ts';
import { listSignIns } from './user/sign-ins.ts';
import * as signUp from './user/sign-up.ts';

/** Version of responses that change only with commands. */
const byPosition: Version = ({ services }) => services.replica.position;
/** Version of responses with 24 h figures or candles, which also change every minute. */
const byMinute: Version = ({ services }) =>
  `${services.replica.position} ${Math.floor(services.now() / MINUTE_MS)}`;
/** Version of the list of networks: the times of deposits are refreshed in the background. */
const byDepositTimes: Version = (call) =>
  `${byMinute(call)} ${depositTimesRevision(call.services)}`;
/** Version of responses that contain the current time. */
const byTime: Version = ({ services }) => `${services.replica.position} ${services.now()}`;
/** Version of responses that change only with the account's orders, fills and balances. */
const byAccount: Version = ({ services, account }) => {
  const changes = services.changes.get(account.index);
  // Reports of fills that a fault of the sandbox delays.
  const late = services.faults?.listHidden(account.index).length ?? 0;
  return late === 0 ? changes : `${changes} late ${late}`;
};

/** Version of the list of orders: the triggers of trailing stops also change with the trades of others. */
const byOrders: Version = (call) => {
  const { account, exchange } = call;
  const changes = byAccount(call);
  const { byAccount: trailing, moves } = exchange.state.trailingSlots;
  return trailing.has(account.index) ? `${changes} ${moves}` : changes;
};

/** Version of portfolio values at the ends of intervals; each minute is a new interval. */
const byAccountAndMinute: Version = ({ services, account, exchange }) => {
  const now = Math.max(services.now(), exchange.state.time);
  return `${services.changes.get(account.index)} ${Math.floor(now / MINUTE_MS)}`;
};

function open(path: string, handle: Endpoint['handle'], version?: Version): Endpoint {
  const endpoint = { method: 'GET', path, access: 'public', limit: RATES.public, handle } as const;
  return version === undefined ? endpoint : { ...endpoint, version };
}

/** Describes public market data, which a node that does not reach the log rejects with STALE. */
function market(path: string, handle: Endpoint['handle'], version?: Version): Endpoint {
  return { ...open(path, handle, version), showsMarkets: true };
}

function read(path: string, handle: Endpoint['handle'], version?: Version): Endpoint {
  const endpoint = { method: 'GET', path, access: 'read', limit: RATES.read, handle } as const;
  return version === undefined ? endpoint : { ...endpoint, version };
}

function trade(method: Endpoint['method'], path: string, handle: Endpoint['handle']): Endpoint {
  return { method, path, access: 'trade', limit: RATES.trade, handle };
}

/** Describes an endpoint about withdrawals, which sessions confirm by a password or code, except names of addresses. */
function withdraw(method: Endpoint['method'], path: string, handle: Endpoint['handle']): Endpoint {
  return { method, path, access: 'withdraw', limit: RATES.trade, isUserEndpoint: true, handle };
}

/** Describes an endpoint about sub-accounts and transfers between accounts. */
function transfer(method: Endpoint['method'], path: string, handle: Endpoint['handle']): Endpoint {
  return { method, path, access: 'transfer', limit: RATES.trade, handle };
}

/** Describes an endpoint for reports of the custodian. */
function report(path: string, handle: Endpoint['handle']): Endpoint {
  const terms = { access: 'custodian', limit: RATES.custodian } as const;
  return { method: 'POST', path: `/api/custody${path}`, ...terms, handle };
}

/** Describes an endpoint that places orders. */
function placing(path: string, handle: Endpoint['handle']): Endpoint {
  return { ...order('POST', path, handle), access: 'place' };
}

/** Describes an endpoint that places or changes orders. */
function order(method: Endpoint['method'], path: string, handle: Endpoint['handle']): Endpoint {
  return { ...cancel(method, path, handle), takesOrders: true };
}

/** Describes an endpoint that cancels orders. */
function cancel(method: Endpoint['method'], path: string, handle: Endpoint['handle']): Endpoint {
  return { ...trade(method, path, handle), sessionLimit: RATES.sessionOrders };
}

/** Marks an endpoint whose data the sandbox shows as of a past moment, too. */
function withPast(endpoint: Endpoint): Endpoint {
  return { ...endpoint, showsPast: true };
}

/** Gives an endpoint a name under which sockets call it. @param query Parameters that the operation sets itself. */
function operation(name: string, endpoint: Endpoint, query?: Operation['query']): Endpoint {
  return { ...endpoint, operation: query === undefined ? { name } : { name, query } };
}

/** Describes an endpoint that previews orders: it accepts what placing them does, but reads only. */
function testing(path: string, handle: Endpoint['handle']): Endpoint {
  return { method: 'POST', path, access: 'place', limit: RATES.read, handle };
}

/** Describes an endpoint that controls the sandbox. */
function sandbox(method: Endpoint['method'], path: string, handle: Endpoint['handle']): Endpoint {
  const terms = { access: 'operate', limit: RATES.sandbox, isSandboxOnly: true } as const;
  return { method, path: `/api/sandbox${path}`, ...terms, handle };
}

/** Describes an endpoint for users who are not signed in. Its requests are counted by address. */
function unauthenticated(path: string, handle: Endpoint['handle']): Endpoint {
  const terms = { access: 'public', limit: RATES.signIn, isUserEndpoint: true } as const;
  return { method: 'POST', path: `/api/account${path}`, ...terms, handle };
}

function session(method: Endpoint['method'], path: string, handle: Endpoint['handle']): Endpoint {
  const terms = { access: 'session', limit: RATES.session, isUserEndpoint: true } as const;
  return { method, path: `/api/account${path}`, ...terms, handle };
}

/** Every endpoint. Its index in this list is its number in the rate limits. */
export const ENDPOINTS: readonly Endpoint[] = [
  market('/api/markets', getMarkets, byMinute),
  market('/api/prices', getPrices, byTime),
  market('/api/assets', getAssets),
  market('/api/networks', networks.getNetworks, byDepositTimes),
  market('/api/fees/schedule', getFeeSchedule, byPosition),
  withPast(market('/api/orderbook', getOrderbook, byTime)),
  withPast(market('/api/level3', getLevel3, byTime)),
  market('/api/trades', getTrades, byPosition),
  market('/api/candles', getCandles, byMinute),
  market('/api/status/history', getStatusHistory),
  open('/api/time', getTime),
  open('/api/status', getStatus),
  open('/api/log/head', getLogHead, byPosition),
  open('/api/proofs', listProofs),
  withPast(operation('balances', read('/api/portfolio/balances', getBalances))),
  withPast(read('/api/portfolio/history', getPortfolioHistory, byAccountAndMinute)),
  read('/api/portfolio/profit-and-loss', getProfitAndLoss),
  read('/api/fees', getFees),
  read('/api/limits', getLimits),
  read('/api/proofs/:id/inclusion', getInclusion),
  operation('order.place', placing('/api/orders', placeOrder)),
  withPast(operation('orders.open', read('/api/orders', listOrders, byOrders), { status: 'open' })),
  withPast(operation('order.get', read('/api/orders/:id', getOrder))),
  {
    ...read('/api/orders/:id/timeline', getOrderTimeline),
    ...{ isSandboxOnly: true, replaysLog: true },
  },
  read('/api/fills', getFills, byAccount),
  read('/api/ledger', getLedger, byAccount),
  read('/api/referrals', getReferrals),
  { ...read('/api/reports', reports.createReport), method: 'POST' },
  read('/api/reports', reports.listReports),
  read('/api/reports/:id', reports.getReport),
  read('/api/reports/:id/file', reports.getReportFile),
  { ...read('/api/reports/:id', reports.deleteReport), method: 'DELETE' },
  read('/api/deposits', listDeposits),
  read('/api/withdrawals', listWithdrawals),
  read('/api/deposit-addresses', addressBook.listDepositAddresses),
  trade('POST', '/api/deposit-addresses', addressBook.requestDepositAddress),
  read('/api/withdrawal-addresses', addressBook.listWithdrawalAddresses),
  withdraw('POST', '/api/withdrawal-addresses', addressBook.addWithdrawalAddress),
  withdraw('PATCH', '/api/withdrawal-addresses/:id', renameWithdrawalAddress),
  withdraw('DELETE', '/api/withdrawal-addresses/:id', addressBook.removeWithdrawalAddress),
  withdraw('POST', '/api/withdrawals', withdrawals.requestWithdrawal),
  withdraw('DELETE', '/api/withdrawals/:id', withdrawals.cancelWithdrawal),
  read('/api/accounts', subAccounts.listGroup),
  transfer('POST', '/api/accounts', subAccounts.createSubAccount),
  transfer('PATCH', '/api/accounts/:id', subAccounts.changeSubAccount),
  read('/api/transfers', internalTransfers.listInternalTransfers),
  {
    ...transfer('POST', '/api/transfers', internalTransfers.transferInternally),
    isUserEndpoint: true,
  },
  report('/deposits', custodian.reportDeposit),
  report('/addresses', custodian.assignAddress),
  report('/withdrawals', custodian.reportWithdrawal),
  report('/holdings', custodian.reportHoldings),
  operation('order.batch', { ...placing('/api/orders/batch', placeOrders), countsOrders: true }),
  operation('order.oco', placing('/api/orders/oco', placeOco)),
  operation('order.test', testing('/api/orders/test', testOrder)),
  operation('order.testOco', testing('/api/orders/oco/test', testOco)),
  operation('order.cancelAfter', cancel('POST', '/api/orders/cancel-after', cancelAfter)),
  operation('order.cancel', cancel('DELETE', '/api/orders/:id', cancelOrder)),
  operation('order.amend', order('PATCH', '/api/orders/:id', amendOrder)),
  operation('order.cancelAll', cancel('DELETE', '/api/orders', cancelOrders)),
  { ...trade('POST', '/api/account/faucet', useFaucet), isSandboxOnly: true },
  { ...read('/api/account/keys/current', getCurrentKey), access: 'key' },
  read('/api/webhooks', webhooks.listWebhooks),
  trade('POST', '/api/webhooks', webhooks.createWebhook),
  trade('PATCH', '/api/webhooks/:id', webhooks.changeWebhook),
  trade('DELETE', '/api/webhooks/:id', webhooks.deleteWebhook),
  trade('POST', '/api/webhooks/:id/secret', webhooks.getWebhookSecret),
  { ...trade('POST', '/api/webhooks/:id/test', webhooks.testWebhook), isLong: true },
  read('/api/webhooks/:id/deliveries', webhooks.listDeliveries),
  read('/api/alerts', priceAlerts.listPriceAlerts),
  trade('POST', '/api/alerts', priceAlerts.createPriceAlert),
  trade('DELETE', '/api/alerts/:id', priceAlerts.deletePriceAlert),
  read('/api/notices', notices.listNotices),
  { ...read('/api/notices/read', notices.markNoticesRead), method: 'POST' },

  unauthenticated('/sign-up', signUp.signUp),
  unauthenticated('/verify-email', signUp.verifyEmail),
  unauthenticated('/verify-email/link', signUp.previewSignUp),
  unauthenticated('/sign-in', signIn),
  unauthenticated('/sign-in/passkey/options', passkeys.passkeySignInOptions),
  unauthenticated('/sign-in/passkey', passkeys.signInByPasskey),
  unauthenticated('/password-reset', signUp.requestPasswordReset),
  unauthenticated('/password-reset/confirm', signUp.confirmPasswordReset),
  unauthenticated('/email/confirm', email.confirmEmailChange),
  session('POST', '/sign-out', signOut),
  session('GET', '', profile.getProfile),
  session('PATCH', '', profile.changeProfile),
  session('POST', '/password', profile.changePassword),
  session('POST', '/email', email.changeEmail),
  session('POST', '/email/cancel', email.cancelEmailChange),
  session('POST', '/anti-phishing-code', profile.changeAntiPhishingCode),
  session('GET', '/notifications', notices.getNotificationSettings),
  session('PATCH', '/notifications', notices.changeNotificationSettings),
  session('GET', '/sessions', sessions.listSessions),
  session('DELETE', '/sessions', sessions.endSessions),
  session('DELETE', '/sessions/:id', sessions.endSession),
  session('GET', '/sign-ins', listSignIns),
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
  session('PATCH', '/keys/:id', keys.changeOwnKey),
  session('DELETE', '/keys/:id', keys.revokeOwnKey),

  ...ADMIN_ENDPOINTS,

  sandbox('GET', '/clock', getSandboxClock),
  { ...sandbox('POST', '/clock', setSandboxClock), isLong: true },
  sandbox('GET', '/makers', getMakers),
  sandbox('POST', '/makers', changeMakers),
  sandbox('GET', '/checkpoints', checkpoints.listCheckpoints),
  { ...sandbox('POST', '/checkpoints', checkpoints.createCheckpoint), isLong: true },
  sandbox('DELETE', '/checkpoints/:name', checkpoints.deleteCheckpoint),
  { ...sandbox('POST', '/restore', checkpoints.restoreCheckpoint), isLong: true },
  sandbox('POST', '/faults', addFaults),
  sandbox('GET', '/faults', listFaults),
  sandbox('DELETE', '/faults', removeFaults),
  sandbox('GET', '/recordings', getRecordings),
];
