import { exactNumber } from '../client/exact-number.ts';
import { FAUCET_ASSETS } from '../config/sandbox-funds.ts';
import { AddressList } from '../gateway/http/request/client-address.ts';
import { caseStatuses, detectorNames } from '../surveillance/alert.ts';
import {
  CLOCK_MODES,
  EXCHANGE_REPORT_KINDS,
  EXPORT_INTERVALS,
  KEY_TYPES,
  ORDER_STATUSES,
  PERMISSIONS,
  REPORT_FORMATS,
  REPORT_KINDS,
  RESOLUTIONS,
  SEVERITIES,
  STATUSES,
  TIMELINE_KINDS,
} from './form-values.ts';

/**
 * The form of a value on the command line. Commands check it before they ask a node, so that wrong usage differs from what
 * an exchange rejects. The rules are those of the exchange.
 */
export interface Form {
  /** Completes the sentence "--limit must be …". */
  readonly description: string;
  readonly accepts: (text: string) => boolean;
}

/** Digits of a number in a request, as the exchange limits them. */
const MAX_NUMBER_CHARACTERS = 40;
const MAX_EXPONENT = 30;
/** The last time with a four-digit year. */
const MAX_TIME_MS = Date.UTC(10_000, 0) - 1;
const MAX_IDS = 1000;
const MAX_PATH_CHARACTERS = 4096;
/** The references of the transfers to a new sandbox account contain its name. */
const MAX_NAME_CHARACTERS = 50;

/** The exchange moves its time by at most this long at a time. */
const MAX_ADVANCE_MS = 366 * 86_400_000;

function matching(description: string, pattern: RegExp): Form {
  return { description, accepts: (text) => pattern.test(text) };
}

function oneOf(values: readonly string[]): Form {
  return {
    description: `one of ${values.join(', ')}`,
    accepts: (text) => values.includes(text),
  };
}

function commaList(description: string, item: Form, maxItems: number): Form {
  const accepts = (text: string) => {
    const items = text.split(',');
    return items.length <= maxItems && items.every(item.accepts);
  };
  return { description: `${description}, separated by commas`, accepts };
}

/** Returns the form of texts without characters that change the text direction or the line. */
function plainText(maxCharacters: number): Form {
  return {
    description: `at most ${maxCharacters} characters without control characters`,
    accepts: (text) =>
      text.length <= maxCharacters && !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text),
  };
}

function anyText(maxCharacters: number): Form {
  return {
    description: `at most ${maxCharacters} characters`,
    accepts: (text) => text.length <= maxCharacters,
  };
}

function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): Form {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return {
    description: `a whole number ${range}`,
    accepts: (text) => /^\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max,
  };
}

function decimal(description: string, isInRange: (value: number) => boolean): Form {
  return { description, accepts: (text) => isUnsigned(text) && isInRange(Number(text)) };
}

/** Returns whether a text is a JSON number without a sign that the exchange reads exactly. */
function isUnsigned(text: string): boolean {
  const exponent = Math.abs(Number(/e(.*)$/i.exec(text)?.[1] ?? 0));
  if (text.startsWith('-') || text.length > MAX_NUMBER_CHARACTERS || exponent > MAX_EXPONENT) {
    return false;
  }
  try {
    exactNumber(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the form of a share of one, in parts per million. */
function rate(max: number): Form {
  return decimal(`a number from 0 to ${max} with at most six decimals`, (value) => {
    const millionths = value * 1e6;
    return value <= max && Math.abs(millionths - Math.round(millionths)) < 1e-9;
  });
}

const ACCOUNT_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const OF_ACCOUNT_IDS = 'of A-Z a-z 0-9 _ . - that begin with a letter or digit';
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
const FEE = rate(0.1);
/** A negative maker fee is a rebate. */
const MAKER_FEE: Form = {
  description: 'a number from -0.1 to 0.1 with at most six decimals',
  accepts: (text) => FEE.accepts(text.replace(/^-/, '')),
};
const MAX_AUCTION_MS = 86_400_000;
const AUCTION_MS = decimal(
  `a whole number from 0 to ${MAX_AUCTION_MS}`,
  (value) => Number.isInteger(value) && value <= MAX_AUCTION_MS,
);
const NOT_NEGATIVE = decimal('a number without a sign, such as 0.015', () => true);

function isTime(text: string): boolean {
  if (/^\d{1,16}$/.test(text)) return Number(text) <= MAX_TIME_MS;
  if (!ISO_TIME.test(text) || !(Date.parse(text) >= 0)) return false;
  // February 30 is read as March 2.
  const day = text.slice(0, 10);
  return new Date(day).toISOString().startsWith(day);
}

function isEmail(text: string): boolean {
  const email = text.trim().toLowerCase();
  return email.length <= 254 && EMAIL.test(email);
}

function isNetwork(text: string): boolean {
  try {
    new AddressList([text]);
    return true;
  } catch {
    return false;
  }
}

function isTier(text: string): boolean {
  const [volume = '', maker = '', taker = '', ...more] = text.split(':');
  const areRates = MAKER_FEE.accepts(maker) && FEE.accepts(taker);
  return more.length === 0 && NOT_NEGATIVE.accepts(volume) && areRates;
}

function isNotionalLimit(text: string): boolean {
  const [asset = '', limit = '', ...more] = text.split(':');
  const isAboveZero = isUnsigned(limit) && Number(limit) > 0;
  return more.length === 0 && /^[A-Z0-9]{1,12}$/.test(asset) && isAboveZero;
}

export const FORMS = {
  accountId: matching(`1 to 64 characters ${OF_ACCOUNT_IDS}`, ACCOUNT_ID),
  sandboxAccountId: {
    description: `1 to ${MAX_NAME_CHARACTERS} characters ${OF_ACCOUNT_IDS}`,
    accepts: (text) => text.length <= MAX_NAME_CHARACTERS && ACCOUNT_ID.test(text),
  },
  accountName: {
    description: 'a name of 1 to 50 characters without control characters',
    accepts: (text) => text.trim() !== '' && plainText(MAX_NAME_CHARACTERS).accepts(text),
  },
  recipient: {
    description: 'an account id, or the email of a user',
    accepts: (text) => ACCOUNT_ID.test(text) || isEmail(text),
  },
  limitClass: wholeNumber(1, 1000),
  feeTier: {
    description: 'a whole number from 0 to 50, or "volume"',
    accepts: (text) => text === 'volume' || wholeNumber(0, 50).accepts(text),
  },
  asset: matching('an asset such as BTC: 1 to 12 of A-Z and 0-9', /^[A-Z0-9]{1,12}$/),
  faucetAsset: {
    description: `one of ${FAUCET_ASSETS.join(', ')}`,
    accepts: (text) => FAUCET_ASSETS.some((asset) => asset === text.toUpperCase()),
  },
  assetName: anyText(64),
  assetDecimals: wholeNumber(0, 22),
  symbol: matching('a market such as BTC/USDT', /^[A-Z0-9]{1,12}\/[A-Z0-9]{1,12}$/),
  marketStatus: oneOf(Object.keys(STATUSES)),
  positive: decimal('a number above zero, such as 0.015', (value) => value > 0),
  notNegative: NOT_NEGATIVE,
  fee: FEE,
  makerFee: MAKER_FEE,
  collar: rate(1),
  share: rate(1),
  auctionMs: AUCTION_MS,
  tier: {
    description:
      'VOLUME:MAKER:TAKER, a number and two rates up to 0.1 with at most six decimals, of which MAKER may be negative',
    accepts: isTier,
  },
  noteText: anyText(500),
  title: plainText(100),
  announcement: plainText(500),
  severity: oneOf(Object.keys(SEVERITIES)),
  searchText: anyText(100),
  orderLimit: wholeNumber(1, 1_000_000),
  notionalLimit: {
    description: 'ASSET:AMOUNT, an asset and a number above zero',
    accepts: isNotionalLimit,
  },
  permissions: commaList(
    `of ${Object.keys(PERMISSIONS).join(', ')}`,
    oneOf(Object.keys(PERMISSIONS)),
    100,
  ),
  keyType: oneOf(Object.keys(KEY_TYPES)),
  apiKey: matching('an API key: bwk_ and 32 characters of 0-9 a-f', /^bwk_[0-9a-f]{32}$/),
  label: plainText(64),
  address: {
    description: 'an IP address or a network such as 192.0.2.0/24, with host bits zero',
    accepts: isNetwork,
  },
  time: {
    description:
      'an ISO 8601 time with a zone, such as 2027-01-31T00:00:00Z, or milliseconds since 1970',
    accepts: isTime,
  },
  moment: {
    description:
      'a log position of at least 1, or an ISO 8601 time with a zone, such as 2027-01-31T00:00:00Z',
    accepts: (text: string) =>
      wholeNumber(1).accepts(text) || (ISO_TIME.test(text) && isTime(text)),
  },
  month: matching('last, or a month such as 2027-01', /^(last|[1-9]\d{3}-(0[1-9]|1[0-2]))$/),
  path: {
    description: `a path of at most ${MAX_PATH_CHARACTERS} characters`,
    accepts: (text: string) => text.length <= MAX_PATH_CHARACTERS && !text.includes('\0'),
  },
  email: { description: 'an email address, such as you@example.com', accepts: isEmail },
  reason: anyText(200),
  reference: matching('1 to 64 characters of A-Z a-z 0-9 _ . : -', /^[A-Za-z0-9_.:-]{1,64}$/),
  hash: matching('64 characters of 0-9 a-f', /^[0-9a-f]{64}$/),
  orderId: {
    description: 'the id of an order, such as 17',
    accepts: (text) => /^[1-9]\d{0,15}$/.test(text),
  },
  requestId: matching('the number of a request, such as 3', /^[1-9]\d{0,14}$/),
  custodyId: matching('the id of a deposit or withdrawal, such as 12', /^[1-9]\d{0,15}$/),
  chainAddress: plainText(128),
  memo: plainText(100),
  addressEntry: matching('the id of an entry of the address book, such as 12', /^[1-9]\d{0,15}$/),
  orderStatus: oneOf(Object.keys(ORDER_STATUSES)),
  timelineKind: oneOf(Object.keys(TIMELINE_KINDS)),
  detector: oneOf([...detectorNames]),
  caseStatus: oneOf([...caseStatuses]),
  surveillanceAlertId: matching(
    'the id of an alert, such as spoofing-4127-0-0-3',
    /^[a-z_]{1,30}(-\d{1,16}){3,5}$/,
  ),
  networkName: matching('the name of a network: 1 to 32 of a-z 0-9 -', /^[a-z0-9][a-z0-9-]{0,31}$/),
  memoRule: oneOf(['none', 'optional', 'required']),
  confirmations: wholeNumber(1, 10_000),
  hourlyCount: wholeNumber(0, 1_000),
  custodyMs: wholeNumber(0, 2_592_000_000),
  resolution: oneOf(Object.keys(RESOLUTIONS)),
  orderIds: commaList(
    `at most ${MAX_IDS} order ids`,
    matching('an order id', /^[1-9]\d{0,15}$/),
    MAX_IDS,
  ),
  auditAction: matching('the name of an action, such as createAccount', /^[A-Za-z]{1,64}$/),
  pageSize: wholeNumber(1, 1000),
  sequence: wholeNumber(1),
  index: wholeNumber(0),
  seed: wholeNumber(0, 2 ** 32 - 1),
  clockMode: oneOf(Object.keys(CLOCK_MODES)),
  advanceMs: wholeNumber(0, MAX_ADVANCE_MS),
  onOff: oneOf(['on', 'off']),
  checkpoint: matching('1 to 64 characters of A-Z a-z 0-9 _ -', /^[A-Za-z0-9_-]{1,64}$/),
  faultKind: matching('the name of a fault, such as stream_gap', /^[a-z_]{1,64}$/),
  faultStatus: oneOf(['418', '429', '500', '503']),
  pattern: anyText(100),
  probability: rate(1),
  signedMilliseconds: matching('a whole number of milliseconds', /^-?\d{1,9}$/),
  reportKind: oneOf(Object.keys(REPORT_KINDS)),
  exchangeReportKind: oneOf(Object.keys(EXCHANGE_REPORT_KINDS)),
  listFormat: oneOf(['csv', 'json']),
  reportFormat: oneOf(Object.keys(REPORT_FORMATS)),
  reportId: matching('the id of a report: 24 characters of 0-9 a-f', /^[0-9a-f]{24}$/),
  exportInterval: oneOf(EXPORT_INTERVALS),
  runs: wholeNumber(1, 1000),
  alertDirection: oneOf(['above', 'below']),
  alertId: matching(
    'the id of a price alert: pa_ and 24 characters of 0-9 a-f',
    /^pa_[0-9a-f]{24}$/,
  ),
  webhookId: matching('the id of a webhook: wh_ and 24 characters of 0-9 a-f', /^wh_[0-9a-f]{24}$/),
  webhookUrl: matching('a URL of at most 512 characters', /^https?:\/\/\S{1,500}$/),
  event: matching(
    'an event such as order.filled, order.* or *',
    /^(\*|[a-z]{1,20}\.(\*|[a-z]{1,20}))$/,
  ),
  nodeName: matching('1 to 64 characters of A-Z a-z 0-9 _ -', /^[A-Za-z0-9_-]{1,64}$/),
} as const satisfies Readonly<Record<string, Form>>;

/** The forms of the arguments after a command's name, by their name in the help. */
export const POSITIONALS = {
  ID: FORMS.accountId,
  ACCOUNT: FORMS.accountId,
  NAME: FORMS.sandboxAccountId,
  TITLE: FORMS.accountName,
  RECIPIENT: FORMS.recipient,
  N: FORMS.limitClass,
  TIER: FORMS.feeTier,
  REFERRER: FORMS.accountId,
  SHARE: FORMS.share,
  BALANCE: FORMS.positive,
  KEY: FORMS.apiKey,
  EMAIL: FORMS.email,
  ASSET: FORMS.asset,
  COIN: FORMS.faucetAsset,
  AMOUNT: FORMS.positive,
  SYMBOL: FORMS.symbol,
  STATUS: FORMS.marketStatus,
  ORDER: FORMS.orderId,
  REQUEST: FORMS.requestId,
  NOTE: FORMS.requestId,
  CASE: FORMS.surveillanceAlertId,
  DEPOSIT: FORMS.custodyId,
  WITHDRAWAL: FORMS.custodyId,
  ENTRY: FORMS.addressEntry,
  TEXT: FORMS.searchText,
  DESTINATION: FORMS.chainAddress,
  RESOLUTION: FORMS.resolution,
  NETWORK: FORMS.networkName,
  NODE: FORMS.nodeName,
  FILE: FORMS.path,
  POINT: FORMS.checkpoint,
  KIND: FORMS.reportKind,
  REPORT: FORMS.reportId,
  TOPIC: FORMS.exchangeReportKind,
  DIRECTION: FORMS.alertDirection,
  PRICE: FORMS.positive,
  ALERT: FORMS.alertId,
  WEBHOOK: FORMS.webhookId,
  URL: FORMS.webhookUrl,
  'FILE...': FORMS.path,
  FROM: FORMS.time,
  TO: FORMS.time,
} as const satisfies Readonly<Record<string, Form>>;
export type Positional = keyof typeof POSITIONALS;

/** Longer values are not repeated in an error. */
const MAX_SHOWN_CHARACTERS = 64;

/** Returns what is wrong with a value, as a sentence that begins with its name; undefined if nothing is. */
export function describeFault(name: string, form: Form, text: string): string | undefined {
  if (form.accepts(text)) return undefined;
  const shown = text.length > MAX_SHOWN_CHARACTERS ? '' : `, not "${text}"`;
  return `${name} must be ${form.description}${shown}.`;
}
