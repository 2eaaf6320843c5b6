import { signal } from '@preact/signals';
import { api } from '../api.ts';
import { t } from '../i18n/index.ts';
import { profile } from '../session.ts';
import { announce, announceError } from './toast.tsx';

const ASSETS = ['USDT', 'BTC', 'ETH', 'SOL'] as const;
/** The asset being requested. */
const pending = signal<string | undefined>(undefined);

/** Whether the signed-in user can get demo funds. */
export function hasFaucet(): boolean {
  const { isSandbox, permissions } = profile.value ?? {};
  return isSandbox === true && permissions?.includes('trade') === true;
}

/** Buttons that add demo funds; only in the sandbox, for users who may trade. */
export function Faucet({ onAdded = () => {} }: { onAdded?: () => void }) {
  if (!hasFaucet()) return null;
  return (
    <fieldset class="intervals faucet">
      <legend class="visually-hidden">{t('Get demo funds from the faucet')}</legend>
      <span class="muted" aria-hidden="true">
        {t('Faucet')}
      </span>
      {ASSETS.map((asset) => (
        <button
          key={asset}
          type="button"
          aria-label={t('Get {asset} from the faucet', { asset })}
          title={t('Demo funds, once per hour for each asset')}
          disabled={pending.value !== undefined}
          onClick={() => requestFunds(asset).then(onAdded, announceError)}
        >
          + {asset}
        </button>
      ))}
    </fieldset>
  );
}

async function requestFunds(asset: (typeof ASSETS)[number]): Promise<void> {
  pending.value = asset;
  try {
    await api.useFaucet({ asset });
    announce(t('{asset} added', { asset }), 'success');
  } finally {
    pending.value = undefined;
  }
}
