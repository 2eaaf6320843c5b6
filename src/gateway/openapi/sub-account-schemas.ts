import {
  boolean,
  integer,
  list,
  nullable,
  number,
  record,
  reference,
  text,
  timestamp,
} from './json-schema.ts';

/** The records of sub-accounts and transfers between accounts, for the OpenAPI document. */

const GroupAccount = record({
  accountId: text('Account id.', 'alice'),
  name: nullable(text('Name of the sub-account; null for the main account.', 'Grid bot')),
  isMain: boolean('Whether it is the main account.', false),
  frozen: boolean('Whether it is frozen and cannot trade.', false),
  closed: boolean('Whether it is a sub-account that its owner has closed.', false),
  openOrders: integer('Number of open orders.', 3),
  createdAt: timestamp('Time when the account was created.'),
  balances: list(reference('Balance')),
});

const InternalTransfer = record({
  id: text('Transfer id.', '5'),
  from: text('Account that sent it.', 'alice'),
  to: text('Account that received it.', 'sub_0123456789abcdef'),
  asset: text('Asset symbol.', 'USDT'),
  amount: number('Amount.', 250),
  clientId: nullable(
    text("The sender's id of the transfer; null for none, and after 25 hours.", 't-1'),
  ),
  timestamp: timestamp('Time of the transfer.'),
});

const AccountName = record({
  accountId: text('Account id.', 'sub_0123456789abcdef'),
  main: nullable(text('Main account of a sub-account; null for a main account.', 'alice')),
  name: nullable(text('Present name of a sub-account; null for a main account.', 'Grid bot')),
  ownerName: nullable(
    text('Name of the first user of it or of its main account; null for none.', 'Alice'),
  ),
});

export const SUB_ACCOUNT_RECORDS = { GroupAccount, InternalTransfer, AccountName };
