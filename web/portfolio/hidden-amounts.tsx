import { Icon } from '../components/icon.tsx';
import { t } from '../i18n/index.ts';
import { preference } from '../preferences.ts';

/** Four for each amount, so that they do not show how large it is. */
const DOTS = '••••';

/** Whether the user's amounts and values on the portfolio page are dots, such as in public places. Prices and percentages stay. */
export const amounts = preference('amounts', ['shown', 'hidden'], 'shown');

/** Returns an amount or a value, or dots while they are hidden. */
export function hideable<Content>(content: Content): Content | string {
  return amounts.value === 'hidden' ? DOTS : content;
}

/** Hides and shows the amounts of the portfolio. */
export function AmountsToggle() {
  const isHidden = amounts.value === 'hidden';
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={t('Hide amounts')}
      title={t('Hide amounts')}
      aria-pressed={isHidden}
      onClick={() => {
        amounts.value = isHidden ? 'shown' : 'hidden';
      }}
    >
      <Icon name={isHidden ? 'eyeOff' : 'eye'} />
    </button>
  );
}
