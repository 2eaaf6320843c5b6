import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Notice } from '../components/notice.tsx';
import { announceError } from '../components/toast.tsx';
import { T, t } from '../i18n/index.ts';
import type { ChannelEditor } from './channel-editor.ts';
import { toggleEvent } from './channels.ts';
import { askPermission, permission } from './desktop.ts';
import { EVENTS, includesEvent } from './events.ts';
import { canPush, isPushed, loadPush, pushedEvents, setPushedEvents } from './push.ts';
import { SOUND_EVENTS, setSound, soundIsOn } from './sounds.ts';

/** Events that are always shown on the pages. */
const ALWAYS_SHOWN = ['price.alert'];
const NAMES = EVENTS.map(([name]) => name);
const PUSH_NOTE = 'push-note';

/** The channels of each event, saved as they are changed. Push and sound are of this browser. */
export function ChannelGrid({ editor: { chosen, save } }: { editor: ChannelEditor }) {
  const isPushBusy = useSignal(false);
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => void loadPush().catch(() => {}), []);
  const push = async (event: string, isOn: boolean) => {
    isPushBusy.value = true;
    await setPushedEvents(toggleEvent(NAMES, pushedEvents.value, event, isOn))
      .catch(announceError)
      .finally(() => {
        isPushBusy.value = false;
      });
  };
  return (
    <>
      {canPush ? <PushPermission onAllowed={() => grid.current?.focus()} /> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <div class="table-box" tabIndex={0} ref={grid}>
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
            {EVENTS.map(([name, label, meaning]) => (
              <tr key={name}>
                <th scope="row">
                  {t(label)}
                  <small class="event-meaning muted">
                    {t(meaning)}
                    {ALWAYS_SHOWN.includes(name) ? ` · ${t('Always on this site')}` : null}
                  </small>
                </th>
                <Cell
                  name={t('{event}: on this site', { event: t(label) })}
                  isOn={ALWAYS_SHOWN.includes(name) || includesEvent(chosen.value.page, name)}
                  isFixed={ALWAYS_SHOWN.includes(name)}
                  onChange={(isOn) => save({ channel: 'page', event: name, isOn })}
                />
                <Cell
                  name={t('{event}: email', { event: t(label) })}
                  isOn={includesEvent(chosen.value.mail, name)}
                  onChange={(isOn) => save({ channel: 'mail', event: name, isOn })}
                />
                {canPush ? (
                  <Cell
                    name={t('{event}: push', { event: t(label) })}
                    isOn={isPushed(name)}
                    isFixed={isPushBusy.value || permission.value === 'denied'}
                    reasonId={permission.value === 'denied' ? PUSH_NOTE : undefined}
                    onChange={(isOn) => void push(name, isOn)}
                  />
                ) : null}
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
        <Reasons />
      </div>
    </>
  );
}

/** Why some boxes are missing or cannot be changed. */
function Reasons() {
  return (
    <ul class="channel-reasons muted">
      <li>{t('–: Sound is for filled orders, trades and price alerts only.')}</li>
      {canPush ? null : (
        <li>{t('This browser has no push notifications. On a phone, install this site first.')}</li>
      )}
    </ul>
  );
}

/** Why push cannot be chosen, or a button that asks the browser to allow it. */
function PushPermission({ onAllowed }: { onAllowed: () => void }) {
  // The focused button disappears with the question.
  const ask = async () => {
    if ((await askPermission()) === 'granted') onAllowed();
  };
  if (permission.value === 'granted') return null;
  return (
    <div class="channel-note" id={PUSH_NOTE}>
      {permission.value === 'denied' ? (
        <Notice kind="info">
          {t(
            'Push is blocked by this browser. Allow notifications in the site settings (icon next to the address bar).',
          )}
        </Notice>
      ) : (
        <Notice kind="info">
          {t('Allow notifications in this browser to use push.')}{' '}
          <button type="button" class="button small" onClick={() => ask().catch(announceError)}>
            {t('Allow notifications')}
          </button>
        </Notice>
      )}
    </div>
  );
}

interface CellProps {
  readonly name: string;
  readonly isOn: boolean;
  readonly isFixed?: boolean;
  /** The id of the element that says why it is fixed. */
  readonly reasonId?: string | undefined;
  readonly onChange: (isOn: boolean) => void;
}

function Cell({ name, isOn, isFixed, reasonId, onChange }: CellProps) {
  return (
    <td>
      <label class="check">
        <input
          type="checkbox"
          aria-label={name}
          aria-describedby={reasonId}
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
      <span class="muted" aria-hidden="true">
        –
      </span>
      <span class="visually-hidden">{t('Not available')}</span>
    </td>
  );
}

/** One sentence about the channels, for the head of their panel. */
export const ChannelsLead = () => (
  <T
    text="Changes are saved at once. Push and sound apply to this browser only. Your own server is notified by <a>webhooks</a>."
    a={(children) => <a href="#webhooks">{children}</a>}
  />
);
