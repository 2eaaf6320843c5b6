import type { Fill, LedgerEntry, OperatorOrder, UserEntry } from '../../src/client/index.ts';
import { msg, t } from '../i18n/t.ts';

/** The words of the API in records, as operators read them. */

export const ENTRY_TYPES: Readonly<Record<LedgerEntry['type'], string>> = {
  trade: msg('Trade'),
  fee: msg('Fee'),
  hold: msg('Hold'),
  release: msg('Release'),
  transfer: msg('Adjustment'),
  deposit: msg('Deposit'),
  withdrawal: msg('Withdrawal'),
  withdrawal_fee: msg('Withdrawal fee'),
  custody_hold: msg('Withdrawal hold'),
  custody_release: msg('Withdrawal release'),
  internal_transfer: msg('Internal transfer'),
  trade_bust: msg('Trade bust'),
  trade_bust_fee: msg('Fee of a trade bust'),
  rebate: msg('Rebate'),
  referral: msg('Referral share'),
};

export const SIDES: Readonly<Record<OperatorOrder['side'], string>> = {
  buy: msg('Buy'),
  sell: msg('Sell'),
};

export const ROLES: Readonly<Record<Fill['liquidity'], string>> = {
  maker: msg('Maker'),
  taker: msg('Taker'),
};

/** Why an order ended or changed, as a part of a line. */
export const ORDER_REASONS: Readonly<Record<NonNullable<OperatorOrder['reason']>, string>> = {
  requested: msg('requested'),
  time_in_force: msg('time in force'),
  expired: msg('expired'),
  self_trade: msg('self-trade prevention'),
  amended: msg('amended'),
  cancel_after: msg('no heartbeat'),
  operator: msg('by an operator'),
  delisted: msg('market delisted'),
  collar: msg('market-order price band'),
  no_liquidity: msg('no liquidity'),
  market_unavailable: msg('market not open'),
  post_only_would_take: msg('post-only would take'),
  linked: msg('OCO order ended'),
  insufficient_balance: msg('insufficient balance'),
  too_small: msg('below minimum notional'),
  disconnected: msg('disconnected'),
  volatility_halt: msg('volatility halt'),
};

const ORDER_TYPES: Readonly<Record<OperatorOrder['type'], string>> = {
  limit: msg('limit'),
  market: msg('market'),
  stop: msg('stop'),
  stop_limit: msg('stop limit'),
  take_profit: msg('take profit'),
  take_profit_limit: msg('take profit limit'),
  trailing_stop: msg('trailing stop'),
};

/** Returns side and type of an order: `Buy stop limit`. */
export function sideAndType({ side, type }: Pick<OperatorOrder, 'side' | 'type'>): string {
  return `${t(SIDES[side])} ${t(ORDER_TYPES[type])}`;
}

export const USER_ACTIONS: Readonly<Record<UserEntry['action'], string>> = {
  signed_up: msg('Signed up'),
  invited: msg('Invited'),
  permissions_changed: msg('Permissions changed'),
  removed: msg('Removed'),
  signed_in: msg('Signed in'),
  sign_in_failed: msg('Sign-in failed'),
  signed_out: msg('Signed out'),
  sessions_ended: msg('Sessions ended'),
  password_changed: msg('Password changed'),
  password_reset: msg('Password reset'),
  email_change_requested: msg('Email change requested'),
  email_change_canceled: msg('Email change canceled'),
  email_changed: msg('Email changed'),
  second_factor_on: msg('2FA turned on'),
  second_factor_off: msg('2FA turned off'),
  recovery_codes_renewed: msg('Recovery codes renewed'),
  anti_phishing_code_set: msg('Anti-phishing code set'),
  anti_phishing_code_removed: msg('Anti-phishing code removed'),
  passkey_added: msg('Passkey added'),
  passkey_removed: msg('Passkey removed'),
  key_made: msg('API key created'),
  key_changed: msg('API key changed'),
  key_revoked: msg('API key revoked'),
  address_named: msg('Withdrawal address named'),
};
