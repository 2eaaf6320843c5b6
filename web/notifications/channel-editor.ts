import { type ReadonlySignal, signal } from '@preact/signals';
import { api } from '../api.ts';
import { announce, announceError } from '../components/toast.tsx';
import { t } from '../i18n/index.ts';
import { type Change, ChannelChanges, type Channels } from './channels.ts';
import { EVENTS } from './events.ts';

const store = {
  read: async () => (await api.getNotificationSettings()).notifications,
  write: async (changed: Partial<Channels>) =>
    (await api.changeNotificationSettings(changed)).notifications,
};

/** The channels as they are shown, and the function that saves changes of them. */
export interface ChannelEditor {
  readonly chosen: ReadonlySignal<Channels>;
  save(...changes: readonly Change[]): void;
}

/** Loads the channels of the user. */
export async function loadChannels(): Promise<ChannelEditor> {
  const { page, mail } = await store.read();
  const chosen = signal<Channels>({ page, mail });
  const names = EVENTS.map(([name]) => name);
  const changes = new ChannelChanges(names, chosen.value, store, (shown) => (chosen.value = shown));
  return {
    chosen,
    save(...made) {
      Promise.all(made.map((change) => changes.make(change))).then(
        () => announce(t('Notification channels updated'), 'success'),
        announceError,
      );
    },
  };
}
