import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { api } from '../api.ts';
import { announce, announceError } from '../components/toast.tsx';
import { T, t } from '../i18n/index.ts';
import { toggleEvent } from './channels.ts';
import { desktopState } from './desktop.ts';
import { EVENTS, includesEvent } from './events.ts';
import { canPush, loadPush, PUSHED_EVENTS, pushedEvents, setPushedEvents } from './push.ts';
import { SOUND_EVENTS, setSound, soundIsOn } from './sounds.ts';

/** Events that are always shown on the pages. */
const ALWAYS_SHOWN = ['price.alert'];

interface ChannelGridProps {
  /** Patterns of the events of each channel that the exchange knows. */
  readonly page: readonly string[];
  readonly mail: readonly string[];
}

/** The channels of each event, saved as they are changed. Push and sound are of this browser. */
export function ChannelGrid(known: ChannelGridProps) {
  const chosen = { page: useSignal(known.page), mail: useSignal(known.mail) };
  const isPushBusy = useSignal(false);
  /** Changes are sent one after another, so that the last one stays. */
  const saving = useRef<Promise<void>>(Promise.resolve());
  useEffect(() => void loadPush().catch(() => {}), []);
  const save = (channel: 'page' | 'mail', event: string, isOn: boolean) => {
    const before = chosen[channel].value;
    const names = EVENTS.map(([name]) => name);
    chosen[channel].value = toggleEvent(names, before, event, isOn);
    const sent = { [channel]: chosen[channel].value };
    saving.current = saving.current
      .then(() => api.changeNotificationSettings(sent))
      .then(
        () => announce(t('Notification channels updated'), 'success'),
        (error) => {
          chosen[channel].value = before;
          announceError(error);
        },
      );
  };
  const push = async (event: string, isOn: boolean) => {
    isPushBusy.value = true;
    await setPushedEvents(toggleEvent(PUSHED_EVENTS, pushedEvents.value, event, isOn))
      .catch(announceError)
      .finally(() => {
        isPushBusy.value = false;
      });
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <div class="table-box" tabIndex={0}>
      <table class="channel-grid">
        <caption class="visually-hidden">{t('Channels')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Event')}</th>
            <th scope="col">{t('On this site')}</th>
            <th scope="col">{t('Email||channel')}</th>
            {canPush ? <th scope="col">{t('Push')}</th> : null}
            <th scope="col">{t('Sound')}</th>
          </tr>
        </thead>
        <tbody>
          {EVENTS.map(([name, label]) => (
            <tr key={name}>
              <th scope="row">{t(label)}</th>
              <Cell
                name={t('{event}: on this site', { event: t(label) })}
                isOn={ALWAYS_SHOWN.includes(name) || includesEvent(chosen.page.value, name)}
                isFixed={ALWAYS_SHOWN.includes(name)}
                onChange={(isOn) => save('page', name, isOn)}
              />
              <Cell
                name={t('{event}: email', { event: t(label) })}
                isOn={includesEvent(chosen.mail.value, name)}
                onChange={(isOn) => save('mail', name, isOn)}
              />
              {!canPush ? null : PUSHED_EVENTS.includes(name) ? (
                <Cell
                  name={t('{event}: push', { event: t(label) })}
                  isOn={pushedEvents.value.includes(name)}
                  isFixed={isPushBusy.value || desktopState.value === 'blocked'}
                  onChange={(isOn) => void push(name, isOn)}
                />
              ) : (
                <NoCell />
              )}
              {name in SOUND_EVENTS ? (
                <Cell
                  name={t('{event}: sound', { event: t(label) })}
                  isOn={soundIsOn(SOUND_EVENTS[name]!)}
                  onChange={(isOn) => setSound(SOUND_EVENTS[name]!, isOn)}
                />
              ) : (
                <NoCell />
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  readonly name: string;
  readonly isOn: boolean;
  readonly isFixed?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Cell({ name, isOn, isFixed, onChange }: CellProps) {
  return (
    <td>
      <label class="check">
        <input
          type="checkbox"
          aria-label={name}
          checked={isOn}
          disabled={isFixed}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      </label>
    </td>
  );
}

/** The channel does not have the event. */
function NoCell() {
  return (
    <td>
      <span aria-hidden="true">–</span>
      <span class="visually-hidden">{t('Not available')}</span>
    </td>
  );
}

/** One sentence about the channels, for the head of their panel. */
export const ChannelsLead = () => (
  <T
    text="Changes are saved at once; push and sound for this browser. Your own server is notified by <a>webhooks</a>."
    a={(children) => <a href="#webhooks">{children}</a>}
  />
);
