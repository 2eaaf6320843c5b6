import type { Profile } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useResource } from '../components/resource.ts';
import { AntiPhishingCodePanel } from './anti-phishing-code.tsx';
import { PasskeysPanel } from './passkeys.tsx';
import { PasswordPanel } from './password.tsx';
import { SecondFactorPanel } from './second-factor.tsx';
import { SessionsPanel } from './sessions.tsx';
import { SignInsPanel } from './sign-ins.tsx';

export function SecuritySection({ user }: { user: Profile }) {
  // Loaded here, because changing the password or 2FA ends sessions.
  const sessions = useResource(() => api.listSessions());
  const reload = () => void sessions.load();
  return (
    <>
      <SecondFactorPanel user={user} onChanged={reload} />
      <PasskeysPanel />
      <PasswordPanel onChanged={reload} />
      <AntiPhishingCodePanel user={user} />
      <SessionsPanel sessions={sessions} />
      <SignInsPanel />
    </>
  );
}
