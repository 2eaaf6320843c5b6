/** Units of the drawing. */
const WIDTH = 96;
const HEIGHT = 28;

/** A small line from the lowest to the highest value, in the color of the text around it; the figures next to it say the same. */
export function TrendLine({ values: found }: { values: readonly number[] }) {
  // A single value is a line too.
  const values = found.length === 1 ? [...found, ...found] : found;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const y = (value: number) =>
    2 + (HEIGHT - 4) * (high === low ? 0.5 : (high - value) / (high - low));
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, place) => `${place * step},${y(value)}`);
  return (
    <svg class="trend-line" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}
