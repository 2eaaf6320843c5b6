import { wholeTrades } from '../../../archivist/archivist.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { CustodyChange, EndedOrder, Fill, Page } from '../../../history/history.ts';
import { tradeText } from '../../endpoints/market-data/trades.ts';
import type { AccountFeed, AccountSubscription } from '../private-channels/account-feed.ts';
import type { AccountChannel } from '../request.ts';
import type { QueryHistory } from './backfill.ts';

/** Maximum records per message. */
const PAGE = 500;

/** One page of a backfill. */
export interface BackfillPage {
  /** Records as JSON. */
  readonly texts: readonly string[];
  /** The channel's sequence after this page. */
  readonly sequence: number;
  readonly isLast: boolean;
}

/**
 * Yields the events that an account's channel missed after `since`: all fills, the orders that became final, all current
 * balances, or all changes of deposits or withdrawals. Yields at least one page; the last one carries the feed's current sequence.
 */
export function backfillAccount(
  feed: AccountFeed,
  { queueAhead }: Pick<AccountSubscription, 'queueAhead'>,
  channel: AccountChannel,
  since: number,
  query: QueryHistory,
): AsyncGenerator<BackfillPage> {
  const upTo = feed.sequences[channel];
  if (channel === 'fills') return backfillFills(feed, since, upTo, query);
  if (channel === 'orders') return backfillOrders(feed, queueAhead, since, upTo, query);
  if (channel === 'deposits') return backfillPayments(feed, 'deposit', since, upTo, query);
  if (channel === 'withdrawals') return backfillPayments(feed, 'withdrawal', since, upTo, query);
  return once({ texts: feed.balanceTexts(), sequence: upTo, isLast: true });
}

async function* once(page: BackfillPage): AsyncGenerator<BackfillPage> {
  yield page;
}

async function* backfillFills(
  feed: AccountFeed,
  since: number,
  upTo: number,
  query: QueryHistory,
): AsyncGenerator<BackfillPage> {
  const account = feed.account.index;
  for (let afterId = since; ; ) {
    // More rows than the longest page: they show whether there is a next page.
    const range = { afterId, beforeId: upTo + 1, descending: false, limit: PAGE + 2 };
    const { items } = (await query({
      kind: 'fills',
      filter: { account, ...range },
    })) as Page<Fill>;
    const page = wholeTrades(items, PAGE);
    const isLast = items.length === page.length;
    if (!isLast) afterId = page.at(-1)!.tradeId;
    yield {
      texts: page.map((fill) => feed.fillText(fill)),
      sequence: isLast ? upTo : afterId,
      isLast,
    };
    if (isLast) return;
  }
}

async function* backfillOrders(
  feed: AccountFeed,
  queueAhead: boolean,
  since: number,
  upTo: number,
  query: QueryHistory,
): AsyncGenerator<BackfillPage> {
  const account = feed.account.index;
  for (let after = { endedIn: since, id: Number.MAX_SAFE_INTEGER }; ; ) {
    const filter = { account, after, upTo, limit: PAGE + 1 };
    const items = (await query({ kind: 'endedOrders', filter })) as EndedOrder[];
    const page = items.slice(0, PAGE);
    const texts = page.map(({ order }) => feed.orderText(order, queueAhead));
    if (items.length <= PAGE) {
      yield { texts, sequence: upTo, isLast: true };
      return;
    }
    const { endedIn, order } = page.at(-1)!;
    after = { endedIn, id: order.id };
    // The batch may have ended more orders: a client that resumes from here gets the whole batch again.
    yield { texts, sequence: Math.max(since, endedIn - 1), isLast: false };
  }
}

async function* backfillPayments(
  feed: AccountFeed,
  kind: CustodyChange['kind'],
  since: number,
  upTo: number,
  query: QueryHistory,
): AsyncGenerator<BackfillPage> {
  const account = feed.account.index;
  for (let after = { changedIn: since, changeIndex: Number.MAX_SAFE_INTEGER }; ; ) {
    const filter = { account, kind, after, upTo, limit: PAGE + 1 };
    const items = (await query({ kind: 'custodyChanges', filter })) as CustodyChange[];
    const page = items.slice(0, PAGE);
    const texts = page.map((change) => feed.paymentText(change));
    if (items.length <= PAGE) {
      yield { texts, sequence: upTo, isLast: true };
      return;
    }
    after = page.at(-1)!;
    // The batch may have more changes: a client that resumes from here gets the whole batch again.
    yield { texts, sequence: Math.max(since, after.changedIn - 1), isLast: false };
  }
}

/** Yields the market's trades after trade `since`, up to trade `upTo`. There is at least one page. */
export async function* backfillTrades(
  market: Market,
  since: number,
  upTo: number,
  query: QueryHistory,
): AsyncGenerator<BackfillPage> {
  for (let afterId = since; ; ) {
    const range = { afterId, beforeId: upTo + 1, descending: false, limit: PAGE + 1 };
    const found = (await query({
      kind: 'trades',
      filter: { market: market.index, ...range },
    })) as Fill[];
    const page = found.slice(0, PAGE);
    const isLast = found.length <= PAGE;
    if (!isLast) afterId = page.at(-1)!.tradeId;
    yield {
      texts: page.map((trade) => tradeText(trade, market)),
      sequence: isLast ? upTo : afterId,
      isLast,
    };
    if (isLast) return;
  }
}
