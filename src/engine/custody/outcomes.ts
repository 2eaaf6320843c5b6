import type { Rejection } from '../rejection.ts';
import type {
  DepositAddress,
  DepositRecord,
  Holding,
  WithdrawalAddress,
  WithdrawalRecord,
} from './custody-records.ts';
import type { Network } from './networks.ts';

export type DepositOutcome =
  | Rejection
  /** `changed` is false for a report that is not newer than the last one, or that comes after the end. */
  | { readonly kind: 'deposit'; readonly deposit: DepositRecord; readonly changed: boolean };

export type WithdrawalOutcome =
  | Rejection
  /** `changed` is false for a repeated request or report. */
  | {
      readonly kind: 'withdrawal';
      readonly withdrawal: WithdrawalRecord;
      readonly changed: boolean;
    };

export type HoldingsOutcome =
  | Rejection
  /** `changed` is false for a report that is not newer than the last one. */
  | { readonly kind: 'holding'; readonly holding: Holding; readonly changed: boolean };

export type AddressOutcome =
  | Rejection
  /** The deposit address of the account; null while the custodian is asked for it. */
  | { readonly kind: 'depositAddress'; readonly address: DepositAddress | null }
  | {
      readonly kind: 'withdrawalAddress';
      readonly entry: WithdrawalAddress;
      readonly created: boolean;
    };

/** The result of a command about deposits or withdrawals. */
export type CustodyOutcome =
  | AddressOutcome
  | DepositOutcome
  | WithdrawalOutcome
  | HoldingsOutcome
  | { readonly kind: 'network'; readonly network: Network; readonly created: boolean }
  | { readonly kind: 'done' };
