import type { IPrimitivePaneRenderer } from 'lightweight-charts';

/** The drawing target of the library; tests check this file without types of the browser. */
export type Target = Parameters<IPrimitivePaneRenderer['draw']>[0];
export type Context = Parameters<Parameters<Target['useMediaCoordinateSpace']>[0]>[0]['context'];

/** Height of a label, and width of the × in it that removes its items. */
export const LABEL_PX = 18;
const LABEL_GAP_PX = 4;
/** Minimum distance between the centers of two labels, one above the other: their borders do not touch. */
const LABEL_PITCH_PX = LABEL_PX + 3;
/** Distance by which a label may be off the center of its line to keep clear of another one. */
const NUDGE_PX = 8;
/** Space left of labels: they are at the left, where no recent candle is below them. */
const LEFT_PX = 8;
const NARROW_LEFT_PX = 2;
/** Space right of labels that are below the legend, for the line that connects them with their price. */
const RIGHT_PX = 12;
/** Space left and right of a text. */
const PADDING_PX = 6;
/** Width of the bell in the label of an alert. */
const BELL_PX = 15;
/** Height of the candle's values at the top of the pane, which labels leave free; narrow panes wrap them. */
const LEGEND_PX = 25;
const WRAPPED_LEGEND_PX = 44;
const NARROW_PANE_PX = 440;
const LOW_PANE_PX = 260;

/** The left and right end of a candle. */
export type Ends = readonly [left: number, right: number];

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Place of a label, as far as other labels must keep clear of it. */
export interface Label {
  /** Height of its center. */
  readonly y: number;
  readonly left: number;
  readonly right: number;
  readonly text: string;
  readonly hasCross: boolean;
  /** Whether it is below the legend, and so at another height than its line. */
  readonly isMoved: boolean;
}

/** The texts and icons of a label. */
interface Content {
  /** Texts of which the first that fits is shown, longest first. */
  readonly texts: readonly string[];
  readonly hasBell: boolean;
  /** Whether the label has an ×; `free` if only where it hides no candle. */
  readonly cross: boolean | 'free';
  /** Whether the longest text is shown where candles leave no gap; else the shortest. */
  readonly mayHideCandles: boolean;
}

/** Returns whether a pane is so narrow that whole labels would hide a large part of its candles. */
export function isNarrow(paneWidth: number): boolean {
  return paneWidth < NARROW_PANE_PX;
}

/** Returns whether a pane is so small that the legend, while the user points at no candle, would hide too much of it. */
export function isLow({ width, height }: Size): boolean {
  return isNarrow(width) && height < LOW_PANE_PX;
}

/** Returns the height of the legend in a pane that always shows it. */
export function legendHeight(pane: Size): number {
  if (isLow(pane)) return 0;
  return isNarrow(pane.width) ? WRAPPED_LEGEND_PX : LEGEND_PX;
}

/**
 * Returns the place of the label of a line: at its height, except where the pane's edge or the legend is, next to other
 * labels there, and in the leftmost gap between candles, if there is one. Undefined if not even the shortest text fits.
 */
export function placeLabel(
  context: Context,
  lineY: number,
  { texts, hasBell, cross, mayHideCandles }: Content,
  others: readonly Label[],
  pane: Size,
  findCandles: (top: number, bottom: number) => readonly Ends[],
): Label | undefined {
  const lowest = pane.height - LABEL_PX / 2 - 1;
  const highest = legendHeight(pane) + LABEL_PX / 2;
  const inside = (at: number) => Math.min(lowest, Math.max(Math.round(at), highest));
  const y = inside(lineY);
  const isMoved = y - lineY > LABEL_PX / 2;
  const findNear = (at: number) =>
    others.filter((other) => Math.abs(other.y - at) < LABEL_PITCH_PX);
  const near = findNear(y);
  const lefts = near.filter((other) => other.isMoved).map(({ left }) => left - LABEL_GAP_PX);
  const rights = near.filter((other) => !other.isMoved).map(({ right }) => right + LABEL_GAP_PX);
  const start = isNarrow(pane.width) ? NARROW_LEFT_PX : LEFT_PX;
  const from = Math.max(start, ...rights);
  const to = Math.min(pane.width - RIGHT_PX, ...lefts);
  const measure = (text: string, hasCross: boolean) =>
    Math.ceil(context.measureText(text).width) +
    2 * PADDING_PX +
    (hasBell ? BELL_PX : 0) +
    (hasCross ? LABEL_PX : 0);
  if (!isMoved) {
    const places = nudges(y, near).map((nudged) => {
      const at = inside(nudged);
      const labels = findNear(at).filter((other) => !other.isMoved);
      const candles = findCandles(at - LABEL_PX / 2, at + LABEL_PX / 2);
      const taken = [...candles, ...labels.map(({ left, right }): Ends => [left, right])];
      return { at, taken: taken.sort(([a], [b]) => a - b) };
    });
    // A shorter text where the longer one would hide candles.
    for (const [text, hasCross] of listForms(texts, cross)) {
      const width = measure(text, hasCross);
      for (const { at, taken } of places) {
        const left = findGap(taken, width, start, to);
        if (left !== undefined)
          return { y: at, left, right: left + width, text, hasCross, isMoved };
      }
    }
  }
  // Candles leave the top of the pane free.
  const hasCross = cross === 'free' ? isMoved : cross;
  const byPreference = mayHideCandles || isMoved ? texts : texts.toReversed();
  const text = byPreference.find((each) => measure(each, hasCross) <= to - from);
  if (text === undefined) return undefined;
  const width = measure(text, hasCross);
  const left = isMoved ? to - width : from;
  return { y, left, right: left + width, text, hasCross, isMoved };
}

/** Returns the forms of a label, the best first: an × is more important than a long text, not than the type of the order. */
function listForms(
  texts: readonly string[],
  cross: Content['cross'],
): readonly (readonly [text: string, hasCross: boolean])[] {
  if (cross !== 'free') return texts.map((text) => [text, cross] as const);
  const named = texts.slice(0, Math.max(1, texts.length - 1));
  return [
    ...named.map((text) => [text, true] as const),
    ...texts.map((text) => [text, false] as const),
  ];
}

/** Returns the heights that a label may have, the best first: the height of its line, just clear of another label, or near the line. */
function nudges(y: number, near: readonly Label[]): readonly number[] {
  const clear = near
    .flatMap((other) => [other.y - LABEL_PITCH_PX, other.y + LABEL_PITCH_PX])
    .filter((at) => Math.abs(at - y) <= NUDGE_PX)
    .sort((a, b) => Math.abs(a - y) - Math.abs(b - y));
  const around = Array.from({ length: NUDGE_PX }, (_, index) => [y - index - 1, y + index + 1]);
  return [y, ...clear, ...around.flat()];
}

/** Returns the left end of the first gap of a width; undefined if there is none. */
function findGap(
  taken: readonly Ends[],
  width: number,
  from: number,
  to: number,
): number | undefined {
  let left = from;
  for (const [start, end] of taken) {
    if (start >= left + width) break;
    if (end > left) left = end + LABEL_GAP_PX;
  }
  return left + width <= to ? left : undefined;
}

/** Draws a label. @param color Color of its border and text */
export function drawLabel(
  context: Context,
  { y, left, right, text }: Label,
  color: string,
  panel: string,
  hasBell: boolean,
): void {
  const top = y - LABEL_PX / 2;
  context.fillStyle = panel;
  context.fillRect(left, top, right - left, LABEL_PX);
  context.strokeStyle = color;
  context.strokeRect(left + 0.5, top + 0.5, right - left, LABEL_PX);
  context.fillStyle = color;
  if (hasBell) drawBell(context, left + PADDING_PX, y);
  context.fillText(text, left + PADDING_PX + (hasBell ? BELL_PX : 0), y + 1);
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
