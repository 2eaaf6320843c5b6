import type {
  IPrimitivePaneRenderer,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';
import type { PriceChart } from '../price-chart.ts';
import { type ProfileRow, volumeProfile } from './volume-profile.ts';

/** Share of the chart's width for the row with the largest volume. */
const WIDTH_SHARE = 0.25;

/** Draws the volume of the visible candles by price, from the left. */
export class ProfilePrimitive implements ISeriesPrimitive<Time> {
  private rows: readonly ProfileRow[] = [];
  private range = '';
  private up = '';
  private down = '';
  private requestUpdate = () => {};

  constructor(
    private readonly chart: PriceChart,
    private readonly count: number,
  ) {}

  attached({ requestUpdate }: SeriesAttachedParameter<Time>): void {
    this.requestUpdate = requestUpdate;
  }

  useColors(up: string, down: string): void {
    this.up = up;
    this.down = down;
    this.requestUpdate();
  }

  /** Calculates the profile again at the next frame. */
  refresh(): void {
    this.range = '';
    this.requestUpdate();
  }

  updateAllViews(): void {
    const range = this.chart.chart.timeScale().getVisibleLogicalRange();
    if (range === null) return;
    const [from, to] = [Math.max(0, Math.ceil(range.from)), Math.floor(range.to) + 1];
    const key = `${from} ${to}`;
    if (key === this.range) return;
    this.range = key;
    this.rows = volumeProfile(this.chart.bars.slice(from, to), this.count);
  }

  paneViews() {
    return [{ zOrder: () => 'bottom' as const, renderer: () => this.renderer }];
  }

  private readonly renderer: IPrimitivePaneRenderer = {
    draw: (target) =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) => {
        const largest = Math.max(...this.rows.map(({ up, down }) => up + down));
        if (!(largest > 0)) return;
        const scale = (mediaSize.width * WIDTH_SHARE) / largest;
        for (const { low, high, up, down } of this.rows) {
          const top = this.chart.series.priceToCoordinate(high);
          const bottom = this.chart.series.priceToCoordinate(low);
          if (top === null || bottom === null) continue;
          const height = Math.max(1, bottom - top - 1);
          context.fillStyle = this.up;
          context.fillRect(0, top, up * scale, height);
          context.fillStyle = this.down;
          context.fillRect(up * scale, top, down * scale, height);
        }
      }),
  };
}
