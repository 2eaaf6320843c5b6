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

/** Draws open orders as dashed lines with a label each. Prices outside of the visible range have no label. */
export class OrderLines implements ISeriesPrimitive<Time> {
  private lines: readonly OrderLine[] = [];
  private series: ISeriesApi<SeriesType> | undefined;
  private requestUpdate = () => {};
  private colors = { buy: '', sell: '', panel: '' };
  private decimals = 2;
  /** The line being dragged and its price. */
  private dragged: { readonly line: OrderLine; readonly price: number } | undefined;

  /** @param font Returns the font of the labels. */
  constructor(private readonly font: () => string) {}

  attached({ series, requestUpdate }: SeriesAttachedParameter<Time>): void {
    this.series = series;
    this.requestUpdate = requestUpdate;
  }

  detached(): void {
    this.series = undefined;
  }

  use(orders: readonly ChartOrder[], colors: typeof this.colors, decimals: number): void {
    this.lines = groupOrders(orders);
    this.colors = colors;
    this.decimals = decimals;
    this.requestUpdate();
  }

  /** Returns the line at a height of the pane. */
  find(y: number): OrderLine | undefined {
    return this.lines.find(({ price }) => {
      const at = this.series?.priceToCoordinate(price);
      return at !== null && at !== undefined && Math.abs(at - y) <= GRAB_PX;
    });
  }

  /** Moves a line until it is dropped. @param price Undefined to show it at its own price again. */
  drag(line: OrderLine, price: number | undefined): void {
    this.dragged = price === undefined ? undefined : { line, price };
    this.requestUpdate();
  }

  priceAxisViews() {
    return this.lines.map((line) => {
      const y = this.yAt(line);
      return {
        coordinate: () => y ?? -1,
        text: () => grouped(this.priceAt(line).toFixed(this.decimals)),
        textColor: () => this.colors.panel,
        backColor: () => this.colors[line.side],
        visible: () => y !== undefined,
        tickVisible: () => true,
      };
    });
  }

  paneViews() {
    return [{ zOrder: () => 'top' as const, renderer: () => this.renderer }];
  }

  private readonly renderer: IPrimitivePaneRenderer = {
    draw: (target) =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) => {
        context.font = this.font();
        context.textBaseline = 'middle';
        for (const line of this.lines) {
          const y = this.yAt(line);
          if (y === undefined) continue;
          context.strokeStyle = this.colors[line.side];
          context.setLineDash([4, 3]);
          context.beginPath();
          context.moveTo(0, y + 0.5);
          context.lineTo(mediaSize.width, y + 0.5);
          context.stroke();
          context.setLineDash([]);
          const width = context.measureText(line.title).width + 12;
          const left = mediaSize.width - width - 8;
          context.fillStyle = this.colors.panel;
          context.fillRect(left, y - 9, width, 18);
          context.strokeRect(left + 0.5, y - 8.5, width, 18);
          context.fillStyle = this.colors[line.side];
          context.fillText(line.title, left + 6, y + 1);
        }
      }),
  };

  private priceAt(line: OrderLine): number {
    return this.dragged?.line === line ? this.dragged.price : line.price;
  }

  /** Returns the height of a line; undefined if it is outside of the pane. */
  private yAt(line: OrderLine): number | undefined {
    const y = this.series?.priceToCoordinate(this.priceAt(line));
    if (y === null || y === undefined) return undefined;
    const height = this.series?.getPane().getHeight() ?? 0;
    return y >= 0 && y <= height ? y : undefined;
  }
}
