import { useSignal } from '@preact/signals';
import { Panel } from '../components/panel.tsx';
import { announceError } from '../components/toast.tsx';
import { t } from '../i18n/index.ts';
import { desktopState, setDesktop } from './desktop.ts';
import { canPush } from './push.ts';
import { playSound, soundIsOn, soundsAreOn, volume } from './sounds.ts';

/** Settings of this browser: notifications outside the page, and sounds. */
export function ThisBrowser() {
  return (
    <Panel title={t('This browser')} lead={t('Saved in this browser.')}>
      <div class="stack">
        <DesktopChoice />
        {canPush ? <PushNote /> : null}
        {soundsAreOn() ? <SoundSettings /> : null}
      </div>
    </Panel>
  );
}

function DesktopChoice() {
  const isAsking = useSignal(false);
  const state = desktopState.value;
  const change = async (isOn: boolean) => {
    isAsking.value = true;
    await setDesktop(isOn)
      .catch(announceError)
      .finally(() => {
        isAsking.value = false;
      });
  };
  return (
    <div>
      <label class="check">
        <input
          type="checkbox"
          checked={state === 'on'}
          disabled={isAsking.value || state === 'blocked' || state === 'unsupported'}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
        <span>{t('Desktop notifications')}</span>
      </label>
      <p class="muted">{explain(state)}</p>
    </div>
  );
}

function PushNote() {
  return (
    <div>
      <h3>{t('Push notifications')}</h3>
      <p class="muted">
        {t(
          'Also arrive while no page is open: encrypted messages through the push service of your browser, until you sign out. Choose their events above.',
        )}
      </p>
    </div>
  );
}

function explain(state: typeof desktopState.value): string {
  if (state === 'unsupported') return t('This browser has no notifications.');
  if (state === 'blocked') {
    return t('Blocked by this browser. Allow notifications in its settings for this site.');
  }
  return t('Shown by your system while you look at another window or tab.');
}

function SoundSettings() {
  return (
    <div>
      <div class="sound-settings">
        <label>
          <span>{t('Volume')}</span>
          <input
            type="range"
            min="0"
            max="100"
            step="5"
            value={volume.value}
            onInput={(event) => {
              volume.value = event.currentTarget.valueAsNumber;
            }}
          />
          <output>{volume.value}</output>
        </label>
        {soundIsOn('trade') ? (
          <button type="button" class="button small" onClick={() => playSound('trade')}>
            {t('Play trade')}
          </button>
        ) : null}
        {soundIsOn('filled') ? (
          <button type="button" class="button small" onClick={() => playSound('filled')}>
            {t('Play filled order')}
          </button>
        ) : null}
        {soundIsOn('alert') ? (
          <button type="button" class="button small" onClick={() => playSound('alert')}>
            {t('Play alert')}
          </button>
        ) : null}
      </div>
      <p class="muted">
        {t(
          'Two rising notes for a trade, three for a filled order, three equal ones for an alert.',
        )}
      </p>
    </div>
  );
}
