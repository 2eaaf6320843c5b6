import { effect, signal } from '@preact/signals';
import { t } from '../i18n/index.ts';
import { preference } from '../preferences.ts';
import { Icon } from './icon.tsx';

export type Theme = 'light' | 'dark';
const system = matchMedia('(prefers-color-scheme: dark)');

function current(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return system.matches ? 'dark' : 'light';
}

/** The themes that users choose from: `system` follows the preference of the browser. */
export const THEMES = ['system', 'light', 'dark'] as const;
export const themeChoice = preference('theme', THEMES, 'system');

/** The current theme: the system's until the user chooses one. Canvases redraw when it changes. */
export const theme = signal<Theme>(current());
system.addEventListener('change', () => {
  theme.value = current();
});
effect(() => {
  document.documentElement.classList.toggle('dark', theme.value === 'dark');
});

effect(() => {
  if (themeChoice.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = themeChoice.value;
  theme.value = current();
});

export function chooseTheme(chosen: (typeof THEMES)[number]): void {
  themeChoice.value = chosen;
}

export function ThemeToggle() {
  const other = theme.value === 'dark' ? 'light' : 'dark';
  const label = other === 'dark' ? t('Switch to dark theme') : t('Switch to light theme');
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      onClick={() => chooseTheme(other)}
    >
      <Icon name={other === 'light' ? 'sun' : 'moon'} />
    </button>
  );
}

/** Returns the current value of a color token, for canvases. */
export function themeColor(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${token})`;
  // In the body, each probe would have the browser compute the styles of its neighbors again.
  document.head.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

/** Adds an alpha channel to a computed color of the form `rgb(r, g, b)`. */
export function faded(color: string, alpha = 0.4): string {
  return color.replace(/^rgb\(/, 'rgba(').replace(/\)$/, `, ${alpha})`);
}
