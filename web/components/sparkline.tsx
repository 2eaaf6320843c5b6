import { useSignal } from '@preact/signals';
import { t } from '../i18n/index.ts';
import { scaleTop } from './scale-top.ts';

interface SparklineProps {
  /** Values, oldest first; null where there is none. */
  readonly values: readonly (number | null)[];
  readonly kind?: 'line' | 'bars';
  /** Description for screen readers. */
  readonly label: string;
}

/** Units of the drawing, which is stretched to its box. */
const WIDTH = 240;
const HEIGHT = 40;

/** A small chart without axes, from zero to the highest value. */
export function Sparkline({ values, kind = 'line', label }: SparklineProps) {
  return (
    <svg {...DRAWING} role="img" aria-label={label}>
      <Shape values={values} kind={kind} top={Math.max(...values.map(Number), 0)} />
    </svg>
  );
}

const DRAWING = {
  class: 'sparkline',
  viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
  preserveAspectRatio: 'none',
} as const;

interface TimeChartProps extends SparklineProps {
  readonly format: (value: number) => string;
  /** Returns the text of an end of the scale; default: `format`. */
  readonly formatScale?: (value: number) => string;
  /** Returns the text of a value's time. */
  readonly formatTime: (place: number) => string;
}

/** A small chart with the times of its ends, its scale, and the value and time under the pointer or chosen with the arrow keys. */
export function TimeChart(props: TimeChartProps) {
  const { values, kind = 'line', label, format, formatScale = format, formatTime } = props;
  const chosen = useSignal<number | undefined>(undefined);
  const highest = Math.max(...values.map(Number), 0);
  const top = scaleTop(values);
  const last = values.length - 1;
  const place = chosen.value === undefined ? undefined : Math.min(chosen.value, last);
  const describe = (at: number) => {
    const value = values[at];
    return value === null || value === undefined ? '–' : format(value);
  };
  const choose = (at: number) => {
    chosen.value = Math.max(0, Math.min(last, at));
  };
  const move = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    const share = (event.clientX - left) / width;
    choose(kind === 'bars' ? Math.floor(share * values.length) : Math.round(share * last));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const from = place ?? last;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
  };
  const leave = () => {
    chosen.value = undefined;
  };
  const shown = place ?? last;
  return (
    <div class="time-chart">
      <div
        class="time-chart-drawing"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, shown)}
        aria-valuetext={last < 0 ? t('No data') : `${formatTime(shown)}: ${describe(shown)}`}
        onPointerMove={move}
        onPointerLeave={leave}
        onFocus={() => choose(last)}
        onBlur={leave}
        onKeyDown={onKeyDown}
      >
        <svg {...DRAWING} aria-hidden="true">
          <Shape values={values} kind={kind} top={top} />
        </svg>
        {place === undefined || last < 0 ? null : (
          <span class="time-chart-cursor" style={{ left: `${cursorShare(place, last, kind)}%` }} />
        )}
      </div>
      <div class="time-chart-scale" aria-hidden="true">
        <span>{top === 0 ? '' : formatScale(top)}</span>
        <span>0</span>
      </div>
      <div class="time-chart-times" aria-hidden="true">
        {last < 0 ? null : place === undefined ? (
          <>
            <span>{formatTime(0)}</span>
            {highest > top ? (
              <span class="time-chart-peak">{t('peak {value}', { value: format(highest) })}</span>
            ) : null}
            <span>{formatTime(last)}</span>
          </>
        ) : (
          <>
            <span>{formatTime(place)}</span>
            <b class="time-chart-value">{describe(place)}</b>
          </>
        )}
      </div>
    </div>
  );
}

function cursorShare(place: number, last: number, kind: 'line' | 'bars'): number {
  if (kind === 'bars') return (100 * (place + 0.5)) / (last + 1);
  return last === 0 ? 100 : (100 * place) / last;
}

interface ShapeProps {
  readonly values: readonly (number | null)[];
  readonly kind: 'line' | 'bars';
  /** The value at the top of the drawing; higher ones are cut off. */
  readonly top: number;
}

function Shape({ values, kind, top }: ShapeProps) {
  const y = (value: number) =>
    HEIGHT - 1 - (top === 0 ? 0 : Math.min(1, value / top) * (HEIGHT - 3));
  return kind === 'bars' ? <Bars values={values} y={y} /> : <Lines values={values} y={y} />;
}

interface PlotProps {
  readonly values: readonly (number | null)[];
  readonly y: (value: number) => number;
}

function Bars({ values, y }: PlotProps) {
  const step = WIDTH / values.length;
  return (
    <>
      {values.map((value, place) => (
        <rect
          key={place}
          x={place * step + step * 0.1}
          width={step * 0.8}
          y={y(value ?? 0)}
          height={HEIGHT - y(value ?? 0)}
        />
      ))}
    </>
  );
}

/** A line for each run of values; one value alone is a point. */
function Lines({ values, y }: PlotProps) {
  const step = WIDTH / Math.max(1, values.length - 1);
  const runs: [x: number, y: number][][] = [];
  for (const [place, value] of values.entries()) {
    if (value === null) continue;
    if (place === 0 || values[place - 1] === null || runs.length === 0) runs.push([]);
    runs.at(-1)!.push([place * step, y(value)]);
  }
  return (
    <>
      {runs.map((run, index) => {
        const points = run.map(([x, height]) => `${x.toFixed(1)},${height.toFixed(1)}`);
        const [from, to] = [run[0]![0].toFixed(1), run.at(-1)![0].toFixed(1)];
        return (
          <g key={index}>
            <path
              class="sparkline-area"
              d={`M${from},${HEIGHT} L${points.join(' ')} L${to},${HEIGHT} Z`}
            />
            <polyline points={points.join(' ')} vector-effect="non-scaling-stroke" />
          </g>
        );
      })}
    </>
  );
}
