import { t } from '../i18n/index.ts';

/** Whether a user, or all users of an account, sign in with a second factor. */
export function SecondFactorBadge({ isOn }: { readonly isOn: boolean }) {
  return <span class={`badge ${isOn ? 'on' : 'wait'}`}>{isOn ? t('On') : t('Off')}</span>;
}
