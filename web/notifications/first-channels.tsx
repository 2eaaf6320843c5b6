import { Notice } from '../components/notice.tsx';
import { t } from '../i18n/index.ts';
import type { ChannelEditor } from './channel-editor.ts';

/** Events that most users want to see on the pages. */
const RECOMMENDED = ['order.filled', 'order.rejected', 'deposit.*', 'withdrawal.*'];

/** A call to turn on the usual events, for users who have not chosen any. */
export function FirstChannels({ editor: { chosen, save } }: { editor: ChannelEditor }) {
  const { page, mail } = chosen.value;
  if (page.length > 0 || mail.length > 0) return null;
  const turnOn = () => {
    save(...RECOMMENDED.map((event) => ({ channel: 'page', event, isOn: true }) as const));
    // The focused button disappears.
    document.getElementById('main')?.focus();
  };
  return (
    <div class="first-channels">
      <Notice kind="info">
        <span>{t('You are not notified of filled orders, deposits and withdrawals yet.')}</span>
        <button type="button" class="button primary phone-wide" onClick={turnOn}>
          {t('Turn on')}
        </button>
      </Notice>
    </div>
  );
}
