/** Side of the drawing of the icon, without a unit. */
export const ICON_SIZE = 32;
export const ICON_GROUND = [0x2f, 0x6d, 0xf6] as const;
export const ICON_STROKE = 1.6;
/** Radius of the corners. */
export const ICON_RADIUS = 8;

/** Three candles: the center, the wick above and below, and the left, top, width and height of the body. */
export const CANDLES = [
  { x: 9, wick: [8, 11, 20, 24], body: [7, 11, 4, 9] },
  { x: 16, wick: [6, 10, 18, 24], body: [14, 10, 4, 8] },
  { x: 23, wick: [9, 14, 22, 25], body: [21, 14, 4, 8] },
] as const;

const PATH = CANDLES.map(({ x, wick: [high, top, bottom, low], body: [left, , width, height] }) => {
  const wicks = `M${x} ${bottom}V${low}M${x} ${high}V${top}`;
  return `${wicks}M${left} ${top}h${width}v${height}h-${width}z`;
}).join('');

/** The icon as a drawing. */
export const ICON_SVG =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="${ICON_RADIUS}" fill="#2f6df6"/>` +
  `<path d="${PATH}" stroke="#fff" stroke-width="${ICON_STROKE}" fill="none" stroke-linecap="round"/></svg>`;

/** The icon of every page, as a data URL, to save a request. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(ICON_SVG)}`;
