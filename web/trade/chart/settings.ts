import { signal } from '@preact/signals';
import { msg } from '../../i18n/t.ts';
import { preference, storedValue } from '../../preferences.ts';

/** Intervals with a button each; the others are in a menu. */
export const COMMON_INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
export const MORE_INTERVALS = [
  '1s',
  '3m',
  '30m',
  '2h',
  '6h',
  '8h',
  '12h',
  '3d',
  '1w',
  '1M',
] as const;
const INTERVALS = [...COMMON_INTERVALS, ...MORE_INTERVALS];
export type Interval = (typeof INTERVALS)[number];
/** The interval of the first chart. */
export const interval = preference<Interval>('interval', INTERVALS, '15m');

export const CHART_TYPES = {
  candles: msg('Candles'),
  hollow: msg('Hollow candles'),
  bars: msg('Bars'),
  heikinAshi: msg('Heikin-Ashi'),
  line: msg('Line'),
  area: msg('Area'),
} as const;
export type ChartType = keyof typeof CHART_TYPES;
export const chartType = preference(
  'chart-type',
  Object.keys(CHART_TYPES) as ChartType[],
  'candles',
);

export const PRICE_SCALES = ['linear', 'log', 'percent'] as const;
export type PriceScale = (typeof PRICE_SCALES)[number];
/** The division of the price axes of all charts; in percent they start at the first visible price. */
export const priceScale = preference<PriceScale>('price-scale', PRICE_SCALES, 'linear');
/** Incremented when the charts should fit their prices again, after the user has dragged a price axis. */
export const fitRequests = signal(0);

export const CHART_TABS = ['price', 'depth'] as const;
export const chartTab = preference('chart-tab', CHART_TABS, 'price');

/** Kinds of indicators with the names and defaults of their parameters. */
export const INDICATORS = {
  ma: { name: msg('Moving average (MA)'), short: 'MA', parameters: [[msg('Period'), 20]] },
  ema: { name: msg('Exponential average (EMA)'), short: 'EMA', parameters: [[msg('Period'), 50]] },
  bollinger: {
    name: msg('Bollinger bands'),
    short: 'BB',
    parameters: [
      [msg('Period'), 20],
      [msg('Deviations'), 2],
    ],
  },
  vwap: { name: msg('Volume-weighted price (VWAP)'), short: 'VWAP', parameters: [] },
  rsi: { name: msg('Relative strength (RSI)'), short: 'RSI', parameters: [[msg('Period'), 14]] },
  macd: {
    name: msg('MACD'),
    short: 'MACD',
    parameters: [
      [msg('Fast'), 12],
      [msg('Slow'), 26],
      [msg('Signal'), 9],
    ],
  },
  stochastic: {
    name: msg('Stochastic oscillator'),
    short: 'Stoch',
    parameters: [
      [msg('Period'), 14],
      [msg('Smoothing'), 3],
      [msg('Signal'), 3],
    ],
  },
  atr: { name: msg('Average true range (ATR)'), short: 'ATR', parameters: [[msg('Period'), 14]] },
  obv: { name: msg('On-balance volume (OBV)'), short: 'OBV', parameters: [] },
  profile: {
    name: msg('Volume profile'),
    short: 'VP',
    parameters: [[msg('Rows'), 48]],
  },
} as const satisfies Record<
  string,
  { name: string; short: string; parameters: readonly (readonly [string, number])[] }
>;
export type IndicatorKind = keyof typeof INDICATORS;

export interface Indicator {
  /** Unique among the indicators of this browser. */
  readonly id: number;
  readonly kind: IndicatorKind;
  readonly parameters: readonly number[];
}

const MAX_INDICATORS = 12;
/** Limits of all parameters: periods, deviations and rows. */
export const PARAMETER_RANGE = { min: 1, max: 500 } as const;

const PANE_KINDS: ReadonlySet<IndicatorKind> = new Set(['rsi', 'macd', 'stochastic', 'atr', 'obv']);

/** Returns whether an indicator has a pane below the prices, because it has other units. */
export function hasPane({ kind }: Indicator): boolean {
  return PANE_KINDS.has(kind);
}

/** The indicators on all charts. */
export const indicators = storedValue<readonly Indicator[]>('indicators', parseIndicators, []);

function parseIndicators(json: unknown): readonly Indicator[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const isValid = ({ kind, parameters }: Partial<Indicator>) =>
    kind !== undefined &&
    kind in INDICATORS &&
    Array.isArray(parameters) &&
    parameters.length === INDICATORS[kind].parameters.length &&
    parameters.every(isParameter);
  return json
    .filter(isValid)
    .slice(0, MAX_INDICATORS)
    .map(({ kind, parameters }, id) => ({ id, kind, parameters }));
}

export function isParameter(value: unknown): value is number {
  return typeof value === 'number' && value >= PARAMETER_RANGE.min && value <= PARAMETER_RANGE.max;
}

export function addIndicator(kind: IndicatorKind): void {
  if (indicators.value.length === MAX_INDICATORS) return;
  const id = 1 + Math.max(0, ...indicators.value.map((each) => each.id));
  const parameters = INDICATORS[kind].parameters.map(([, value]) => value);
  indicators.value = [...indicators.value, { id, kind, parameters }];
}

export function removeIndicator(id: number): void {
  indicators.value = indicators.value.filter((each) => each.id !== id);
}

export function setParameter(id: number, index: number, value: number): void {
  indicators.value = indicators.value.map((each) =>
    each.id === id ? { ...each, parameters: each.parameters.with(index, value) } : each,
  );
}

/** Returns the name of an indicator in the legend, such as `BB 20 2`. */
export function indicatorLabel({ kind, parameters }: Indicator): string {
  return [INDICATORS[kind].short, ...parameters].join(' ');
}

/** A chart next to the first one: its interval, and its market, or undefined for that of the page. */
export interface ExtraChart {
  readonly interval: Interval;
  readonly symbol: string | undefined;
}

export const CHART_COUNTS = ['1', '2', '4'] as const;
export const chartCount = preference('charts', CHART_COUNTS, '1');
const EXTRA: readonly ExtraChart[] = (['1h', '4h', '1d'] as const).map((each) => ({
  interval: each,
  symbol: undefined,
}));
/** The settings of the second to fourth chart. */
export const extraCharts = storedValue<readonly ExtraChart[]>('extra-charts', parseCharts, EXTRA);

function parseCharts(json: unknown): readonly ExtraChart[] | undefined {
  if (!Array.isArray(json) || json.length !== EXTRA.length) return undefined;
  return json.map(({ interval: found, symbol }: Partial<ExtraChart>, index) => ({
    interval: INTERVALS.find((each) => each === found) ?? EXTRA[index]!.interval,
    symbol: typeof symbol === 'string' ? symbol : undefined,
  }));
}

export const TOOLS = [
  'trend',
  'ray',
  'horizontal',
  'vertical',
  'rectangle',
  'fibonacci',
  'measure',
] as const;
export type Tool = (typeof TOOLS)[number];
/** The drawing tool in use. */
export const tool = signal<Tool | undefined>(undefined);
/** Whether the tool was chosen by keyboard: its drawing starts in the middle of the chart. */
export const keyboardDrawing = signal(false);
/** Whether points of drawings take the nearest price of their candle. */
export const magnet = preference('magnet', ['off', 'on'] as const, 'off');
