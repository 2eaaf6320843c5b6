import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Choices } from '../../components/choices.tsx';
import { theme, themeColor } from '../../components/theme.tsx';
import { compact, grouped } from '../../format.ts';
import { T, t } from '../../i18n/index.ts';
import { book, bookFrame } from '../feed.ts';
import { market, priceDecimals } from '../markets.ts';
import { throttle } from '../throttle.ts';
import { type DepthPoint, type Depths, depthWithin } from './depth.ts';
import { DepthCanvas } from './depth-canvas.ts';

const RANGES = [0.1, 0.5, 1, 2, 5, 10] as const;
const REDRAW_MS = 120;

/** Cumulative bids and asks around the mid price. */
export function DepthChart() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const range = useSignal<number>(1);
  const depths = useSignal<Depths | undefined>(undefined);
  const hovered = useSignal<DepthPoint | undefined>(undefined);
  useDrawing(canvas, range, depths, hovered);
  const shown = depths.value;
  return (
    <div class="canvas-box">
      <div class="legend">
        <Choices
          legend={t('Price range')}
          ids={RANGES}
          chosen={range.value}
          onChoose={(id) => {
            range.value = id;
          }}
          format={(each) => `±${each}%`}
        />
        <HoveredDepth point={hovered.value} />
      </div>
      <div class="canvas" aria-hidden="true">
        <canvas ref={canvas} />
      </div>
      {shown !== undefined && shown.bids.length + shown.asks.length === 0 ? (
        <p class="canvas-note">
          <T text="No orders within ±{range}%." range={range.value} />
        </p>
      ) : null}
      <DepthTable depths={shown} range={range.value} />
    </div>
  );
}

/** Draws the depth whenever the book, the range or the theme changes. */
function useDrawing(
  canvas: RefObject<HTMLCanvasElement | null>,
  range: Signal<number>,
  depths: Signal<Depths | undefined>,
  hovered: Signal<DepthPoint | undefined>,
): void {
  const drawing = useRef<DepthCanvas>(undefined);
  useEffect(() => {
    const created = new DepthCanvas(canvas.current!, (point) => {
      hovered.value = point;
    });
    drawing.current = created;
    return () => created.remove();
  }, [canvas, hovered]);
  useSignalEffect(() => {
    void theme.value;
    drawing.current?.use({
      bid: themeColor('buy'),
      ask: themeColor('sell'),
      line: themeColor('line'),
      text: themeColor('muted'),
    });
  });
  useSignalEffect(() => {
    void range.value;
    const draw = throttle(REDRAW_MS, () => {
      depths.value = depthWithin(book.bids, book.asks, range.value / 100);
      drawing.current?.draw(depths.value, priceDecimals.value);
    });
    const unsubscribe = bookFrame.subscribe(draw);
    return () => {
      unsubscribe();
      draw.cancel();
    };
  });
}

function HoveredDepth({ point }: { point: DepthPoint | undefined }) {
  if (point === undefined) return <span class="muted">{t('Hover for cumulative depth')}</span>;
  const { side, price, total } = point;
  return (
    <span>
      <b class={side === 'bid' ? 'buy' : 'sell'}>
        {t('{side, select, bid {Bids} other {Asks}} to {price}', {
          side,
          price: grouped(price.toFixed(priceDecimals.value)),
        })}
      </b>{' '}
      {compact(total.toFixed(4))} {market.value?.base ?? ''}
    </span>
  );
}

/** The total depth as a table, for screen readers. */
function DepthTable({ depths, range }: { depths: Depths | undefined; range: number }) {
  const { symbol = '', base = '' } = market.value ?? {};
  const total = (points: readonly DepthPoint[] | undefined) =>
    `${compact((points?.at(-1)?.total ?? 0).toFixed(4))} ${base}`;
  return (
    <table class="visually-hidden">
      <caption>
        <T
          text="Depth of {symbol} within ±{range}% of the mid price"
          symbol={symbol}
          range={range}
        />
      </caption>
      <tbody>
        <tr>
          <th scope="row">{t('Total bids')}</th>
          <td>{total(depths?.bids)}</td>
        </tr>
        <tr>
          <th scope="row">{t('Total asks')}</th>
          <td>{total(depths?.asks)}</td>
        </tr>
      </tbody>
    </table>
  );
}
