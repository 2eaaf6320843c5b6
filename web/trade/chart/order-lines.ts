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

/** An open order as the chart shows it. */
export interface ChartOrder {
  readonly orderId: string;
  readonly side: 'buy' | 'sell';
  /** The price that moves with the line: the limit, trigger or activation price. */
  readonly price: string;
  readonly title: string;
  /** Amount that is not filled. */
  readonly remaining: string;
}

/** Orders at one price and side, which share a line. */
export interface OrderLine {
  readonly orders: readonly ChartOrder[];
  readonly price: number;
  readonly side: 'buy' | 'sell';
  readonly title: string;
}

/** Distance in pixels within which a line is grabbed. */
const GRAB_PX = 5;
/** Size of a label, of the × in it that cancels its orders, and the space right of it for the mark of the last candle. */
const LABEL_PX = 18;
const LABEL_RIGHT_PX = 44;
const LABEL_GAP_PX = 4;
/** Height of the candle's values at the top of the pane, which labels leave free; narrow panes wrap them. */
const LEGEND_PX = 25;
const WRAPPED_LEGEND_PX = 44;
const WRAPPED_PANE_PX = 440;

/** Returns a line per price and side. */
export function groupOrders(orders: readonly ChartOrder[]): readonly OrderLine[] {
  const groups = Map.groupBy(orders, ({ side, price }) => `${side} ${Number(price)}`);
  return [...groups.values()].map((group) => {
    const [{ side, price, title }] = group as [ChartOrder, ...ChartOrder[]];
    const { length: count } = group;
    return {
      orders: group,
      side,
      price: Number(price),
      title: count === 1 ? title : groupTitle(side, count, group),
    };
  });
}

function groupTitle(side: OrderLine['side'], count: number, group: readonly ChartOrder[]): string {
  const sum = group.reduce((total, { remaining }) => total.plus(remaining), ZERO);
  const values = { count, remaining: grouped(sum) };
  return side === 'buy'
    ? t('{count} buy orders, {remaining}', values)
    : t('{count} sell orders, {remaining}', values);
}

/** Returns the height of the center of a label: that of its line, except where the pane's edge or the legend is. */
function labelY(y: number, pane: { readonly width: number; readonly height: number }): number {
  const legend = pane.width < WRAPPED_PANE_PX ? WRAPPED_LEGEND_PX : LEGEND_PX;
  const lowest = pane.height - LABEL_PX / 2 - 1;
  return Math.min(lowest, Math.max(Math.round(y), legend + LABEL_PX / 2));
}

/** A change of the line that the pointer drags; orders keep their ids when events replace them. */
interface Drag {
  readonly ids: ReadonlySet<string>;
  readonly price: number;
}

/** Draws open orders as dashed lines with a label each. Prices outside of the visible range have no label. */
export class OrderLines implements ISeriesPrimitive<Time> {
  private lines: readonly OrderLine[] = [];
  private series: ISeriesApi<SeriesType> | undefined;
  private requestUpdate = () => {};
  private colors = { buy: '', sell: '', panel: '', buySoft: '', sellSoft: '' };
  private decimals = 2;
  private dragged: Drag | undefined;
  /** Whether labels have an × that cancels their orders. */
  private canCancel = false;
  /** Left ends and heights of the × of the drawn labels. */
  private crosses: readonly {
    readonly line: OrderLine;
    readonly left: number;
    readonly y: number;
  }[] = [];
  private hovered: OrderLine | undefined;
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

  use(
    orders: readonly ChartOrder[],
    colors: typeof this.colors,
    decimals: number,
    canCancel = false,
  ): void {
    this.lines = groupOrders(orders);
    this.colors = colors;
    this.decimals = decimals;
    this.canCancel = canCancel;
    this.crosses = [];
    // The library keeps the places of labels, which it moves apart, only while the list is the same.
    this.axisViews = this.lines.map((line) => this.axisView(line));
    this.requestUpdate();
  }

  /** Returns the line at a height of the pane. */
  find(y: number): OrderLine | undefined {
    return this.lines.find(({ price }) => {
      const at = this.series?.priceToCoordinate(price);
      return at !== null && at !== undefined && Math.abs(at - y) <= GRAB_PX;
    });
  }

  /** Returns the line whose × is at a position. */
  findCross({ x, y }: { readonly x: number; readonly y: number }): OrderLine | undefined {
    return this.crosses.find(
      (cross) =>
        Math.abs(cross.y - y) <= LABEL_PX / 2 && x >= cross.left && x <= cross.left + LABEL_PX,
    )?.line;
  }

  /** Highlights the × of a line. */
  hover(line: OrderLine | undefined): void {
    if (line === this.hovered) return;
    this.hovered = line;
    this.requestUpdate();
  }

  /** Moves a line until it is dropped. @param price Undefined to show it at its own price again. */
  drag(line: OrderLine, price: number | undefined): void {
    const ids = new Set(line.orders.map(({ orderId }) => orderId));
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
        const crosses: { line: OrderLine; left: number; y: number }[] = [];
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
          if (this.canCancel) crosses.push({ line, left: label.cross, y });
        }
        this.crosses = crosses;
      }),
  };
  private readonly views = [{ zOrder: () => 'top' as const, renderer: () => this.renderer }];

  private drawLine(context: Context, { side }: OrderLine, y: number, paneWidth: number): void {
    context.strokeStyle = this.colors[side];
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
    line: OrderLine,
    y: number,
    right: number,
  ): { left: number; cross: number } {
    const text = Math.ceil(context.measureText(line.title).width) + 12;
    const width = text + (this.canCancel ? LABEL_PX : 0);
    const left = Math.round(right - width);
    const top = y - LABEL_PX / 2;
    context.fillStyle = this.colors.panel;
    context.fillRect(left, top, width, LABEL_PX);
    context.strokeRect(left + 0.5, top + 0.5, width, LABEL_PX);
    context.fillStyle = this.colors[line.side];
    context.fillText(line.title, left + 6, y + 1);
    if (this.canCancel) this.drawCross(context, line, left + text, y);
    return { left, cross: left + text };
  }

  private drawCross(context: Context, line: OrderLine, left: number, y: number): void {
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

  private axisView(line: OrderLine): ISeriesPrimitiveAxisView {
    return {
      coordinate: () => this.yAt(line) ?? -1,
      text: () => grouped(this.priceAt(line).toFixed(this.decimals)),
      // Other colors than those of the last price.
      textColor: () => this.colors[line.side],
      backColor: () => this.colors[`${line.side}Soft`],
      visible: () => this.yAt(line) !== undefined,
      tickVisible: () => true,
    };
  }

  private priceAt(line: OrderLine): number {
    const isDragged = line.orders.some(({ orderId }) => this.dragged?.ids.has(orderId));
    return isDragged ? this.dragged!.price : line.price;
  }

  /** Returns the height of a line; undefined if it is outside of the pane. */
  private yAt(line: OrderLine): number | undefined {
    const y = this.series?.priceToCoordinate(this.priceAt(line));
    if (y === null || y === undefined) return undefined;
    const height = this.series?.getPane().getHeight() ?? 0;
    return y >= 0 && y <= height ? y : undefined;
  }
}
