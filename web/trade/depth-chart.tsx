import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Choices } from '../components/choices.tsx';
import { theme, themeColor } from '../components/theme.tsx';
import { compact, grouped } from '../format.ts';
import { DepthCanvas, type DepthPoint, type Depths, depthWithin } from './depth-canvas.ts';
import { book, bookFrame } from './feed.ts';
import { market, priceDecimals } from './markets.ts';
import { throttle } from './throttle.ts';

const RANGES = [0.1, 0.5, 1, 2, 5, 10] as const;
const REDRAW_MS = 120;

/** Cumulative bids and asks around the mid price. */
export function DepthChart() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing = useRef<DepthCanvas>(undefined);
  const range = useSignal<number>(1);
  const depths = useSignal<Depths | undefined>(undefined);
  const hovered = useSignal<DepthPoint | undefined>(undefined);

  useEffect(() => {
    const created = new DepthCanvas(canvas.current!, (point) => {
      hovered.value = point;
    });
    drawing.current = created;
    return () => created.remove();
  }, [hovered]);
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
    const end = bookFrame.subscribe(draw);
    return () => {
      end();
      draw.cancel();
    };
  });

  const { base = '', quote = '' } = market.value ?? {};
  const point = hovered.value;
  const shown = depths.value;
  return (
    <div class="canvas-box">
      <div class="legend">
        <Choices
          legend="Price range"
          ids={RANGES}
          chosen={range.value}
          onChoose={(id) => {
            range.value = id;
          }}
          nameOf={(each) => `±${each}%`}
        />
        <span>
          {point === undefined ? (
            <span class="muted">Hover for cumulative depth</span>
          ) : (
            <>
              <b class={point.side === 'bid' ? 'buy' : 'sell'}>
                {point.side === 'bid' ? 'Bids' : 'Asks'} to{' '}
                {grouped(point.price.toFixed(priceDecimals.value))}
              </b>{' '}
              {compact(point.total.toFixed(4))} {base}
            </>
          )}
        </span>
      </div>
      <div class="canvas" aria-hidden="true">
        <canvas ref={canvas} />
      </div>
      {shown !== undefined && shown.bids.length + shown.asks.length === 0 ? (
        <p class="canvas-note">No orders within ±{range.value}%.</p>
      ) : null}
      <table class="visually-hidden">
        <caption>
          Depth of {base}/{quote} within ±{range.value}% of the mid price
        </caption>
        <tbody>
          <tr>
            <th scope="row">Total bids</th>
            <td>
              {compact((shown?.bids.at(-1)?.total ?? 0).toFixed(4))} {base}
            </td>
          </tr>
          <tr>
            <th scope="row">Total asks</th>
            <td>
              {compact((shown?.asks.at(-1)?.total ?? 0).toFixed(4))} {base}
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
