import { ZERO } from '../../decimal.ts';
import { ARROWS, grouped } from '../../format.ts';
import { t } from '../../i18n/t.ts';

/** An open order or a price alert as the chart shows it. */
export interface ChartItem {
  readonly id: string;
  readonly kind: Kind;
  /** The price that moves with the line: the limit, trigger or activation price. */
  readonly price: string;
  /** Texts of the label, longest first: narrow panes show a shorter one. */
  readonly titles: readonly string[];
  /** Amount of an order that is not filled. */
  readonly remaining?: string;
}

/** Items of one kind at one price, which share a line. */
export interface OwnLine {
  readonly items: readonly ChartItem[];
  readonly price: number;
  readonly kind: Kind;
  readonly titles: readonly string[];
}

export type Kind = 'buy' | 'sell' | 'alert';

/** Returns a line per price and kind. */
export function groupItems(items: readonly ChartItem[]): readonly OwnLine[] {
  const groups = Map.groupBy(items, ({ kind, price }) => `${kind} ${Number(price)}`);
  return [...groups.values()].map((group) => {
    const [{ kind, price, titles }] = group as [ChartItem, ...ChartItem[]];
    const { length: count } = group;
    return {
      items: group,
      kind,
      price: Number(price),
      titles: count === 1 ? titles : groupTitles(kind, count, group),
    };
  });
}

function groupTitles(kind: Kind, count: number, group: readonly ChartItem[]): readonly string[] {
  if (kind === 'alert') return [t('{count} price alerts', { count }), `${count}`];
  const sum = group.reduce((total, { remaining = '0' }) => total.plus(remaining), ZERO);
  const values = { count, remaining: grouped(sum) };
  const title =
    kind === 'buy'
      ? t('{count} buy orders, {remaining}', values)
      : t('{count} sell orders, {remaining}', values);
  return [title, `${ARROWS[kind]}${values.remaining}`];
}

/** Returns whether two lines share an item: events replace lines. */
export function isSameLine(line: OwnLine, other: OwnLine | undefined): boolean {
  return other?.items.some(({ id }) => line.items.some((item) => item.id === id)) ?? false;
}
