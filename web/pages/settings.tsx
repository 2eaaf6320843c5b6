import '../styles/base.css';
import '../sign-in/sign-in.css';
import { render } from 'preact';
import type { Profile } from '../../src/client/index.ts';
import { sectionAt } from '../components/section.ts';
import { SectionNav } from '../components/section-nav.tsx';
import { Shell } from '../components/shell.tsx';
import { SignInFirst } from '../components/sign-in-first.tsx';
import { announceError } from '../components/toast.tsx';
import { loadSession, profile } from '../session.ts';
import { KeysSection } from '../settings/keys.tsx';
import { ProfileSection } from '../settings/profile.tsx';
import { SecuritySection } from '../settings/security.tsx';

const SECTIONS = [
  ['profile', 'Profile'],
  ['security', 'Security'],
  ['keys', 'API keys'],
] as const;

function SettingsPage() {
  const who = profile.value;
  return (
    <Shell at="/settings" class="page">
      <h1>Settings</h1>
      {who === undefined ? (
        <p class="empty">Loading…</p>
      ) : who === null ? (
        <SignInFirst what="your settings" />
      ) : (
        <Sections of={who} />
      )}
    </Shell>
  );
}

function Sections({ of }: { of: Profile }) {
  const at = sectionAt(['profile', 'security', 'keys']);
  return (
    <div class="sections">
      <SectionNav label="Settings" sections={SECTIONS} at={at} />
      <div class="section">
        {at === 'profile' ? <ProfileSection of={of} /> : null}
        {at === 'security' ? <SecuritySection of={of} /> : null}
        {at === 'keys' ? <KeysSection /> : null}
      </div>
    </div>
  );
}

loadSession().catch(announceError);
render(<SettingsPage />, document.getElementById('app')!);
