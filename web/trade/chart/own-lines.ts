import type {
  IPrimitivePaneRenderer,
  ISeriesApi,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  SeriesType,
  Time,
} from 'lightweight-charts';
import { ZERO } from '../../decimal.ts';
import { grouped } from '../../format.ts';
import { t } from '../../i18n/t.ts';
import { type AxisLabel, drawAxisLabels, placeAxisLabels } from './axis-labels.ts';
import type { Position } from './drawings/shapes.ts';
import {
  type Context,
  drawLabel,
  isNarrow,
  LABEL_PX,
  type Label,
  placeLabel,
} from './own-label.ts';

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

type Kind = 'buy' | 'sell' | 'alert';
const NO_COLORS = {
  ...{ buy: '', sell: '', alert: '', panel: '' },
  ...{ buySoft: '', sellSoft: '', alertSoft: '' },
};
export type LineColors = typeof NO_COLORS;

/** Distance in pixels within which a line is grabbed. */
const GRAB_PX = 5;
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
  return [title, ...shortTitles(kind, values.remaining)];
}

/** Returns the shorter texts of the label of an order. The color shows the side as well. */
export function shortTitles(side: 'buy' | 'sell', remaining: string): readonly string[] {
  const title =
    side === 'buy' ? t('Buy {remaining}', { remaining }) : t('Sell {remaining}', { remaining });
  return [title, remaining];
}

/** A change of the line that the pointer drags; items keep their ids when events replace them. */
interface Drag {
  readonly ids: ReadonlySet<string>;
  readonly price: number;
}

/** A drawn label, which users can point at. */
interface Drawn extends Label {
  readonly line: OwnLine;
  readonly hasCross: boolean;
}

/**
 * Draws open orders and price alerts as dashed lines with a label each. Narrow panes show only amounts until the user
 * points at a line or taps it. Prices outside of the visible range have no label.
 */
export class OwnLines implements ISeriesPrimitive<Time> {
  private lines: readonly OwnLine[] = [];
  private series: ISeriesApi<SeriesType> | undefined;
  private requestUpdate = () => {};
  private colors: LineColors = { ...NO_COLORS };
  private decimals = 2;
  private dragged: Drag | undefined;
  /** Whether labels have an × that removes their items. */
  private canRemove = false;
  private drawn: readonly Drawn[] = [];
  private hovered: OwnLine | undefined;
  /** The line whose label is whole in a narrow pane. */
  private expanded: OwnLine | undefined;

  /**
   * @param font Returns the font of the labels.
   * @param reserved Returns the heights from the label of the last price to that of the countdown below it.
   * @param ticks Returns the prices that the axis shows.
   */
  constructor(
    private readonly font: () => string,
    private readonly reserved: () => readonly [number, number] | undefined = () => undefined,
    private readonly ticks: () => readonly number[] = () => [],
  ) {}

  attached({ series, requestUpdate }: SeriesAttachedParameter<Time>): void {
    this.series = series;
    this.requestUpdate = requestUpdate;
  }

  detached(): void {
    this.series = undefined;
  }

  use(items: readonly ChartItem[], colors: LineColors, decimals: number, canRemove = false): void {
    this.lines = groupItems(items);
    this.colors = colors;
    this.decimals = decimals;
    this.canRemove = canRemove;
    this.drawn = [];
    this.requestUpdate();
  }

  /** Returns the line at a position of the pane, or whose label is there. */
  find({ x, y }: Position): OwnLine | undefined {
    const label = this.drawn.find((each) => isOn(each, x, y) && x <= each.right);
    if (label !== undefined) return label.line;
    return this.lines.find(({ price }) => {
      const at = this.series?.priceToCoordinate(price);
      return at !== null && at !== undefined && Math.abs(at - y) <= GRAB_PX;
    });
  }

  /** Returns the line whose × is at a position. */
  findCross({ x, y }: Position): OwnLine | undefined {
    return this.drawn.find((each) => {
      const left = each.right - LABEL_PX;
      return each.hasCross && isOn({ ...each, left }, x, y) && x <= each.right;
    })?.line;
  }

  /** Shows the whole label of a line where the pane is narrow, and only the amounts of the others. */
  expand(line: OwnLine | undefined): void {
    if (line === this.expanded) return;
    this.expanded = line;
    this.requestUpdate();
  }

  /** Highlights the × of a line. */
  hover(line: OwnLine | undefined): void {
    if (line === this.hovered) return;
    this.hovered = line;
    this.requestUpdate();
  }

  /** Moves a line until it is dropped. @param price Undefined to show it at its own price again. */
  drag(line: OwnLine, price: number | undefined): void {
    const ids = new Set(line.items.map(({ id }) => id));
    this.dragged = price === undefined ? undefined : { ids, price };
    this.requestUpdate();
  }

  priceAxisPaneViews() {
    return this.axisViews;
  }

  paneViews() {
    return this.views;
  }

  private readonly renderer: IPrimitivePaneRenderer = {
    draw: (target) =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) => {
        context.font = this.font();
        context.textBaseline = 'middle';
        const labels: Drawn[] = [];
        const isWhole = (line: OwnLine) =>
          !isNarrow(mediaSize.width) || isSameLine(line, this.expanded);
        // A whole label takes its place before those that are next to it.
        const lines = this.lines.toSorted((a, b) => Number(isWhole(b)) - Number(isWhole(a)));
        for (const line of lines) {
          const lineY = this.yAt(line);
          if (lineY === undefined) continue;
          const hasCross = this.canRemove && isWhole(line);
          const content = {
            texts: isWhole(line) ? line.titles : line.titles.slice(-1),
            hasBell: line.kind === 'alert',
            hasCross,
          };
          const label = placeLabel(context, lineY, content, labels, mediaSize);
          this.drawLine(context, line, Math.round(lineY), label, mediaSize.width);
          if (label === undefined) continue;
          labels.push({ ...label, line, hasCross });
          drawLabel(context, label, this.colors[line.kind], this.colors.panel, content.hasBell);
          if (hasCross) this.drawCross(context, line, label.right - LABEL_PX, label.y);
        }
        this.drawn = labels;
      }),
  };
  private readonly views = [{ zOrder: () => 'top' as const, renderer: () => this.renderer }];

  private readonly axisRenderer: IPrimitivePaneRenderer = {
    draw: (target) =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) => {
        context.font = this.font();
        drawAxisLabels(context, this.axisLabels(), {
          ...mediaSize,
          ticks: this.ticks().map((price) => this.series?.priceToCoordinate(price) ?? -1),
          reserved: this.reserved(),
          ground: this.colors.panel,
        });
      }),
  };
  /** Below the labels of the library: those of the last price and the pointer. */
  private readonly axisViews = [
    { zOrder: () => 'normal' as const, renderer: () => this.axisRenderer },
  ];

  /** Returns the labels of the price axis. */
  axisLabels(): readonly AxisLabel[] {
    const visible = this.lines.flatMap((line) => {
      const y = this.yAt(line);
      return y === undefined ? [] : [{ line, y }];
    });
    const height = this.series?.getPane().getHeight() ?? 0;
    const heights = placeAxisLabels(
      visible.map(({ y }) => y),
      height,
      this.reserved(),
    );
    return visible.map(({ line }, index) => ({
      y: heights[index]!,
      text: grouped(this.priceAt(line).toFixed(this.decimals)),
      // Other colors than those of the last price.
      color: this.colors[line.kind],
      soft: this.colors[`${line.kind}Soft`],
    }));
  }

  /** Draws a line. One behind the legend begins right of it, and is connected with its label. */
  private drawLine(
    context: Context,
    { kind }: OwnLine,
    y: number,
    label: Label | undefined,
    paneWidth: number,
  ): void {
    const isBehindLegend = label?.isMoved === true;
    const left = isBehindLegend ? label.right + 0.5 : 0;
    context.strokeStyle = this.colors[kind];
    context.lineWidth = 1;
    if (isBehindLegend) {
      context.beginPath();
      context.moveTo(left, label.y);
      context.lineTo(left, y + 0.5);
      context.stroke();
    }
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(left, y + 0.5);
    context.lineTo(paneWidth, y + 0.5);
    context.stroke();
    context.setLineDash([]);
  }

  private drawCross(context: Context, line: OwnLine, left: number, y: number): void {
    if (line === this.hovered) {
      context.fillRect(left, y - LABEL_PX / 2, LABEL_PX, LABEL_PX);
      context.strokeStyle = this.colors.panel;
    }
    const [x, size] = [left + LABEL_PX / 2, 3.5];
    context.beginPath();
    context.moveTo(x - size, y + 0.5 - size);
    context.lineTo(x + size, y + 0.5 + size);
    context.moveTo(x + size, y + 0.5 - size);
    context.lineTo(x - size, y + 0.5 + size);
    context.stroke();
  }

  private priceAt(line: OwnLine): number {
    const isDragged = line.items.some(({ id }) => this.dragged?.ids.has(id));
    return isDragged ? this.dragged!.price : line.price;
  }

  /** Returns the height of a line; undefined if it is outside of the pane. */
  private yAt(line: OwnLine): number | undefined {
    const y = this.series?.priceToCoordinate(this.priceAt(line));
    if (y === null || y === undefined) return undefined;
    const height = this.series?.getPane().getHeight() ?? 0;
    return y >= 0 && y <= height ? y : undefined;
  }
}

/** Returns whether a position is at the height of a label, and not left of it. */
function isOn({ y: center, left }: Label, x: number, y: number): boolean {
  return Math.abs(center - y) <= LABEL_PX / 2 && x >= left;
}

/** Returns whether two lines share an item: events replace lines. */
function isSameLine(line: OwnLine, other: OwnLine | undefined): boolean {
  return other?.items.some(({ id }) => line.items.some((item) => item.id === id)) ?? false;
}
