import type {
  AnnounceParameters,
  ChangeMarketParameters,
  CreateAccountReportParameters,
  CreateKeyParameters,
  CreateReportParameters,
  GetAccountTimelineParameters,
  ListAccountOrdersParameters,
  ResolveDepositParameters,
  SetSandboxClockParameters,
} from '../client/index.ts';

/** Values of enumerations; a missing or an unknown one does not compile. */
export const STATUSES: Record<NonNullable<ChangeMarketParameters['status']>, true> = {
  online: true,
  post_only: true,
  limit_only: true,
  cancel_only: true,
  halted: true,
  delisted: true,
  auction: true,
};
export const ORDER_STATUSES: Record<NonNullable<ListAccountOrdersParameters['status']>, true> = {
  open: true,
  closed: true,
  filled: true,
  canceled: true,
  cancelled: true,
  expired: true,
  rejected: true,
};
export const KEY_TYPES: Record<NonNullable<CreateKeyParameters['type']>, true> = {
  secret: true,
  ed25519: true,
  hmac: true,
};
export const SEVERITIES: Record<AnnounceParameters['severity'], true> = {
  info: true,
  warning: true,
};
export const RESOLUTIONS: Record<ResolveDepositParameters['resolution'], true> = {
  credit: true,
  dismiss: true,
  debit: true,
  release: true,
};
export const CLOCK_MODES: Record<NonNullable<SetSandboxClockParameters['mode']>, true> = {
  real: true,
  frozen: true,
  stepped: true,
  scaled: true,
};
export const TIMELINE_KINDS: Record<
  NonNullable<GetAccountTimelineParameters['timelineKind']>,
  true
> = {
  account: true,
  fees: true,
  limits: true,
  keys: true,
  roles: true,
  notes: true,
  transfers: true,
  deposits: true,
  withdrawals: true,
  other: true,
};
export const REPORT_KINDS: Record<CreateReportParameters['kind'], true> = {
  orders: true,
  fills: true,
  ledger: true,
  statement: true,
  deposits: true,
  withdrawals: true,
  tax_fifo: true,
  tax_average: true,
};
export const EXCHANGE_REPORT_KINDS: Record<
  Exclude<CreateAccountReportParameters['kind'], CreateReportParameters['kind']>,
  true
> = {
  volume: true,
  revenue: true,
  users: true,
  market_quality: true,
};
export const REPORT_FORMATS: Record<CreateReportParameters['format'], true> = {
  csv: true,
  json: true,
  html: true,
};
/** Intervals of candles of which days are made, by the names that Binance has for them. */
export const EXPORT_INTERVALS = ['1s', '1m', '5m', '15m', '1h', '4h', '1d'] as const;
export type ExportInterval = (typeof EXPORT_INTERVALS)[number];
type Permission = CreateKeyParameters['permissions'][number];
export const PERMISSIONS: Record<Permission, true> = {
  read: true,
  trade: true,
  operate: true,
  withdraw: true,
  transfer: true,
  support: true,
  markets: true,
  treasury: true,
  compliance: true,
  audit: true,
};
