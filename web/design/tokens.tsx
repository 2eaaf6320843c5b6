import { Panel } from '../components/panel.tsx';

/** Colors with text on them, and the token of that text. */
const FILLS = [
  ['accent-fill', 'on-accent'],
  ['buy-fill', 'on-accent'],
  ['sell-fill', 'on-accent'],
  ['danger-fill', 'on-accent'],
  ['accent-soft', 'accent'],
  ['buy-soft', 'buy'],
  ['sell-soft', 'sell'],
  ['good-soft', 'good'],
  ['danger-soft', 'danger'],
  ['warn-soft', 'warn'],
] as const;
const SURFACES = ['ground', 'panel', 'raised', 'inset', 'hover'] as const;
const INKS = ['text', 'muted', 'accent', 'buy', 'sell', 'good', 'danger', 'warn'] as const;
const SIZES = ['2xs', 'xs', 'sm', 'md', 'lg', 'xl', '2xl', '3xl'] as const;
const SPACES = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const RADII = ['sm', 'md', 'lg', 'xl'] as const;

export function Colors() {
  return (
    <Panel title="Colors" lead="Each has a light and a dark value.">
      <ul class="samples">
        {SURFACES.map((name) => (
          <li key={name} class={`sample surface-${name}`}>
            {name}
          </li>
        ))}
        {FILLS.map(([name]) => (
          <li key={name} class={`sample fill-${name}`}>
            {name}
          </li>
        ))}
      </ul>
      <p class="inks">
        {INKS.map((name) => (
          <span key={name} class={`ink-${name}`}>
            {name}
          </span>
        ))}
      </p>
    </Panel>
  );
}

export function Typography() {
  return (
    <Panel title="Type scale" lead="Digits have the same width everywhere.">
      {SIZES.map((size) => (
        <p key={size} class={`type-${size}`}>
          <span class="muted">{size}</span> BTC/USDT 117,962.00 +2.50%
        </p>
      ))}
    </Panel>
  );
}

export function Spacing() {
  return (
    <Panel title="Spacing and corners">
      <ul class="samples">
        {SPACES.map((step) => (
          <li key={step} class="space">
            <i class={`space-${step}`} /> space-{step}
          </li>
        ))}
        {RADII.map((name) => (
          <li key={name} class={`sample radius-${name}`}>
            radius-{name}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
