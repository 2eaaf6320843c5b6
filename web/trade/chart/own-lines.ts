import type {
  AutoscaleInfo,
  IPrimitivePaneRenderer,
  ISeriesApi,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  SeriesType,
  Time,
} from 'lightweight-charts';
import { grouped } from '../../format.ts';
import { type AxisLabel, drawAxisLabels, placeAxisLabels } from './axis-labels.ts';
import type { Position } from './drawings/shapes.ts';
import { type ChartItem, groupItems, isSameLine, type OwnLine } from './own-items.ts';
import {
  type Context,
  drawLabel,
  type Ends,
  isNarrow,
  LABEL_PX,
  type Label,
  legendHeight,
  placeLabel,
  type Size,
} from './own-label.ts';
import { keepLinesOffLegend } from './pane-margins.ts';

const NO_COLORS = {
  ...{ buy: '', sell: '', alert: '', panel: '' },
  ...{ buySoft: '', sellSoft: '', alertSoft: '' },
};
export type LineColors = typeof NO_COLORS;

/** Distance in pixels within which a line is grabbed. */
const GRAB_PX = 5;
/** Width of the part of a line that leads to a label of the axis at another height. */
const BEND_PX = 12;
const MIN_BEND_PX = 2;

/** The labels that a line leads to. */
interface LineEnds {
  readonly label: Label | undefined;
  /** Height of its label of the price axis. */
  readonly tagY: number;
  readonly pane: Size;
}

/** A change of the line that the pointer drags; items keep their ids when events replace them. */
interface Drag {
  readonly ids: ReadonlySet<string>;
  readonly price: number;
}

/** A drawn label, which users can point at. */
interface Drawn extends Label {
  readonly line: OwnLine;
}

/**
 * Draws open orders and price alerts as dashed lines with a label each. In narrow panes, labels give way to candles,
 * and have an × only where it fits between them, until the user points at a line or taps it. Prices outside of the visible range have no label.
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
   * @param findCandles Returns the left and right ends of the candles between two heights, from left to right.
   * @param findLegendEnd Returns the right end of the legend's texts at a height; 0 if there are none.
   */
  constructor(
    private readonly font: () => string,
    private readonly reserved: () => readonly [number, number] | undefined = () => undefined,
    private readonly ticks: () => readonly number[] = () => [],
    private readonly findCandles: (top: number, bottom: number) => readonly Ends[] = () => [],
    private readonly findLegendEnd: (y: number) => number = () => 0,
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

  /** Returns the automatic scale in which the legend covers no line. A dragged line does not change it. */
  fitScale(scale: AutoscaleInfo | null, pane: Size): AutoscaleInfo | null {
    const prices = this.lines.map(({ price }) => price);
    return keepLinesOffLegend(scale, prices, pane);
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

  /** Shows the whole label of a line with its × where the pane is narrow; the others give way to candles. */
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
        const labels = this.placeLabels(context, mediaSize);
        for (const [line, tagY] of this.placeTags()) {
          const label = labels.find((each) => each.line === line);
          this.drawLine(context, line, Math.round(this.yAt(line)!), {
            label,
            tagY,
            pane: mediaSize,
          });
        }
        // Over the lines, which would strike through the labels of others.
        for (const label of labels) {
          const { kind } = label.line;
          drawLabel(context, label, this.colors[kind], this.colors.panel, kind === 'alert');
          if (label.hasCross) this.drawCross(context, label.line, label.right - LABEL_PX, label.y);
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

  /** Returns the labels in the pane. Once one order needs a shorter text, all orders have one, so that they look alike. */
  private placeLabels(context: Context, pane: Size): readonly Drawn[] {
    const labels = this.placeForms(context, pane, false);
    const isShort = labels.some(({ line, text }) => hasTypes(line) && text !== line.titles[0]);
    if (!isShort) return labels;
    const short = this.placeForms(context, pane, true);
    return short.length < labels.length ? labels : short;
  }

  /** @param isShort Whether orders have their second text, except the order whose label is whole */
  private placeForms(context: Context, pane: Size, isShort: boolean): readonly Drawn[] {
    const labels: Drawn[] = [];
    const isExpanded = (line: OwnLine) => isSameLine(line, this.expanded);
    const isWhole = (line: OwnLine) => !isNarrow(pane.width) || isExpanded(line);
    // A whole label takes its place before those that are next to it.
    for (const line of this.lines.toSorted((a, b) => Number(isWhole(b)) - Number(isWhole(a)))) {
      const lineY = this.yAt(line);
      if (lineY === undefined) continue;
      const content = {
        texts: isShort && hasTypes(line) && !isExpanded(line) ? line.titles.slice(1) : line.titles,
        hasBell: line.kind === 'alert',
        cross: this.canRemove && (isWhole(line) || ('free' as const)),
        mayHideCandles: isWhole(line),
      };
      const label = placeLabel(context, lineY, content, labels, pane, this.findCandles);
      if (label !== undefined) labels.push({ ...label, line });
    }
    return labels;
  }

  /** Returns the labels of the price axis. */
  axisLabels(): readonly AxisLabel[] {
    return [...this.placeTags()].map(([line, y]) => ({
      y,
      text: grouped(this.priceAt(line).toFixed(this.decimals)),
      // Other colors than those of the last price.
      color: this.colors[line.kind],
      soft: this.colors[`${line.kind}Soft`],
    }));
  }

  /** Returns the heights of the labels of the price axis, by the visible lines. */
  private placeTags(): ReadonlyMap<OwnLine, number> {
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
    return new Map(visible.map(({ line }, index) => [line, heights[index]!]));
  }

  /** Draws a line, which bends to its label of the price axis, and is connected with a label below the legend. */
  private drawLine(context: Context, { kind }: OwnLine, y: number, ends: LineEnds): void {
    const { label, tagY, pane } = ends;
    const { width } = pane;
    const isBent = Math.abs(tagY - y) > MIN_BEND_PX;
    const right = isBent ? width - BEND_PX : width;
    // The line would show through the legend.
    const legendEnd = y < legendHeight(pane) ? this.findLegendEnd(y) : 0;
    const left = Math.min(legendEnd, label?.isMoved === true ? label.right : right);
    context.strokeStyle = this.colors[kind];
    context.lineWidth = 1;
    context.beginPath();
    if (label?.isMoved === true) {
      context.moveTo(label.right + 0.5, label.y);
      context.lineTo(label.right + 0.5, y + 0.5);
    }
    if (isBent) {
      context.moveTo(right, y + 0.5);
      context.lineTo(width, tagY);
    }
    context.stroke();
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(left, y + 0.5);
    context.lineTo(right, y + 0.5);
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

/** Returns whether the second text of a line names the type of its order, as the first one does. */
function hasTypes({ kind, titles }: OwnLine): boolean {
  return kind !== 'alert' && titles.length > 2;
}

/** Returns whether a position is at the height of a label, and not left of it. */
function isOn({ y: center, left }: Label, x: number, y: number): boolean {
  return Math.abs(center - y) <= LABEL_PX / 2 && x >= left;
}
