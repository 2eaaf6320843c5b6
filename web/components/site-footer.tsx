import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { hasBinance, isSandbox } from '../sandbox.ts';
import { profile } from '../session.ts';
import { LanguageSelect } from './language-select.tsx';

/** The links below pages for visitors, and the choice of the language. */
export function SiteFooter() {
  return (
    <footer class="site-footer">
      <div>
        <p>
          <b>Buttonwood</b>{' '}
          {isSandbox ? t('Demo exchange: all funds are test funds') : t('Cryptocurrency exchange')}
        </p>
        <LanguageSelect hiddenLabel />
      </div>
      <Links title={t('Exchange')}>
        <a href="/trade">{t('Trade')}</a>
        {profile.value ? (
          <a href="/portfolio">{t('Portfolio')}</a>
        ) : (
          <a href="/sign-up">{t('Sign up')}</a>
        )}
        <a href="/settings#display">{t('Settings')}</a>
      </Links>
      <Links title={t('Developers')}>
        <a href="/docs">{t('API documentation')}</a>
        {hasBinance ? <a href="/bots">{t('Bots')}</a> : null}
        <a href="/openapi.json">OpenAPI</a>
        <a href="/asyncapi.json">AsyncAPI</a>
      </Links>
      <Links title={t('Operations')}>
        <a href="/status">{t('Status')}</a>
        <a href="/status#announcements">{t('Announcements')}</a>
        <a href="/status#incidents">{t('Incidents')}</a>
      </Links>
    </footer>
  );
}

function Links({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <nav aria-label={title}>
      <b>{title}</b>
      {children}
    </nav>
  );
}
