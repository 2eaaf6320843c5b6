/** Rows of each side of the order book that fit into its box. */
interface RowFit {
  readonly count: number;
  /** Whole pixels, without which there are lines between the depth bars. */
  readonly rowPx: number;
  /** The pixels that remain. */
  readonly restPx: number;
  /** Whether there is room for larger type. */
  readonly isRoomy: boolean;
}

/** Heights of rows in small and in large boxes; of several the one that fills the box best is taken. */
const ROW_HEIGHTS = [19, 20, 21];
const ROOMY_ROW_HEIGHTS = [23, 24, 25];
/** For fingers: a tap on a neighboring row would pick another price. */
const TOUCH_ROW_HEIGHTS = [26, 27, 28, 29, 30];
const ROOMY_PX = 760;
const MIN_ROWS = 4;
const MIN_TOUCH_ROWS = 2;
/** Rows that small boxes show if they can, even if others would fill them better. */
const WANTED_ROWS = 12;

/**
 * @param availablePx The height of the box without its head and the spread
 * @param isTouch Whether a finger taps the rows
 */
export function fitRows(availablePx: number, isTouch: boolean): RowFit {
  const isRoomy = availablePx >= ROOMY_PX;
  const minRows = isTouch ? MIN_TOUCH_ROWS : MIN_ROWS;
  const heights = isTouch ? TOUCH_ROW_HEIGHTS : isRoomy ? ROOMY_ROW_HEIGHTS : ROW_HEIGHTS;
  const fits = heights.map((rowPx) => {
    const count = Math.max(minRows, Math.floor(availablePx / 2 / rowPx));
    return { count, rowPx, restPx: Math.max(0, availablePx - 2 * count * rowPx), isRoomy };
  });
  const wanted = Math.min(WANTED_ROWS, fits[0]!.count);
  return fits
    .filter(({ count }) => count >= wanted)
    .reduce((best, each) => (each.restPx < best.restPx ? each : best));
}
