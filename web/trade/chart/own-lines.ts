import type {
  IPrimitivePaneRenderer,
  ISeriesApi,
  ISeriesPrimitive,
  ISeriesPrimitiveAxisView,
  SeriesAttachedParameter,
  SeriesType,
  Time,
} from 'lightweight-charts';
import { ZERO } from '../../decimal.ts';
import { grouped } from '../../format.ts';
import { t } from '../../i18n/t.ts';

/** The drawing target of the library; tests check this file without types of the browser. */
type Target = Parameters<IPrimitivePaneRenderer['draw']>[0];
type Context = Parameters<Parameters<Target['useMediaCoordinateSpace']>[0]>[0]['context'];

/** An open order or a price alert as the chart shows it. */
export interface ChartItem {
  readonly id: string;
  readonly kind: Kind;
  /** The price that moves with the line: the limit, trigger or activation price. */
  readonly price: string;
  readonly title: string;
  /** Amount of an order that is not filled. */
  readonly remaining?: string;
}

/** Items of one kind at one price, which share a line. */
export interface OwnLine {
  readonly items: readonly ChartItem[];
  readonly price: number;
  readonly kind: Kind;
  readonly title: string;
}

type Kind = 'buy' | 'sell' | 'alert';
const NO_COLORS = {
  ...{ buy: '', sell: '', alert: '', panel: '' },
  ...{ buySoft: '', sellSoft: '', alertSoft: '' },
};
export type LineColors = typeof NO_COLORS;

/** Distance in pixels within which a line is grabbed. */
const GRAB_PX = 5;
/** Size of a label, of the × in it that removes its items, and the space right of it for the mark of the last candle. */
const LABEL_PX = 18;
const LABEL_RIGHT_PX = 44;
const LABEL_GAP_PX = 4;
/** Width of the bell in the label of an alert. */
const BELL_PX = 15;
/** Height of the candle's values at the top of the pane, which labels leave free; narrow panes wrap them. */
const LEGEND_PX = 25;
const WRAPPED_LEGEND_PX = 44;
const WRAPPED_PANE_PX = 440;

/** Returns a line per price and kind. */
export function groupItems(items: readonly ChartItem[]): readonly OwnLine[] {
  const groups = Map.groupBy(items, ({ kind, price }) => `${kind} ${Number(price)}`);
  return [...groups.values()].map((group) => {
    const [{ kind, price, title }] = group as [ChartItem, ...ChartItem[]];
    const { length: count } = group;
    return {
      items: group,
      kind,
      price: Number(price),
      title: count === 1 ? title : groupTitle(kind, count, group),
    };
  });
}

function groupTitle(kind: Kind, count: number, group: readonly ChartItem[]): string {
  if (kind === 'alert') return t('{count} price alerts', { count });
  const sum = group.reduce((total, { remaining = '0' }) => total.plus(remaining), ZERO);
  const values = { count, remaining: grouped(sum) };
  return kind === 'buy'
    ? t('{count} buy orders, {remaining}', values)
    : t('{count} sell orders, {remaining}', values);
}

/** Draws a bell, in the color of the lines. @param left Its left end @param y The height of its center */
function drawBell(context: Context, left: number, y: number): void {
  const [x, bottom] = [left + 5, y + 3.5];
  context.beginPath();
  context.moveTo(x - 4.5, bottom);
  context.quadraticCurveTo(x - 3, y + 1, x - 3, y - 1);
  context.arc(x, y - 1.5, 3, Math.PI, 0);
  context.quadraticCurveTo(x + 3, y + 1, x + 4.5, bottom);
  context.closePath();
  context.moveTo(x - 1.5, bottom + 2);
  context.lineTo(x + 1.5, bottom + 2);
  context.stroke();
}

/** Returns the height of the center of a label: that of its line, except where the pane's edge or the legend is. */
function labelY(y: number, pane: { readonly width: number; readonly height: number }): number {
  const legend = pane.width < WRAPPED_PANE_PX ? WRAPPED_LEGEND_PX : LEGEND_PX;
  const lowest = pane.height - LABEL_PX / 2 - 1;
  return Math.min(lowest, Math.max(Math.round(y), legend + LABEL_PX / 2));
}

/** A change of the line that the pointer drags; items keep their ids when events replace them. */
interface Drag {
  readonly ids: ReadonlySet<string>;
  readonly price: number;
}

/** Draws open orders and price alerts as dashed lines with a label each. Prices outside of the visible range have no label. */
export class OwnLines implements ISeriesPrimitive<Time> {
  private lines: readonly OwnLine[] = [];
  private series: ISeriesApi<SeriesType> | undefined;
  private requestUpdate = () => {};
  private colors: LineColors = { ...NO_COLORS };
  private decimals = 2;
  private dragged: Drag | undefined;
  /** Whether labels have an × that removes their items. */
  private canRemove = false;
  /** Left ends and heights of the × of the drawn labels. */
  private crosses: readonly {
    readonly line: OwnLine;
    readonly left: number;
    readonly y: number;
  }[] = [];
  private hovered: OwnLine | undefined;
  private axisViews: readonly ISeriesPrimitiveAxisView[] = [];

  /** @param font Returns the font of the labels. */
  constructor(private readonly font: () => string) {}

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
    this.crosses = [];
    // The library keeps the places of labels, which it moves apart, only while the list is the same.
    this.axisViews = this.lines.map((line) => this.axisView(line));
    this.requestUpdate();
  }

  /** Returns the line at a height of the pane. */
  find(y: number): OwnLine | undefined {
    return this.lines.find(({ price }) => {
      const at = this.series?.priceToCoordinate(price);
      return at !== null && at !== undefined && Math.abs(at - y) <= GRAB_PX;
    });
  }

  /** Returns the line whose × is at a position. */
  findCross({ x, y }: { readonly x: number; readonly y: number }): OwnLine | undefined {
    return this.crosses.find(
      (cross) =>
        Math.abs(cross.y - y) <= LABEL_PX / 2 && x >= cross.left && x <= cross.left + LABEL_PX,
    )?.line;
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

  priceAxisViews() {
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
        const crosses: { line: OwnLine; left: number; y: number }[] = [];
        const labels: { y: number; left: number }[] = [];
        for (const line of this.lines) {
          const lineY = this.yAt(line);
          if (lineY === undefined) continue;
          const y = labelY(lineY, mediaSize);
          // Labels of lines close to each other are side by side.
          const lefts = labels.filter((each) => Math.abs(each.y - y) <= LABEL_PX);
          const right = Math.min(
            mediaSize.width - LABEL_RIGHT_PX,
            ...lefts.map(({ left }) => left - LABEL_GAP_PX),
          );
          this.drawLine(context, line, Math.round(lineY), mediaSize.width);
          const label = this.drawLabel(context, line, y, right);
          labels.push({ y, left: label.left });
          if (this.canRemove) crosses.push({ line, left: label.cross, y });
        }
        this.crosses = crosses;
      }),
  };
  private readonly views = [{ zOrder: () => 'top' as const, renderer: () => this.renderer }];

  private drawLine(context: Context, { kind }: OwnLine, y: number, paneWidth: number): void {
    context.strokeStyle = this.colors[kind];
    context.lineWidth = 1;
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(0, y + 0.5);
    context.lineTo(paneWidth, y + 0.5);
    context.stroke();
    context.setLineDash([]);
  }

  /** Draws the label of a line. Returns the left ends of the label and of its ×. */
  private drawLabel(
    context: Context,
    line: OwnLine,
    y: number,
    right: number,
  ): { left: number; cross: number } {
    const icon = line.kind === 'alert' ? BELL_PX : 0;
    const text = Math.ceil(context.measureText(line.title).width) + 12 + icon;
    const width = text + (this.canRemove ? LABEL_PX : 0);
    const left = Math.round(right - width);
    const top = y - LABEL_PX / 2;
    context.fillStyle = this.colors.panel;
    context.fillRect(left, top, width, LABEL_PX);
    context.strokeRect(left + 0.5, top + 0.5, width, LABEL_PX);
    context.fillStyle = this.colors[line.kind];
    if (icon > 0) drawBell(context, left + 6, y);
    context.fillText(line.title, left + 6 + icon, y + 1);
    if (this.canRemove) this.drawCross(context, line, left + text, y);
    return { left, cross: left + text };
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

  private axisView(line: OwnLine): ISeriesPrimitiveAxisView {
    return {
      coordinate: () => this.yAt(line) ?? -1,
      text: () => grouped(this.priceAt(line).toFixed(this.decimals)),
      // Other colors than those of the last price.
      textColor: () => this.colors[line.kind],
      backColor: () => this.colors[`${line.kind}Soft`],
      visible: () => this.yAt(line) !== undefined,
      tickVisible: () => true,
    };
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
