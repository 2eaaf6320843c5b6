import { canvasFont } from '../../components/canvas-font.ts';
import { faded } from '../../components/theme.tsx';
import { type DepthPoint, type Depths, depthLabel, priceLabel } from './depth.ts';

interface Palette {
  readonly bid: string;
  readonly ask: string;
  readonly line: string;
  readonly text: string;
}

const AXIS_PX = 22;

/** The depth chart, on a canvas that fills its box at the resolution of the screen. */
export class DepthCanvas {
  private readonly context: CanvasRenderingContext2D;
  private readonly observer: ResizeObserver;
  private palette: Palette | undefined;
  private depths: Depths | undefined;
  private decimals = 2;
  private readonly onMove = (event: PointerEvent) => this.onHover(this.pointAt(event.offsetX));
  private readonly onLeave = () => this.onHover(undefined);

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly onHover: (point: DepthPoint | undefined) => void,
  ) {
    this.context = canvas.getContext('2d')!;
    this.observer = new ResizeObserver(() => this.paint());
    this.observer.observe(canvas);
    canvas.addEventListener('pointermove', this.onMove);
    canvas.addEventListener('pointerleave', this.onLeave);
  }

  use(palette: Palette): void {
    this.palette = palette;
    this.paint();
  }

  draw(depths: Depths, decimals: number): void {
    this.depths = depths;
    this.decimals = decimals;
    this.paint();
  }

  remove(): void {
    this.observer.disconnect();
    this.canvas.removeEventListener('pointermove', this.onMove);
    this.canvas.removeEventListener('pointerleave', this.onLeave);
  }

  private paint(): void {
    const { canvas, context, palette, depths } = this;
    if (palette === undefined || depths === undefined) return;
    const { clientWidth: width, clientHeight: height } = canvas;
    const scale = devicePixelRatio;
    if (
      canvas.width !== Math.round(width * scale) ||
      canvas.height !== Math.round(height * scale)
    ) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const bottom = height - AXIS_PX;
    const maxTotal = Math.max(depths.bids.at(-1)?.total ?? 0, depths.asks.at(-1)?.total ?? 0);
    this.paintGrid(width, bottom, palette, maxTotal);
    if (maxTotal === 0) return;
    const y = (total: number) => bottom - (total / maxTotal) * (bottom - 12);
    this.paintSide(depths.bids, 0, palette.bid, y, bottom);
    this.paintSide(depths.asks, width, palette.ask, y, bottom);
  }

  private paintGrid(width: number, bottom: number, palette: Palette, maxTotal: number): void {
    const { context, depths } = this;
    context.font = canvasFont();
    context.fillStyle = palette.text;
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    context.beginPath();
    for (let part = 0; part <= 4; part++) {
      const x = Math.round((width * part) / 4) + 0.5;
      context.moveTo(x, 0);
      context.lineTo(x, bottom);
      context.textAlign = part === 0 ? 'left' : part === 4 ? 'right' : 'center';
      const label = priceLabel(depths!, part / 4, this.decimals);
      context.fillText(label, part === 4 ? width - 4 : x + 4, bottom + 15);
      const y = Math.round(bottom - ((bottom - 12) * part) / 4) + 0.5;
      context.moveTo(0, y);
      context.lineTo(width, y);
      if (part === 0 || maxTotal === 0) continue;
      context.textAlign = 'right';
      context.fillText(depthLabel((maxTotal * part) / 4), width - 4, y - 3);
    }
    context.stroke();
  }

  private paintSide(
    points: readonly DepthPoint[],
    edge: number,
    color: string,
    y: (total: number) => number,
    bottom: number,
  ): void {
    const [first] = points;
    if (first === undefined) return;
    const { context } = this;
    context.beginPath();
    context.moveTo(this.x(first.price), bottom);
    let height = bottom;
    for (const { price, total } of points) {
      context.lineTo(this.x(price), height);
      height = y(total);
      context.lineTo(this.x(price), height);
    }
    context.lineTo(edge, height);
    context.strokeStyle = color;
    context.lineWidth = 1.5;
    context.stroke();
    context.lineTo(edge, bottom);
    context.fillStyle = faded(color, 0.18);
    context.fill();
  }

  private x(price: number): number {
    const { low, high } = this.depths!;
    return ((price - low) / (high - low)) * this.canvas.clientWidth;
  }

  /** Returns the point under the horizontal position `x`. */
  private pointAt(x: number): DepthPoint | undefined {
    const { depths } = this;
    if (depths === undefined) return undefined;
    const price = depths.low + (x / this.canvas.clientWidth) * (depths.high - depths.low);
    const best = depths.bids[0]?.price ?? depths.low;
    if (price <= best) return depths.bids.findLast((point) => point.price >= price);
    return depths.asks.findLast((point) => point.price <= price);
  }
}
