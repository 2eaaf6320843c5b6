import type { Context } from './own-label.ts';

/** Height of a label of the price axis, as the library draws them. */
export const AXIS_LABEL_PX = 17;
/** Half of the height of a number of the axis. */
const HALF_TICK_PX = 6;
/** Space between a number and a label, with which it is whole. */
const GAP_PX = 2;
/** Space right of labels and of their texts, as the library has it. */
const RIGHT_PX = 5;
const TEXT_RIGHT_PX = 10;

/** The price of an order or an alert on the price axis. */
export interface AxisLabel {
  /** Height of its center. */
  readonly y: number;
  readonly text: string;
  readonly color: string;
  /** Color of its background, drawn over that of the chart. */
  readonly soft: string;
}

interface Axis {
  readonly width: number;
  readonly height: number;
  /** Heights of the numbers that the axis shows. */
  readonly ticks: readonly number[];
  /** Heights of the labels of the last price and the countdown. */
  readonly reserved: Heights | undefined;
  /** Background color of the chart. */
  readonly ground: string;
}

type Heights = readonly [top: number, bottom: number];

/**
 * Returns the heights of labels at wanted heights, in their order: none covers another, or one of the reserved ones.
 * @param reserved Heights of the centers of the first and the last label that the others leave free
 */
export function placeAxisLabels(
  wanted: readonly number[],
  height: number,
  reserved?: Heights,
): readonly number[] {
  const half = AXIS_LABEL_PX / 2;
  const [top, bottom] = toBlock(reserved, height) ?? [height, height];
  const lastPrice = reserved?.[0] ?? Number.POSITIVE_INFINITY;
  const placed: number[] = [];
  const indexes = wanted.map((_, index) => index).sort((a, b) => wanted[a]! - wanted[b]!);
  const above = indexes.filter((index) => wanted[index]! < lastPrice);
  const below = indexes.slice(above.length);
  // Each stack begins at the reserved labels, and returns into the pane from its end.
  stack(above.toReversed(), { from: half, to: top - half, step: -1 });
  stack(below, { from: bottom + half, to: height - half, step: 1 });
  return placed;

  function stack(order: readonly number[], { from, to, step }: Range): void {
    let free = step > 0 ? from : to;
    for (const index of order) {
      const y = step > 0 ? Math.max(free, wanted[index]!) : Math.min(free, wanted[index]!);
      placed[index] = y;
      free = y + step * AXIS_LABEL_PX;
    }
    let edge = step > 0 ? to : from;
    for (const index of order.toReversed()) {
      const y = placed[index]!;
      placed[index] = step > 0 ? Math.min(y, edge) : Math.max(y, edge);
      edge = placed[index]! - step * AXIS_LABEL_PX;
    }
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
  /** The direction in which labels are stacked: 1 for down. */
  readonly step: 1 | -1;
}

/** Returns the edges of the reserved labels, which the library keeps inside of the pane. */
function toBlock(reserved: Heights | undefined, height: number): Heights | undefined {
  if (reserved === undefined) return undefined;
  const [from, to] = reserved;
  const size = to - from + AXIS_LABEL_PX;
  const top = Math.max(0, Math.min(from - AXIS_LABEL_PX / 2, height - size));
  return [top, top + size];
}

/** Draws labels, after removing the numbers that they or the reserved labels would cover in part. */
export function drawAxisLabels(context: Context, labels: readonly AxisLabel[], axis: Axis): void {
  const { width, height, ticks, reserved, ground } = axis;
  context.fillStyle = ground;
  for (const y of findCovered(ticks, labels, toBlock(reserved, height)))
    context.fillRect(0, y - HALF_TICK_PX - 1, width, 2 * HALF_TICK_PX + 2);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const { y, text, color, soft } of labels) {
    const top = Math.round(y - AXIS_LABEL_PX / 2);
    for (const fill of [ground, soft]) {
      context.fillStyle = fill;
      context.fillRect(0, top, width - RIGHT_PX, AXIS_LABEL_PX);
    }
    context.fillStyle = color;
    context.fillText(text, width - TEXT_RIGHT_PX, top + AXIS_LABEL_PX / 2 + 0.5);
  }
}

/** Returns the heights of the numbers that a label covers, in whole or in part. */
export function findCovered(
  ticks: readonly number[],
  labels: readonly Pick<AxisLabel, 'y'>[],
  block: Heights | undefined,
): readonly number[] {
  const half = AXIS_LABEL_PX / 2;
  const blocks = labels.map(({ y }): Heights => [y - half, y + half]);
  if (block !== undefined) blocks.push(block);
  return ticks.filter((y) =>
    blocks.some(
      ([top, bottom]) => y + HALF_TICK_PX + GAP_PX > top && y - HALF_TICK_PX - GAP_PX < bottom,
    ),
  );
}
