import { msg, t } from '../i18n/index.ts';
import { type RestrictedAccount, readStatus } from './read-status.ts';

const NAMES = { active: msg('Active'), frozen: msg('Frozen'), closed: msg('Closed||account') };

const TONES = { active: 'on', frozen: 'off', closed: '' };

/** The status of an account as a badge. */
export function StatusBadge({ account }: { account: RestrictedAccount }) {
  const status = readStatus(account);
  return <span class={`badge ${TONES[status]}`}>{t(NAMES[status])}</span>;
}
