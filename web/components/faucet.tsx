import { signal } from '@preact/signals';
import { api } from '../api.ts';
import { profile } from '../session.ts';
import { announce, announceError } from './toast.tsx';

const ASSETS = ['USDT', 'BTC', 'ETH', 'SOL'] as const;
/** The asset that is being taken. */
const taking = signal<string | undefined>(undefined);

/** Play money for who trades in the sandbox; elsewhere there is no faucet. */
export function Faucet({ onTaken = () => {} }: { onTaken?: () => void }) {
  const { isSandbox, permissions } = profile.value ?? {};
  if (!isSandbox || !permissions?.includes('trade')) return null;
  return (
    <fieldset class="intervals faucet">
      <legend class="visually-hidden">Take play money from the faucet</legend>
      <span class="muted" aria-hidden="true">
        Faucet
      </span>
      {ASSETS.map((asset) => (
        <button
          key={asset}
          type="button"
          aria-label={`Take ${asset} from the faucet`}
          title="Play money: each once an hour"
          disabled={taking.value !== undefined}
          onClick={() => take(asset).then(onTaken, announceError)}
        >
          + {asset}
        </button>
      ))}
    </fieldset>
  );
}

async function take(asset: (typeof ASSETS)[number]): Promise<void> {
  taking.value = asset;
  try {
    await api.useFaucet({ asset });
    announce(`The faucet has given you more ${asset}.`, 'success');
  } finally {
    taking.value = undefined;
  }
}
