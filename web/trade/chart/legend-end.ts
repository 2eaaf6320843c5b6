const GAP_PX = 4;

/** Returns the right end of the legend's texts at a height of a chart, with a gap, in pixels; 0 if there are none. */
export function findLegendEnd(canvas: HTMLElement, y: number): number {
  const { left, top } = canvas.getBoundingClientRect();
  const texts = canvas.parentElement?.querySelectorAll('.chart-legend .legend > span') ?? [];
  const ends = [...texts]
    .map((text) => text.getBoundingClientRect())
    .filter((box) => box.width > 0 && box.top - top <= y + 1 && box.bottom - top >= y)
    .map(({ right }) => right - left + GAP_PX);
  return Math.max(0, ...ends);
}
