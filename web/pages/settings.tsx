import '../styles/base.css';
import '../sign-in/sign-in.css';
import '../styles/fee-table.css';
import type { Profile } from '../../src/client/index.ts';
import { sectionAt } from '../components/section.ts';
import { SectionNav } from '../components/section-nav.tsx';
import { Shell } from '../components/shell.tsx';
import { SignInFirst } from '../components/sign-in-first.tsx';
import { announceError } from '../components/toast.tsx';
import { msg, t } from '../i18n/index.ts';
import { NotificationSection } from '../notifications/notification-section.tsx';
import { WebhooksSection } from '../notifications/webhooks.tsx';
import { loadSession, profile } from '../session.ts';
import { DisplaySection } from '../settings/display.tsx';
import { FeesSection } from '../settings/fees.tsx';
import { KeysSection } from '../settings/keys.tsx';
import { ProfileSection } from '../settings/profile.tsx';
import { SecuritySection } from '../settings/security.tsx';
import { showPage } from '../show-page.ts';

const SECTIONS = [
  ['profile', msg('Profile')],
  ['security', msg('Security')],
  ['keys', msg('API keys')],
  ['fees', msg('Fees')],
  ['notifications', msg('Notifications')],
  ['webhooks', msg('Webhooks')],
  ['display', msg('Display')],
] as const;

function SettingsPage() {
  const user = profile.value;
  return (
    <Shell at="/settings" class="page">
      <h1>{t('Settings')}</h1>
      {user === undefined ? (
        <p class="empty">{t('Loading…')}</p>
      ) : user === null ? (
        <>
          <SignInFirst what={t('your settings')} />
          <DisplaySection />
        </>
      ) : (
        <Sections user={user} />
      )}
    </Shell>
  );
}

function Sections({ user }: { user: Profile }) {
  const at = sectionAt([
    'profile',
    'security',
    'keys',
    'fees',
    'notifications',
    'webhooks',
    'display',
  ]);
  return (
    <div class="sections">
      <SectionNav label={t('Settings')} sections={SECTIONS} at={at} />
      <div class="section">
        {at === 'profile' ? <ProfileSection user={user} /> : null}
        {at === 'security' ? <SecuritySection user={user} /> : null}
        {at === 'keys' ? <KeysSection /> : null}
        {at === 'fees' ? <FeesSection /> : null}
        {at === 'notifications' ? <NotificationSection /> : null}
        {at === 'webhooks' ? <WebhooksSection /> : null}
        {at === 'display' ? <DisplaySection /> : null}
      </div>
    </div>
  );
}

loadSession().catch(announceError);
showPage(<SettingsPage />);
