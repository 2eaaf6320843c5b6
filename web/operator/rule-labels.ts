import { msg } from '../i18n/t.ts';

/** The names of the rules of markets and networks, in forms and in the audit. */

export const RULE_LABELS = {
  tickSize: msg('Tick size'),
  stepSize: msg('Lot size'),
  minPrice: msg('Min price'),
  maxPrice: msg('Max price'),
  minAmount: msg('Min amount'),
  maxAmount: msg('Max amount'),
  minNotional: msg('Minimum notional'),
  referencePrice: msg('Reference price'),
  makerFee: msg('Maker fee'),
  takerFee: msg('Taker fee'),
  collar: msg('Market-order price band'),
  staticBand: msg('Static price band'),
  dynamicBand: msg('Dynamic price band'),
  auctionMs: msg('Auction length'),
} as const;

export const NETWORK_LABELS = {
  asset: msg('Asset'),
  network: msg('Network'),
  decimals: msg('Decimals'),
  confirmations: msg('Confirmations'),
  minDeposit: msg('Minimum deposit'),
  minWithdrawal: msg('Minimum withdrawal'),
  withdrawalFee: msg('Withdrawal fee'),
  dailyLimit: msg('Daily limit per account'),
  hourlyCount: msg('Withdrawals per hour and account'),
  approvalAbove: msg('Approval by two operators above'),
  addressCoolingMs: msg('Waiting time of new addresses'),
  newDeviceDelayMs: msg('Delay after a new device'),
} as const;
