import { msg } from '../i18n/t.ts';
import { NETWORK_LABELS, RULE_LABELS } from './rule-labels.ts';

/** The readable names of fields of commands; others are spelled out. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  ...RULE_LABELS,
  ...NETWORK_LABELS,
  deposits: msg('Deposits'),
  withdrawals: msg('Withdrawals'),
  memo: msg('Memo'),
  apiKey: msg('API key'),
  label: msg('Label'),
  addresses: msg('IP allowlist'),
  amount: msg('Amount'),
  reason: msg('Reason'),
  reference: msg('Reference'),
  frozen: msg('Frozen'),
  status: msg('Status'),
  cancelOrders: msg('Cancel orders'),
  permissions: msg('Permissions'),
  expiresAt: msg('Expires'),
  requestedAt: msg('Requested'),
  limitClass: msg('Rate-limit multiplier'),
  tier: msg('Fee tier'),
  tiers: msg('Fee tiers'),
  minBalance: msg('Minimum balance'),
  rate: msg('Fee discount'),
  share: msg('Referral share'),
  referrer: msg('Referrer'),
  limits: msg('Limits'),
  actions: msg('Actions'),
  orderRate: msg('Orders per 10 seconds'),
  ordersPerTrade: msg('Orders per trade, hourly'),
  freeOrders: msg('Orders per hour without a trade'),
  openNotional: msg('Open notional'),
  from: msg('From'),
  to: msg('To'),
  until: msg('Until'),
  id: msg('ID'),
  command: msg('Request'),
  alert: msg('Alert'),
  isClosed: msg('Closed'),
  assignee: msg('Assignee'),
  publicKey: msg('Public key'),
  clientId: msg('Client ID'),
  tradeId: msg('Trade'),
  keyNumber: msg('Custodian key'),
  address: msg('Address'),
  addressId: msg('Address ID'),
  isNewDevice: msg('New device'),
  transaction: msg('Transaction'),
  reached: msg('Status'),
  report: msg('Report number'),
  withdrawal: msg('Withdrawal'),
  deposit: msg('Deposit'),
  resolution: msg('Decision'),
};

/** Fields that are fractions, shown as percentages. */
export const RATES: ReadonlySet<string> = new Set([
  ...['makerFee', 'takerFee', 'collar', 'staticBand', 'dynamicBand', 'rate', 'share'],
]);

/** The code of a withdrawal that failed. */
export const FAILED = '6';

/** The states of withdrawals that the custodian reports, by their codes in the log. */
export const REPORTED_STATES: Readonly<Record<string, string>> = {
  4: msg('Sent, waiting for confirmation'),
  5: msg('Completed'),
  [FAILED]: msg('Failed'),
};

/** The actions of an approval policy in words. */
export const POLICY_ACTIONS: Readonly<Record<string, string>> = {
  adjustments: msg('Credits and debits above the limits'),
  withdrawals: msg('Networks, the custodian, and deposits in review'),
  rules: msg('Market rules, fees and trading limits'),
  grants: msg('Permissions of operators'),
  delisting: msg('Delisting a market'),
  tradeBusts: msg('Busts of trades'),
  policy: msg('Changes of the policy'),
};
