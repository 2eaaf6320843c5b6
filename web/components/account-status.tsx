import { msg, t } from '../i18n/index.ts';

export type AccountStatus = 'active' | 'frozen' | 'closed';

interface Marked {
  readonly frozen: boolean;
  readonly closed: boolean;
}

const NAMES = { active: msg('Active'), frozen: msg('Frozen'), closed: msg('Closed||account') };

const TONES = { active: 'on', frozen: 'off', closed: '' };

/** Returns the status of an account. An account that is frozen and closed counts as frozen, which its owner cannot change. */
export function readStatus({ frozen, closed }: Marked): AccountStatus {
  if (frozen) return 'frozen';
  return closed ? 'closed' : 'active';
}

/** The status of an account as a badge. */
export function StatusBadge({ account }: { account: Marked }) {
  const status = readStatus(account);
  return <span class={`badge ${TONES[status]}`}>{t(NAMES[status])}</span>;
}
