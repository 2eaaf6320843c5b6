import { effect, type Signal } from '@preact/signals';
import { Select } from '../components/field.tsx';
import { Panel } from '../components/panel.tsx';
import { chooseTheme, THEMES, themeChoice } from '../components/theme.tsx';
import { msg, t } from '../i18n/index.ts';
import { LANGUAGES, type Language, language } from '../i18n/language.ts';
import { CLOCKS, clock, MARKET_COLORS, marketColors } from '../preferences.ts';

const THEME_NAMES = { system: msg('System'), light: msg('Light'), dark: msg('Dark') };
const CLOCK_NAMES = { local: msg('Local time'), utc: msg('UTC') };
const COLOR_NAMES = {
  'green-red': msg('Green up, red down'),
  'red-green': msg('Red up, green down'),
  'blue-orange': msg('Blue up, orange down (color-blind safe)'),
};

effect(() => {
  document.documentElement.dataset.colors = marketColors.value;
});

/** Settings of the display in this browser: theme, market colors, time zone and language. */
export function DisplaySettings() {
  return (
    <div class="display-settings">
      <Select
        label={t('Theme')}
        value={themeChoice.value}
        options={THEMES.map((id) => [id, THEME_NAMES[id]] as const)}
        onChange={chooseTheme}
      />
      <Preference
        label={t('Up and down colors')}
        of={marketColors}
        names={COLOR_NAMES}
        ids={MARKET_COLORS}
      />
      <Preference label={t('Times')} of={clock} names={CLOCK_NAMES} ids={CLOCKS} />
      <Select
        label={t('Language')}
        value={language.value}
        options={Object.entries(LANGUAGES) as [Language, string][]}
        onChange={(chosen) => {
          language.value = chosen;
          // Texts are not signals: all of them change only with the page.
          location.reload();
        }}
      />
    </div>
  );
}

interface PreferenceProps<Value extends string> {
  readonly label: string;
  readonly of: Signal<Value>;
  readonly ids: readonly Value[];
  readonly names: Readonly<Record<Value, string>>;
}

function Preference<Value extends string>({ label, of, ids, names }: PreferenceProps<Value>) {
  return (
    <Select
      label={label}
      value={of.value}
      options={ids.map((id) => [id, names[id]] as const)}
      onChange={(chosen) => {
        of.value = chosen;
      }}
    />
  );
}

/** The section of the settings page. */
export function DisplaySection() {
  return (
    <Panel title={t('Display')} lead={t('Saved in this browser.')}>
      <DisplaySettings />
    </Panel>
  );
}
