import '../styles/base.css';
import '../styles/custody.css';
import '../sign-in/sign-in.css';
import { AccountsSections } from '../accounts/sections.tsx';
import { Shell } from '../components/shell.tsx';
import { SignInFirst } from '../components/sign-in-first.tsx';
import { announceError } from '../components/toast.tsx';
import { t } from '../i18n/index.ts';
import { loadSession, profile } from '../session.ts';
import { showPage } from '../show-page.ts';

function AccountsPage() {
  return (
    <Shell at="/accounts" class="page">
      <h1>{t('Accounts')}</h1>
      {profile.value === undefined ? <p class="empty">{t('Loading…')}</p> : null}
      {profile.value === null ? <SignInFirst what={t('your accounts')} /> : null}
      {profile.value ? <AccountsSections /> : null}
    </Shell>
  );
}

showPage(<AccountsPage />);
loadSession().catch(announceError);
