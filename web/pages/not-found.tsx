import '../styles/base.css';
import '../styles/not-found.css';
import { Shell } from '../components/shell.tsx';
import { SiteFooter } from '../components/site-footer.tsx';
import { announceError } from '../components/toast.tsx';
import { t } from '../i18n/index.ts';
import { loadSession, profile } from '../session.ts';
import { showPage } from '../show-page.ts';

/** The page for paths that do not exist: what is wrong, and where to go instead. */
function NotFoundPage() {
  return (
    <Shell at="" class="not-found">
      <p class="not-found-code" aria-hidden="true">
        404
      </p>
      <h1>{t('Page not found')}</h1>
      <p class="muted">
        {t('We could not find {path}. Check the address, or continue here:', {
          path: location.pathname,
        })}
      </p>
      <div class="home-actions">
        <a class="button primary" href="/trade">
          {t('Trade')}
        </a>
        {profile.value ? (
          <a class="button" href="/portfolio">
            {t('Portfolio')}
          </a>
        ) : (
          <a class="button" href="/sign-in">
            {t('Sign in')}
          </a>
        )}
      </div>
      <SiteFooter />
    </Shell>
  );
}

loadSession().catch(announceError);
showPage(<NotFoundPage />);
