import { Icon } from '../components/icon.tsx';
import { t } from '../i18n/index.ts';
import { preference } from '../preferences.ts';

/** Whether the user's amounts and values are dots on the screen, such as in public places. Prices and percentages stay. */
export const amounts = preference('amounts', ['shown', 'hidden'], 'shown');

/** Hides and shows the amounts of the portfolio. */
export function AmountsToggle() {
  const isHidden = amounts.value === 'hidden';
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={t('Hide amounts')}
      title={isHidden ? t('Show amounts') : t('Hide amounts')}
      aria-pressed={isHidden}
      onClick={() => {
        amounts.value = isHidden ? 'shown' : 'hidden';
      }}
    >
      <Icon name={isHidden ? 'eyeOff' : 'eye'} />
    </button>
  );
}
