import type { ComponentChildren } from 'preact';
import { AssetIcon } from '../components/asset-icon.tsx';
import { ICONS, Icon, type IconName } from '../components/icon.tsx';
import { MARKS } from '../components/notice.tsx';
import { Panel } from '../components/panel.tsx';
import { theme, themeColor } from '../components/theme.tsx';
import { marketColors } from '../preferences.ts';

type Token = readonly [name: string, use: string];
interface FillToken {
  readonly name: string;
  /** The color of text on it. */
  readonly ink: string;
  readonly use: string;
}

const SURFACES: readonly Token[] = [
  ['ground', 'The page'],
  ['panel', 'Panels and dialogs'],
  ['raised', 'Buttons and menus. In the light theme as white as a panel.'],
  ['inset', 'Fields and code'],
  ['hover', 'Rows and buttons under the pointer, disabled controls'],
  ['line', 'Lines between rows, borders of panels'],
  ['line-strong', 'Borders of fields'],
];
const INKS: readonly Token[] = [
  ['text', 'Text'],
  ['muted', 'Labels, hints and units'],
  ['accent', 'Links, the selected tab'],
  ['buy', 'Bids, rising prices. Follows the colors that the user chose.'],
  ['sell', 'Asks, falling prices. Follows the colors that the user chose.'],
  ['good', 'Success. Like buy, but never swapped.'],
  ['danger', 'Errors. Like sell, but never swapped.'],
  ['warn', 'Warnings'],
  ['focus', 'The outline of the focused control'],
];
const FILLS: readonly FillToken[] = [
  { name: 'brand', ink: 'on-accent', use: 'The mark of the exchange' },
  { name: 'accent-fill', ink: 'on-accent', use: 'Primary buttons' },
  { name: 'accent-fill-hover', ink: 'on-accent', use: 'The same under the pointer' },
  { name: 'buy-fill', ink: 'on-accent', use: 'Button that buys' },
  { name: 'buy-fill-hover', ink: 'on-accent', use: 'The same under the pointer' },
  { name: 'sell-fill', ink: 'on-accent', use: 'Button that sells' },
  { name: 'sell-fill-hover', ink: 'on-accent', use: 'The same under the pointer' },
  { name: 'good-fill', ink: 'on-accent', use: 'Like buy-fill, but never swapped' },
  {
    name: 'danger-fill',
    ink: 'on-accent',
    use: 'Danger buttons. Like sell-fill, but never swapped.',
  },
  { name: 'danger-fill-hover', ink: 'on-accent', use: 'The same under the pointer' },
  { name: 'accent-soft', ink: 'accent', use: 'Selected section, notes' },
  { name: 'buy-soft', ink: 'buy', use: 'Depth of bids' },
  { name: 'sell-soft', ink: 'sell', use: 'Depth of asks' },
  { name: 'good-soft', ink: 'good', use: 'Badges and messages of success' },
  { name: 'danger-soft', ink: 'danger', use: 'Badges and messages of errors' },
  { name: 'warn-soft', ink: 'warn', use: 'Badges and messages of warnings' },
];
const CHART: readonly Token[] = [
  ['tone-0', 'First series: asset, moving average, drawing'],
  ['tone-1', 'Second series'],
  ['tone-2', 'Third series'],
  ['tone-3', 'Fourth series'],
  ['tone-4', 'Fifth series'],
  ['tone-5', 'Sixth series; then from the first again'],
  ['buy', 'Candles that rise, depth of bids'],
  ['sell', 'Candles that fall, depth of asks'],
  ['warn', 'Price alerts'],
  ['line', 'The grid'],
];
const DISCS: readonly Token[] = [0, 1, 2, 3, 4, 5].map(
  (each) => [`mark-${each}`, 'Discs of assets, in both themes'] as const,
);
const SIZES: readonly Token[] = [
  ['text-2xs', 'Units and notes'],
  ['text-xs', 'Labels, column titles, badges'],
  ['text-sm', 'Tables, facts, leads'],
  ['text-md', 'Text and fields'],
  ['text-lg', 'Titles of panels'],
  ['text-xl', 'Titles of dialogs'],
  ['text-2xl', 'Titles of pages'],
  ['text-3xl', 'Figures, titles of documents and of errors'],
];
const SPACES = [1, 2, 3, 4, 5, 6, 7, 8].map((step) => `space-${step}`);
const RADII: readonly Token[] = [
  ['radius-sm', 'Swatches, keys'],
  ['radius-md', 'Buttons and fields'],
  ['radius-lg', 'Panels'],
  ['radius-xl', 'Dialogs and badges'],
];
const ICON_USES: Readonly<Record<IconName, string>> = {
  close: 'Close a dialog, cancel an order',
  dismiss: 'Dismiss a message',
  search: 'Search of the operator pages on a phone',
  chevron: 'Open a menu or a choice',
  sort: 'A column that can be sorted',
  ascending: 'Sorted, lowest first',
  descending: 'Sorted, highest first',
  calendar: 'Choose a date',
  filter: 'Filter a list',
  download: 'Download',
  trash: 'Remove',
  user: 'Account menu',
  bell: 'Notifications',
  alert: 'Price alert',
  sun: 'Light theme',
  moon: 'Dark theme',
  copy: 'Copy',
  done: 'Copied',
  menu: 'Phone: more links of the header',
  edit: 'Edit',
  eye: 'Hide amounts',
  eyeOff: 'Amounts are hidden',
  passkey: 'Passkey',
  star: 'Favorite market',
  keyboard: 'Keyboard shortcuts',
  layout: 'Layout of the trading page',
  grid: 'Number of charts',
  fullScreen: 'Full screen',
  bars: 'Phone: the chart',
  book: 'Phone: the order book',
  trades: 'Phone: the trades',
  swap: 'Swap two accounts',
  orders: 'Phone: the orders',
  candles: 'Chart type',
  indicator: 'Indicators',
  tools: 'Low phones: the chart tools',
  magnet: 'Drawings snap to prices',
  trend: 'Trend line',
  ray: 'Ray',
  horizontal: 'Horizontal line',
  vertical: 'Vertical line',
  rectangle: 'Rectangle',
  fibonacci: 'Fibonacci retracement',
  measure: 'Measure',
};
const MARK_USES: Readonly<Record<keyof typeof MARKS, string>> = {
  info: 'Message: information',
  success: 'Message: success',
  warning: 'Message: warning',
  error: 'Message: error',
};

/** All colors, with their values in the current theme. */
export function Colors() {
  return (
    <Panel
      title="Colors"
      lead={`Values of the ${theme.value} theme. Choose another theme above to see the others.`}
    >
      <Group title="Surfaces and lines">
        {SURFACES.map(([name, use]) => (
          <Swatch key={name} name={name} use={use} />
        ))}
      </Group>
      <Group title="Text">
        {INKS.map(([name, use]) => (
          <Swatch key={name} name={name} use={use} ink={name} fill="panel" />
        ))}
      </Group>
      <Group title="Fills, with the text that is on them">
        {FILLS.map(({ name, ink, use }) => (
          <Swatch key={name} name={name} use={use} ink={ink} />
        ))}
      </Group>
      <Group title="Charts">
        {CHART.map(([name, use]) => (
          <Swatch key={name} name={name} use={use} />
        ))}
      </Group>
      <Group title="Marks">
        {DISCS.map(([name, use]) => (
          <Swatch key={name} name={name} use={use} />
        ))}
      </Group>
    </Panel>
  );
}

interface SwatchProps {
  readonly name: string;
  readonly use: string;
  /** Color of the sample text; none without it. */
  readonly ink?: string;
  /** Color of the sample; by default the token itself. */
  readonly fill?: string;
}

function Swatch({ name, use, ink, fill = name }: SwatchProps) {
  return (
    <li class="token">
      <span
        class="token-sample"
        aria-hidden="true"
        style={{
          background: `var(--${fill})`,
          ...(ink === undefined ? {} : { color: `var(--${ink})` }),
        }}
      >
        {ink === undefined ? null : 'Aa'}
      </span>
      <TokenText name={name} value={hexColor(name)} use={use} />
    </li>
  );
}

interface TokenTextProps {
  readonly name: string;
  readonly value: string;
  readonly use?: string;
}

function TokenText({ name, value, use }: TokenTextProps) {
  return (
    <span class="token-text">
      <code>{name}</code>
      <span class="token-value">{value}</span>
      {use === undefined ? null : <small class="muted">{use}</small>}
    </span>
  );
}

function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <>
      <h3 class="token-group">{title}</h3>
      <ul class="tokens">{children}</ul>
    </>
  );
}

/** Returns the current value of a color, such as `#2459d8`. */
function hexColor(token: string): string {
  // The value follows both.
  void theme.value;
  void marketColors.value;
  const parts = themeColor(token).match(/\d+/g) ?? [];
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the value of a size, such as `12px`. */
function readSize(token: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${token}`).trim();
}

export function Typography() {
  return (
    <Panel title="Type scale" lead="Digits have the same width everywhere.">
      <ul class="type-scale">
        {SIZES.map(([name, use]) => (
          <li key={name}>
            <TokenText name={name} value={readSize(name)} use={use} />
            <span class="type-sample" style={{ fontSize: `var(--${name})` }}>
              BTC/USDT 117,962.00 +2.50%
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function Spacing() {
  return (
    <Panel title="Spacing and corners">
      <Group title="Distances">
        {SPACES.map((name) => (
          <li key={name} class="token">
            <span class="token-sample plain">
              <i style={{ width: `var(--${name})` }} />
            </span>
            <TokenText name={name} value={readSize(name)} />
          </li>
        ))}
      </Group>
      <Group title="Corners">
        {RADII.map(([name, use]) => (
          <li key={name} class="token">
            <span class="token-sample corner" style={{ borderRadius: `var(--${name})` }} />
            <TokenText name={name} value={readSize(name)} use={use} />
          </li>
        ))}
      </Group>
    </Panel>
  );
}

export function Icons() {
  return (
    <Panel
      title="Icons"
      lead="Lines on a grid of 20 by 20, in the color of the text. The control has the label."
    >
      <ul class="tokens">
        {(Object.keys(ICONS) as IconName[]).map((name) => (
          <li key={name} class="token">
            <span class="token-sample icon">
              <Icon name={name} />
            </span>
            <span class="token-text">
              <code>{name}</code>
              <small class="muted">{ICON_USES[name]}</small>
            </span>
          </li>
        ))}
        {(Object.keys(MARKS) as (keyof typeof MARKS)[]).map((kind) => (
          <li key={kind} class="token">
            <span class="token-sample">
              <span class={`notice ${kind} mark-only`}>
                <span class="mark">{MARKS[kind]}</span>
              </span>
            </span>
            <span class="token-text">
              <code>{kind}</code>
              <small class="muted">{MARK_USES[kind]}</small>
            </span>
          </li>
        ))}
        <li class="token">
          <span class="token-sample icon">
            <AssetIcon asset="BTC" />
          </span>
          <span class="token-text">
            <code>AssetIcon</code>
            <small class="muted">A disc for any asset, drawn from its ticker</small>
          </span>
        </li>
      </ul>
    </Panel>
  );
}
