import {
  memoRules,
  shownDepositStatuses,
  withdrawalStatuses,
} from '../../engine/custody/statuses.ts';
import {
  boolean,
  enumeration,
  integer,
  list,
  nullable,
  number,
  record,
  text,
  timestamp,
} from './json-schema.ts';

/** The records of networks, deposits and withdrawals, for the OpenAPI document. */

const asset = text('Asset symbol.', 'BTC');
const network = text('Name of the network.', 'bitcoin');
const place = {
  asset,
  network,
  address: text('Address on the network.', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'),
  memo: nullable(text('Memo or tag that belongs to the address; null for none.', '104')),
};
const account = text('Account id.', 'alice');

const Network = record({
  asset,
  network,
  decimals: integer('Decimals of amounts on the network.', 8),
  minDeposit: number('Minimum deposit; smaller ones are not credited.', 0.0001),
  minWithdrawal: number('Minimum withdrawal, without the fee.', 0.0005),
  withdrawalFee: number('Fee of a withdrawal, in addition to its amount.', 0.0001),
  confirmations: integer('Confirmations at which a deposit is credited.', 3),
  memo: enumeration(memoRules, 'Whether addresses have a memo.'),
  deposits: boolean('Whether deposits are credited.', true),
  withdrawals: boolean('Whether withdrawals are possible.', true),
  dailyLimit: number('Maximum withdrawn by an account in 24 hours; 0 for no limit.', 5),
  hourlyCount: integer('Maximum withdrawals of an account in an hour; 0 for no limit.', 10),
  addressCoolingMs: integer('The time for which a new address cannot be used.', 86400000),
  newDeviceDelayMs: integer('The time that withdrawals wait after a new device.', 86400000),
  approvalAbove: number('Larger withdrawals need the approval of two operators.', 1),
  typicalDepositMs: nullable(
    integer(
      'Median time from the first report of a deposit to its credit, of the newest 100; null with fewer than 3, or while unknown.',
      1800000,
    ),
  ),
  explorerUrl: nullable(
    text(
      'Address of a transaction at a block explorer, with `{transaction}` for its id; null if the operator has set none.',
      'https://explorer.example/tx/{transaction}',
    ),
  ),
});

const DepositAddress = record({
  ...place,
  createdAt: timestamp('Time when the custodian gave the address.'),
});

const WithdrawalAddress = record({
  id: text('Id of the address.', '12'),
  ...place,
  label: nullable(
    text('Your name of the address; null for none, or while names cannot be read.', 'Cold wallet'),
  ),
  createdAt: timestamp('Time when the address was added.'),
  usableAt: timestamp('Time from which withdrawals to it are possible.'),
});

const Deposit = record({
  id: text('Deposit id.', '7'),
  account: nullable(account, 'alice'),
  ...place,
  transaction: text('Transaction id.', '4a5e1e4baab89f3a32518a88c31bc87f'),
  index: integer('Place of the payment in its transaction.', 0),
  amount: number('Amount of the payment.', 0.5),
  held: number('The held part of a deposit that was reorganized after its credit.', 0),
  status: enumeration(
    shownDepositStatuses,
    'Status: see docs/trading/deposits-and-withdrawals.md.',
  ),
  confirmations: integer('Confirmations so far.', 1),
  requiredConfirmations: integer('Confirmations at which it is credited.', 3),
  createdAt: timestamp('Time of the first report.'),
  updatedAt: timestamp('Time of the last change.'),
  creditedAt: nullable(timestamp('Time of the credit; null if it was not credited.')),
});

const Withdrawal = record({
  id: text('Withdrawal id.', '9'),
  account,
  ...place,
  amount: number('The amount that arrives.', 0.2),
  fee: number('Fee, held and paid in addition.', 0.0001),
  clientId: nullable(text('Your id of the withdrawal; null for none.', 'w-1')),
  status: enumeration(withdrawalStatuses, 'Status: see docs/trading/deposits-and-withdrawals.md.'),
  waitsUntil: nullable(timestamp('End of the delay after a new device; null without one.')),
  approvals: list(text('Account id of an operator.', 'treasury')),
  transaction: nullable(text('Transaction id; null before the broadcast.', '9b0fc92260312ce4')),
  reason: nullable(text('The reason why it failed or was rejected; otherwise null.', 'risk')),
  createdAt: timestamp('Time of the request.'),
  updatedAt: timestamp('Time of the last change.'),
});

const Holding = record({
  asset,
  network,
  amount: number('Coins that the custodian holds for the exchange.', 1520.5),
  reportedAt: timestamp('Time of the newest report.'),
});

const WithdrawalLimit = record({
  asset,
  network,
  dailyLimit: number('Maximum withdrawn in 24 hours.', 5),
  used: number('Withdrawn in the last 24 hours, over all networks of the asset.', 1.2),
  remaining: number('The rest of the limit: what can be withdrawn now.', 3.8),
});

export const CUSTODY_RECORDS = {
  ...{ Network, DepositAddress, WithdrawalAddress, Deposit, Withdrawal },
  ...{ WithdrawalLimit, Holding },
};
