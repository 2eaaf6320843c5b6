import { grouped, timeOfDay } from '../../format.ts';
import { T, t } from '../../i18n/index.ts';
import type { Timeline } from './order-timeline.tsx';

const WIDTH = 480;
const HEIGHT = 120;
const PAD = 6;

interface QueueChartProps {
  readonly points: Timeline['points'];
  /** End of the last step. */
  readonly until: string;
  readonly base: string;
}

/** The amount ahead of an order over time, as steps: all of it, and the part in the queue of its own price. */
export function QueueChart({ points, until, base }: QueueChartProps) {
  const first = points[0]!;
  const last = points.at(-1)!;
  const start = Date.parse(first.timestamp);
  const end = Math.max(Date.parse(until), Date.parse(last.timestamp), start + 1);
  const top = Math.max(...points.map(({ amountAhead }) => Number(amountAhead))) || 1;
  const x = (time: string) =>
    PAD + ((Date.parse(time) - start) / (end - start)) * (WIDTH - 2 * PAD);
  const y = (amount: string) => HEIGHT - PAD - (Number(amount) / top) * (HEIGHT - 2 * PAD);
  const steps = (value: (point: (typeof points)[number]) => string) => {
    let path = `M${x(first.timestamp)} ${y(value(first))}`;
    for (const point of points) path += `H${x(point.timestamp)}V${y(value(point))}`;
    return `${path}H${WIDTH - PAD}`;
  };
  const label = t(
    'Amount ahead in the queue: {first} {base} at {start}, {last} {base} at {end}, at most {top} {base}.',
    {
      ...{ base, top: grouped(`${top}`) },
      ...{ first: grouped(first.amountAhead), start: timeOfDay(first.timestamp) },
      ...{ last: grouped(last.amountAhead), end: timeOfDay(last.timestamp) },
    },
  );
  return (
    <figure class="queue-chart">
      <figcaption>
        <h3>{t('Amount ahead')}</h3>
        <span class="muted">
          <T
            text="{i} All prices {i2} Own price"
            i={<i class="all" aria-hidden="true" />}
            i2={<i class="own" aria-hidden="true" />}
          />
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <path class="all" d={steps(({ amountAhead }) => amountAhead)} />
        <path class="own" d={steps(({ queueAhead }) => queueAhead)} />
      </svg>
      <p class="muted queue-axis" aria-hidden="true">
        <span>{timeOfDay(first.timestamp)}</span>
        <span>
          <T text="max. {top} {base}" top={top} base={base} />
        </span>
        <span>{timeOfDay(until)}</span>
      </p>
    </figure>
  );
}
