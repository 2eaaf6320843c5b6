import { announcementSeverities } from '../../engine/terms.ts';
import type { Incident } from '../activity/incidents.ts';
import { readRecorded } from '../endpoints/status-history.ts';
import type { Services } from '../services.ts';

/** The path of the feed of incidents, maintenance and announcements. */
export const FEED_PATH = '/status/feed.xml';
export const FEED_HEADERS = {
  'Content-Type': 'application/atom+xml; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'public, max-age=60',
};

/** Maximum incidents in the feed, the newest. */
const MAX_INCIDENTS = 50;
/** Characters that XML cannot have, and line breaks, which readers do not show. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those that XML 1.0 forbids
const UNPRINTABLE = /[\u0000-\u001f\ufffe\uffff]+/g;

interface Entry {
  /** The fragment of its address on the page, different for each entry. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly published: number;
  readonly updated: number;
}

/**
 * Returns the feed of the status page as Atom (RFC 4287), the newest entry first.
 * @param baseUrl Address of the exchange, without a slash at the end
 * @throws Error if history cannot be read
 */
export async function statusFeed(services: Services, baseUrl: string): Promise<string> {
  const { incidents, announced } = await readRecorded(services);
  const { state } = services.replica.exchange;
  const { announcements, tradingStatus } = state.parts;
  const entries: Entry[] = [
    ...incidents.slice(0, MAX_INCIDENTS).map((incident) => incidentEntry(incident, state.markets)),
    ...announcements.all.map(({ id, severity, title, text, time }) => ({
      ...announcedAt(time),
      id: `announcement-${id}`,
      title: announcementSeverities[severity] === 'warning' ? `Important: ${title}` : title,
      text,
    })),
    ...tradingStatus.maintenance
      .filter(({ isActive }) => !isActive)
      .map(({ from, to, message }) => ({
        ...announcedAt(announced.get(from) ?? state.time),
        id: `maintenance-${from}`,
        title: `Maintenance from ${timeText(from)} to ${timeText(to)}`,
        text: message,
      })),
  ].sort((a, b) => b.published - a.published);
  const page = `${baseUrl}/status`;
  // A feed without entries was last changed when the exchange was created.
  const updated = Math.max(
    state.accounts[0]?.createdAt ?? 0,
    ...entries.map((entry) => entry.updated),
  );
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${xml(page)}</id><title>Buttonwood status</title><author><name>Buttonwood</name></author>`,
    `<link href="${xml(page)}"/><link rel="self" href="${xml(baseUrl + FEED_PATH)}"/>`,
    `<updated>${isoTime(updated)}</updated>`,
    ...entries.map((entry) => entryText(entry, page)),
    '</feed>\n',
  ].join('\n');
}

function announcedAt(time: number): Pick<Entry, 'published' | 'updated'> {
  return { published: time, updated: time };
}

function incidentEntry(incident: Incident, markets: readonly { readonly symbol: string }[]): Entry {
  const { cause, market, status, reason, from, to } = incident;
  const change = status === 'halted' ? 'halted' : 'cancel-only';
  const subject = market === undefined ? 'All markets' : markets[market]!.symbol;
  const title = cause === 'maintenance' ? 'Maintenance' : `${subject} ${change}`;
  const period =
    to === undefined ? `Since ${timeText(from)}.` : `${timeText(from)} to ${timeText(to)}.`;
  return {
    id: `incident-${from}-${market ?? 'all'}-${cause}`,
    title: to === undefined ? title : `${title} (ended)`,
    text: reason === '' ? period : `${reason} ${period}`,
    ...{ published: from, updated: to ?? from },
  };
}

function entryText({ id, title, text, published, updated }: Entry, page: string): string {
  const address = xml(`${page}#${id}`);
  return (
    `<entry><id>${address}</id><title>${xml(title)}</title><link href="${address}"/>` +
    `<published>${isoTime(published)}</published><updated>${isoTime(updated)}</updated>` +
    `<content type="text">${xml(text)}</content></entry>`
  );
}

function xml(text: string): string {
  return Bun.escapeHTML(text.replace(UNPRINTABLE, ' '));
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** Returns a time as readers of the feed see it: `2026-01-05 12:00 UTC`. */
function timeText(time: number): string {
  return `${isoTime(time).slice(0, 16).replace('T', ' ')} UTC`;
}
