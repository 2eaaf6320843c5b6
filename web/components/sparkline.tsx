interface SparklineProps {
  /** Values, oldest first. */
  readonly values: readonly number[];
  readonly kind?: 'line' | 'bars';
  /** Description for screen readers. */
  readonly label: string;
}

/** Units of the drawing, which is stretched to its box. */
const WIDTH = 240;
const HEIGHT = 40;

/** A small chart without axes, from zero to the highest value. */
export function Sparkline({ values, kind = 'line', label }: SparklineProps) {
  const top = Math.max(...values, 0);
  const y = (value: number) => HEIGHT - 1 - (top === 0 ? 0 : (value / top) * (HEIGHT - 3));
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {kind === 'bars' ? <Bars values={values} y={y} /> : <Line values={values} y={y} />}
    </svg>
  );
}

interface ShapeProps {
  readonly values: readonly number[];
  readonly y: (value: number) => number;
}

function Bars({ values, y }: ShapeProps) {
  const step = WIDTH / values.length;
  return (
    <>
      {values.map((value, place) => (
        <rect
          key={place}
          x={place * step + 1}
          width={step - 2}
          y={y(value)}
          height={HEIGHT - y(value)}
        />
      ))}
    </>
  );
}

function Line({ values, y }: ShapeProps) {
  if (values.length < 2) return null;
  const step = WIDTH / (values.length - 1);
  const points = values.map(
    (value, place) => `${(place * step).toFixed(1)},${y(value).toFixed(1)}`,
  );
  return (
    <>
      <path class="sparkline-area" d={`M0,${HEIGHT} L${points.join(' ')} L${WIDTH},${HEIGHT} Z`} />
      <polyline points={points.join(' ')} vector-effect="non-scaling-stroke" />
    </>
  );
}
