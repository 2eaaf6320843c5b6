import { expect, test } from 'bun:test';
import { storedColumns, writeRow } from '../database/checksum.ts';
import type { Row, Table, Value } from '../database/database.ts';
import { upgrade } from '../database/schema.ts';
import { auditTable } from './audit.ts';
import { auditSubjectsTable, readAuditSubject } from './audit-subjects.ts';
import { candlesTable, readCandle } from './candles.ts';
import {
  depositChangesTable,
  depositsTable,
  readDeposit,
  readDepositChange,
  readWithdrawal,
  readWithdrawalChange,
  withdrawalChangesTable,
  withdrawalsTable,
} from './custody.ts';
import { entriesTable, readEntry } from './entries.ts';
import { fillsTable, readFill } from './fills.ts';
import { ordersTable, readOrder } from './orders.ts';
import {
  alertCasesTable,
  alertReviewsTable,
  alertsTable,
  detectorsTable,
  readAlert,
  readDetector,
  readReview,
} from './surveillance.ts';
import { readTransfer, transfersTable } from './transfers.ts';

// Existing histories must stay readable, so their tables, rows and checksums never change.

const order = {
  kind: 'order',
  id: 2,
  account: 1,
  key: -1,
  market: 3,
  side: 1,
  type: 5,
  timeInForce: 4,
  postOnly: true,
  selfTradePrevention: 2,
  price: 2 ** 53 - 1,
  triggerPrice: 7,
  amount: 8,
  remaining: 9,
  cost: 10n ** 20n,
  filledCost: 11,
  fees: 12,
  status: 6,
  reason: 13,
  clientOrderId: 'bot-1',
  createdAt: 14,
  updatedAt: 15,
  lastFillAt: 16,
  expiresAt: 17,
  attached: { takeProfit: { price: 18, triggerPrice: 19 }, stopLoss: null },
  parentId: 20,
} as const;
const plain = { ...order, postOnly: false, clientOrderId: null, attached: null };
const fill = {
  account: 1,
  tradeId: 2,
  orderId: 3,
  market: 4,
  side: 1,
  isMaker: true,
  price: 5,
  amount: 6,
  fee: 7,
  firstEntryId: 8,
  givenAfter: 9n ** 20n,
  receivedAfter: 10,
  time: 11,
} as const;
const entry = {
  kind: 'entry',
  id: 1,
  account: 2,
  asset: 3,
  type: 4,
  amount: -5,
  after: 10n ** 20n,
  reference: 6,
  time: 7,
} as const;
const transfer = { id: 1, account: 2, asset: 3, amount: -4, reference: 'r-1', time: 5 };
const audit = {
  id: 1,
  sequence: 2,
  index: 3,
  time: 4,
  account: 5,
  key: -1,
  action: 'tick',
  details: '{}',
  outcome: 'done',
  rejection: 6,
} as const;
const auditSubject = { account: 1, sequence: 2 ** 53 - 1, auditId: 2, kind: 'keys' } as const;
const candle = {
  start: 3,
  open: 4,
  high: 5,
  low: 6,
  close: 7,
  baseVolume: 8,
  quoteVolume: 10n ** 20n,
  trades: 9,
  takerBuyVolume: 10,
  takerBuyQuoteVolume: 11n ** 20n,
  firstTradeId: 12,
  lastTradeId: 13,
  lastAmount: 14,
};

const deposit = {
  kind: 'deposit',
  ...{ id: 1, account: -1, network: 2, transaction: 'tx', index: 2 ** 32 - 1 },
  ...{ address: 'a', memo: 'm', amount: 10n ** 20n, confirmations: 3, report: 4 },
  status: 5,
  ...{ held: 5, createdAt: 6, updatedAt: 7, creditedAt: 8 },
} as const;
const withdrawal = {
  kind: 'withdrawal',
  ...{ id: 1, account: 2, key: -1, network: 3, address: 'a', memo: 'm' },
  ...{ amount: 10n ** 20n, fee: 4, clientId: 'w', waitsUntil: 5, approvals: [6, 7] },
  status: 8,
  ...{ instruction: 8, transaction: 'tx', reason: 'r', report: 9, createdAt: 10, updatedAt: 11 },
} as const;
const place = { changedIn: 12, changeIndex: 2 ** 24 };
const plainWithdrawal = { ...withdrawal, clientId: null, approvals: [] };

const alert = {
  id: 'spoofing-1',
  detector: 'spoofing',
  market: 2,
  owners: [3, 4],
  from: { sequence: 2 ** 53 - 1, index: 5, time: 6 },
  to: { sequence: 7, index: 8, time: 9 },
  ...{ figures: { rounds: 10 }, foundIn: 11, foundIndex: 12 },
} as const;
const alone = { ...alert, owners: [3] };
const detector = {
  name: 'pump',
  version: 1,
  readTo: 2,
  endsAt: 3,
  failedAt: 4,
  failure: 'f',
  state: '[]',
} as const;

const review = {
  ...{ alert: 'spoofing-1', sequence: 2 ** 53 - 1, index: 2, time: 3, account: 4, key: -1 },
  ...{ user: 'u', isClosed: true, assignee: 5, note: 'n' },
} as const;

/** Returns the values of a row, with its checksum. */
function writeValues<Item>(table: Table<Item>, item: Item): Value[] {
  const values: Value[] = [];
  writeRow(table, item, values, 0);
  return values;
}

function toRow<Item>(table: Table<Item>, item: Item): Row {
  const values = writeValues(table, item);
  return Object.fromEntries(storedColumns(table).map((name, index) => [name, values[index]!]));
}

const ended = { account: 1, order, endedIn: 21, fingerprint: -1 };
const rows: readonly (readonly [string, Value[], string])[] = [
  [
    'an order',
    writeValues(ordersTable, ended),
    '[1,2,3,1,6,-1,5,4,1,2,9007199254740991,8,9,"100000000000000000000","11","12",13,"bot-1",14,15,16,17,7,"{\\"takeProfit\\":{\\"price\\":18,\\"triggerPrice\\":19},\\"stopLoss\\":null}",20,21,4294967296,4171210669045270]',
  ],
  [
    'an order without optional fields',
    writeValues(ordersTable, { account: 1, order: plain, endedIn: 21 }),
    '[1,2,3,1,6,-1,5,4,0,2,9007199254740991,8,9,"100000000000000000000","11","12",13,"",14,15,16,17,7,"",20,21,0,195672685320135]',
  ],
  [
    'a fill',
    writeValues(fillsTable, fill),
    '[1,2,3,4,1,1,5,6,"7",8,"12157665459056928801","10",11,7810440451517168]',
  ],
  [
    'a ledger entry',
    writeValues(entriesTable, entry),
    '[2,1,3,4,"-5","100000000000000000000",6,7,8618825940560738]',
  ],
  ['a transfer', writeValues(transfersTable, transfer), '[1,2,3,"-4","r-1",5,1721983528113590]'],
  [
    'a deposit',
    writeValues(depositsTable, deposit),
    '[-1,1,2,"tx",4294967295,"a","m","100000000000000000000",3,5,4,"5",6,7,8,2436427585705730]',
  ],
  [
    'a withdrawal',
    writeValues(withdrawalsTable, withdrawal),
    '[2,1,-1,3,"a","m","100000000000000000000","4","w",8,5,"[6,7]",8,"tx","r",9,10,11,8197126773232696]',
  ],
  [
    'a change of a deposit',
    writeValues(depositChangesTable, { ...deposit, ...place }),
    '[-1,1,2,"tx",4294967295,"a","m","100000000000000000000",3,5,4,"5",6,7,8,12,16777216,3183838900395704]',
  ],
  [
    'a change of a withdrawal',
    writeValues(withdrawalChangesTable, { ...withdrawal, ...place }),
    '[2,1,-1,3,"a","m","100000000000000000000","4","w",8,5,"[6,7]",8,"tx","r",9,10,11,12,16777216,1828201350553418]',
  ],
  [
    'an audit record',
    writeValues(auditTable, audit),
    '[1,2,3,4,5,-1,"tick","{}","done",6,6955985480206430]',
  ],
  [
    'an account of an audit record',
    writeValues(auditSubjectsTable, auditSubject),
    '[1,9007199254740991,2,"keys",5634857311711938]',
  ],
  [
    'an alert',
    writeValues(alertsTable, alert),
    '["spoofing-1","spoofing",2,3,4,9007199254740991,5,6,7,8,9,"{\\"rounds\\":10}",11,12,6888226907904465]',
  ],
  [
    'an alert of one user',
    writeValues(alertsTable, alone),
    '["spoofing-1","spoofing",2,3,-1,9007199254740991,5,6,7,8,9,"{\\"rounds\\":10}",11,12,7967063022183017]',
  ],
  [
    'a detector',
    writeValues(detectorsTable, detector),
    '["pump",1,2,3,4,"f","[]",330501847738859]',
  ],
  [
    'a review',
    writeValues(alertReviewsTable, review),
    '["spoofing-1",9007199254740991,2,3,4,-1,"u",1,5,"n",5910771779207731]',
  ],
  [
    'a case',
    writeValues(alertCasesTable, { ...review, isClosed: false }),
    '["spoofing-1",9007199254740991,2,3,4,-1,"u",0,5,"n",7147404820634126]',
  ],
  [
    'a candle',
    writeValues(candlesTable, { market: 1, width: 2, candle }),
    '[1,2,3,4,5,6,7,"8","100000000000000000000",9,"10","672749994932560009201",12,13,14,321684600376544]',
  ],
];

test.each(rows)('the values and the checksum of %s never change', (_, values, expected) => {
  expect(JSON.stringify(values)).toBe(expected);
});

test('rows are read as they were written', () => {
  expect(readOrder(toRow(ordersTable, ended))).toEqual(order);
  expect(readOrder(toRow(ordersTable, { ...ended, order: plain }))).toEqual(plain);
  expect(readFill(toRow(fillsTable, fill))).toEqual(fill);
  expect(readEntry(toRow(entriesTable, entry))).toEqual(entry);
  expect(readDeposit(toRow(depositsTable, deposit))).toEqual(deposit);
  const change = { ...deposit, ...place };
  expect(readDepositChange(toRow(depositChangesTable, change))).toEqual(change);
  const changed = { ...plainWithdrawal, ...place };
  expect(readWithdrawalChange(toRow(withdrawalChangesTable, changed))).toEqual(changed);
  expect(readWithdrawal(toRow(withdrawalsTable, withdrawal))).toEqual(withdrawal);
  const read = readWithdrawal(toRow(withdrawalsTable, plainWithdrawal));
  expect(read).toEqual(plainWithdrawal);
  expect(readTransfer(toRow(transfersTable, transfer))).toEqual(transfer);
  expect(readAuditSubject(toRow(auditSubjectsTable, auditSubject))).toEqual(auditSubject);
  expect(readAlert(toRow(alertsTable, alert))).toEqual(alert);
  expect(readAlert(toRow(alertsTable, alone))).toEqual(alone);
  expect(readReview(toRow(alertReviewsTable, review))).toEqual(review);
  expect(readDetector(toRow(detectorsTable, detector))).toEqual(detector);
  expect(readCandle(toRow(candlesTable, { market: 1, width: 2, candle }))).toEqual(candle);
});

test('the statements of released versions never change', async () => {
  const statements: string[] = [];
  const record = {
    hasUncheckedRows: false,
    query: async () => [],
    run: async (text: string) => statements.push(text),
    insert: async () => {},
  };
  const never = () => Promise.reject(new Error('only a migration'));
  await upgrade({
    ...record,
    transaction: never,
    snapshot: never,
    close: never,
    migration: (work) => work(record),
  });
  const hash = new Bun.CryptoHasher('sha256').update(statements.join('\n;\n')).digest('hex');
  expect(hash).toBe('c24ee040baa84ee6002135d1db69aa73a94f6ebf27c9993eab717627d066f53e');
});
