import type { Market } from '../../engine/markets/markets.ts';
import type { EndedOrder, Fill, Page } from '../../history/history.ts';
import { tradeText } from '../endpoints/trades.ts';
import type { AccountFeed } from './account-feed.ts';
import type { Ask } from './backfill.ts';
import type { AccountChannel } from './request.ts';

/** Most records in one message. */
const PAGE = 500;

/** Some of what a client missed: records as JSON texts, and the sequence that it has then. */
export interface MissedEvents {
  readonly texts: readonly string[];
  readonly sequence: number;
  readonly isLast: boolean;
}

/**
 * What an account's channel said since `since`, a page at a time, the last one with the feed's
 * sequence of now. At least one page, so that the client knows it is heard. Fills are all of them,
 * of orders those that became final.
 */
export function missedEventsOf(
  feed: AccountFeed,
  channel: AccountChannel,
  since: number,
  ask: Ask,
): AsyncGenerator<MissedEvents> {
  const upTo = feed.sequences[channel];
  if (channel === 'fills') return missedFills(feed, since, upTo, ask);
  if (channel === 'orders') return missedOrders(feed, since, upTo, ask);
  return once({ texts: feed.balanceTexts(), sequence: upTo, isLast: true });
}

async function* once(page: MissedEvents): AsyncGenerator<MissedEvents> {
  yield page;
}

async function* missedFills(
  feed: AccountFeed,
  since: number,
  upTo: number,
  ask: Ask,
): AsyncGenerator<MissedEvents> {
  const account = feed.account.index;
  for (let afterId = since; ; ) {
    const terms = { afterId, beforeId: upTo + 1, descending: false, limit: PAGE + 1 };
    const query = { kind: 'fills', filter: { account, ...terms } } as const;
    const { items } = (await ask(query)) as Page<Fill>;
    const page = items.slice(0, PAGE);
    const isLast = items.length <= PAGE;
    if (!isLast) afterId = page.at(-1)!.tradeId;
    yield {
      texts: page.map((fill) => feed.fillText(fill)),
      sequence: isLast ? upTo : afterId,
      isLast,
    };
    if (isLast) return;
  }
}

async function* missedOrders(
  feed: AccountFeed,
  since: number,
  upTo: number,
  ask: Ask,
): AsyncGenerator<MissedEvents> {
  const account = feed.account.index;
  for (let after = { endedIn: since, id: Number.MAX_SAFE_INTEGER }; ; ) {
    const filter = { account, after, upTo, limit: PAGE + 1 };
    const answer = await ask({ kind: 'endedOrders', filter });
    const items = answer as EndedOrder[];
    const page = items.slice(0, PAGE);
    const texts = page.map(({ order }) => feed.orderText(order));
    if (items.length <= PAGE) {
      yield { texts, sequence: upTo, isLast: true };
      return;
    }
    const { endedIn, order } = page.at(-1)!;
    after = { endedIn, id: order.id };
    // The batch may have ended more: who has come this far only asks for all of it again.
    yield { texts, sequence: Math.max(since, endedIn - 1), isLast: false };
  }
}

/** The market's trades since trade `since`, a page at a time, up to `upTo`. */
export async function* missedTrades(
  market: Market,
  since: number,
  upTo: number,
  ask: Ask,
): AsyncGenerator<MissedEvents> {
  for (let afterId = since; ; ) {
    const terms = { afterId, beforeId: upTo + 1, descending: false, limit: PAGE + 1 };
    const query = { kind: 'trades', filter: { market: market.index, ...terms } } as const;
    const found = (await ask(query)) as Fill[];
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
