import { effect, type Signal } from '@preact/signals';
import { Select } from '../components/field.tsx';
import { LanguageSelect } from '../components/language-select.tsx';
import { Panel } from '../components/panel.tsx';
import { chooseTheme, THEMES, themeChoice } from '../components/theme.tsx';
import { ARROWS, dateTime, grouped, percent, zoneText } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { CLOCKS, clock, MARKET_COLORS, marketColors } from '../preferences.ts';

const THEME_NAMES = { system: msg('System'), light: msg('Light'), dark: msg('Dark') };
const COLOR_NAMES = {
  'green-red': msg('Green up, red down'),
  'red-green': msg('Red up, green down'),
  'blue-orange': msg('Blue up, orange down (color-blind safe)'),
};

effect(() => {
  document.documentElement.dataset.colors = marketColors.value;
});

const PREVIEW_TIME = new Date().toISOString();
/** The distance of this browser's time zone from UTC, as of now. */
const OFFSET = zoneText(-new Date().getTimezoneOffset());

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
      <Preference
        label={t('Times')}
        of={clock}
        names={{ local: t('Local time ({offset})', { offset: OFFSET }), utc: msg('UTC') }}
        ids={CLOCKS}
      />
      <LanguageSelect />
    </div>
  );
}

/** A price, a time and changes as all pages show them. */
function FormatPreview() {
  void [clock.value, marketColors.value];
  return (
    <p class="format-preview">
      <span class="muted">{t('Preview')}</span>
      <b>{grouped('1234567.89')}</b>
      <span>{`${dateTime(PREVIEW_TIME)} ${clock.value === 'utc' ? 'UTC' : OFFSET}`}</span>
      <span class="buy">{`${ARROWS.buy}${percent('2.5')}`}</span>
      <span class="sell">{`${ARROWS.sell}${percent('-1.25')}`}</span>
    </p>
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
      <FormatPreview />
    </Panel>
  );
}
