import { listAccountWithdrawalAddresses } from '../custody/addresses.ts';
import * as custodyLists from '../custody/lists.ts';
import * as networks from '../custody/networks.ts';
import { getCustodian } from '../custody/outbox.ts';
import * as reviews from '../custody/reviews.ts';
import type { Endpoint } from '../endpoint.ts';
import { RATES } from '../rates.ts';
import * as accountHistory from './account-history.ts';
import { listAccounts } from './account-list.ts';
import * as accounts from './accounts.ts';
import { getAlertActivity } from './alert-activity.ts';
import { getSurveillanceAlert, reviewAlert } from './alert-cases.ts';
import { announce, withdrawAnnouncement } from './announcements.ts';
import { getApprovalPolicy, setApprovalPolicy } from './approval-policy.ts';
import { approveRequest, listApprovals, rejectRequest } from './approvals.ts';
import { confirmClock, getClock } from './clock.ts';
import { getDashboard } from './dashboard.ts';
import * as feePrograms from './fee-programs.ts';
import * as fees from './fees.ts';
import { changeMarket } from './market-changes.ts';
import * as markets from './markets.ts';
import { addNote, listNotes, removeNote } from './notes.ts';
import { cancelOrdersOf } from './orders.ts';
import { makeProof } from './proofs.ts';
import * as adminReports from './reports.ts';
import { getRoles } from './roles.ts';
import { searchAll } from './search.ts';
import { endAccountSession, listAccountSessions } from './sessions.ts';
import * as state from './state.ts';
import { listSurveillanceAlerts } from './surveillance.ts';
import { getAccountTimeline } from './timeline.ts';
import * as tradeBusts from './trade-busts.ts';
import * as adminLimits from './trading-limits.ts';
import * as tradingStatus from './trading-status.ts';
import { createTransfer } from './transfers.ts';
import { upgrade } from './upgrade.ts';
import { getUserAudit, inviteUser, listUsers, removeUser } from './users.ts';

/** Describes an endpoint of administrators, or of operators with another permission. */
function operate(
  method: Endpoint['method'],
  path: string,
  handle: Endpoint['handle'],
  access: Endpoint['access'] = 'operate',
): Endpoint {
  return { method, path: `/api/admin${path}`, access, limit: RATES.operate, handle };
}

/** Describes an endpoint of all operators. Commands need a permission each, which is checked with them. */
function oversee(method: Endpoint['method'], path: string, handle: Endpoint['handle']): Endpoint {
  return operate(method, path, handle, 'operator');
}

/** The endpoints of operators. */
export const ADMIN_ENDPOINTS: readonly Endpoint[] = [
  oversee('GET', '/accounts', listAccounts),
  operate('POST', '/accounts', accounts.createAccount, 'support'),
  oversee('GET', '/accounts/:id', accounts.getAccount),
  oversee('PATCH', '/accounts/:id', accounts.changeAccount),
  oversee('GET', '/accounts/:id/balances', accounts.getAccountBalances),
  oversee('GET', '/accounts/:id/orders', accountHistory.listAccountOrders),
  oversee('GET', '/accounts/:id/orders/:orderId', accountHistory.getAccountOrder),
  {
    ...oversee(
      'GET',
      '/accounts/:id/orders/:orderId/timeline',
      accountHistory.getAccountOrderTimeline,
    ),
    ...{ isSandboxOnly: true, replaysLog: true },
  },
  oversee('GET', '/accounts/:id/fills', accountHistory.getAccountFills),
  oversee('GET', '/accounts/:id/ledger', accountHistory.getAccountLedger),
  oversee('GET', '/accounts/:id/withdrawal-addresses', listAccountWithdrawalAddresses),
  oversee('DELETE', '/accounts/:id/orders', cancelOrdersOf),
  oversee('GET', '/accounts/:id/keys', accounts.listKeys),
  operate('POST', '/accounts/:id/keys', accounts.createKey),
  operate('PATCH', '/accounts/:id/keys/:apiKey', accounts.changeKey),
  oversee('DELETE', '/accounts/:id/keys/:apiKey', accounts.revokeKey),
  { ...operate('POST', '/accounts/:id/users', inviteUser), isUserEndpoint: true },
  oversee('GET', '/accounts/:id/users', listUsers),
  { ...operate('POST', '/accounts/:id/users/:email/remove', removeUser), isUserEndpoint: true },
  oversee('GET', '/accounts/:id/sessions', listAccountSessions),
  operate('DELETE', '/accounts/:id/sessions/:sessionId', endAccountSession, 'support'),
  oversee('GET', '/fee-tiers', fees.getFeeTiers),
  operate('POST', '/fee-tiers', fees.setFeeTiers, 'markets'),
  oversee('GET', '/fee-programs', feePrograms.getFeePrograms),
  operate('POST', '/fee-discount', feePrograms.setFeeDiscount, 'markets'),
  operate('POST', '/referral-share', feePrograms.setReferralShare, 'markets'),
  oversee('GET', '/trading-limits', adminLimits.getTradingLimits),
  oversee('POST', '/trading-limits', adminLimits.setTradingLimits),
  oversee('POST', '/accounts/:id/trading-limits', adminLimits.setAccountTradingLimits),
  operate('POST', '/trading-status', tradingStatus.setTradingStatus, 'markets'),
  operate('POST', '/maintenance', tradingStatus.scheduleMaintenance, 'markets'),
  operate('POST', '/maintenance/cancel', tradingStatus.cancelMaintenance, 'markets'),
  oversee('POST', '/announcements', announce),
  oversee('DELETE', '/announcements/:id', withdrawAnnouncement),
  oversee('GET', '/trade-busts', tradeBusts.listTradeBusts),
  operate('POST', '/trade-busts', tradeBusts.bustTrade, 'markets'),
  operate('POST', '/transfers', createTransfer, 'treasury'),
  oversee('GET', '/custodian', getCustodian),
  operate('POST', '/networks', networks.setNetwork, 'treasury'),
  operate('POST', '/custodian-key', networks.setCustodianKey),
  oversee('GET', '/deposits', reviews.listDepositsInReview),
  oversee('GET', '/deposits/history', custodyLists.listAllDeposits),
  oversee('POST', '/deposits/:id/resolve', reviews.resolveDeposit),
  oversee('GET', '/withdrawals', reviews.listWithdrawalsToApprove),
  oversee('GET', '/withdrawals/history', custodyLists.listAllWithdrawals),
  oversee('POST', '/withdrawals/:id/approve', reviews.approveWithdrawal),
  oversee('POST', '/withdrawals/:id/reject', reviews.rejectWithdrawal),
  oversee('GET', '/assets', markets.listAssets),
  operate('POST', '/assets', markets.createAsset, 'markets'),
  oversee('GET', '/markets', markets.getAdminMarkets),
  operate('POST', '/markets', markets.listMarket, 'markets'),
  operate('PATCH', '/markets', changeMarket, 'markets'),
  oversee('GET', '/accounts/:id/timeline', getAccountTimeline),
  oversee('GET', '/accounts/:id/notes', listNotes),
  oversee('POST', '/accounts/:id/notes', addNote),
  oversee('DELETE', '/accounts/:id/notes/:noteId', removeNote),
  oversee('GET', '/roles', getRoles),
  oversee('GET', '/approvals', listApprovals),
  { ...oversee('POST', '/approvals/:id/approve', approveRequest), isUserEndpoint: true },
  oversee('POST', '/approvals/:id/reject', rejectRequest),
  oversee('GET', '/approval-policy', getApprovalPolicy),
  operate('POST', '/approval-policy', setApprovalPolicy),
  oversee('GET', '/search', searchAll),
  oversee('GET', '/dashboard', getDashboard),
  oversee('GET', '/state', state.getState),
  oversee('GET', '/clock', getClock),
  operate('POST', '/clock/confirm', confirmClock),
  operate('POST', '/upgrade', upgrade),
  { ...operate('POST', '/proofs', makeProof), isLong: true },
  oversee('GET', '/audit', state.getAudit),
  oversee('GET', '/alerts', listSurveillanceAlerts),
  oversee('GET', '/alerts/:id', getSurveillanceAlert),
  oversee('GET', '/alerts/:id/activity', getAlertActivity),
  oversee('PATCH', '/alerts/:id', reviewAlert),
  oversee('GET', '/audit/users', getUserAudit),
  oversee('POST', '/reports', adminReports.createAccountReport),
  oversee('GET', '/reports', adminReports.listAllReports),
  oversee('GET', '/reports/:id', adminReports.getAnyReport),
  oversee('GET', '/reports/:id/file', adminReports.getAnyReportFile),
  operate('DELETE', '/reports/:id', adminReports.deleteAnyReport),
];
