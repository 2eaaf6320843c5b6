import complete from '../i18n/complete.json';
import { t } from '../i18n/index.ts';
import { language } from '../i18n/language.ts';
import { LANGUAGES, type Language, offeredLanguages } from '../i18n/languages.ts';
import { isSandbox } from '../sandbox.ts';
import { Select } from './field.tsx';

interface LanguageSelectProps {
  /** Whether only screen readers get the label. */
  readonly hiddenLabel?: boolean;
  /** Loads the page again, for pages that have more state than their address. */
  readonly reload?: () => void;
}

/** The languages that are offered, and the current one. */
export function LanguageSelect({
  hiddenLabel = false,
  reload = () => location.reload(),
}: LanguageSelectProps) {
  return (
    <Select
      label={t('Language')}
      hiddenLabel={hiddenLabel}
      value={language.value}
      options={choices()}
      onChange={(chosen) => {
        language.value = chosen;
        // Texts are not signals: all of them change only with the page.
        reload();
      }}
    />
  );
}

function choices(): readonly (readonly [Language, string])[] {
  const offered = offeredLanguages(complete, isSandbox);
  const ids = offered.includes(language.value) ? offered : [...offered, language.value];
  return ids.map((id) => [id, LANGUAGES[id]] as const);
}
