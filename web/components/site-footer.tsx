import { t } from '../i18n/index.ts';
import { hasBinance, isSandbox } from '../sandbox.ts';

/** The links below pages for visitors. */
export function SiteFooter() {
  return (
    <footer class="site-footer">
      <p>
        <b>Buttonwood</b>{' '}
        {isSandbox ? t('Demo exchange: all funds are test funds') : t('Cryptocurrency exchange')}
      </p>
      <nav aria-label={t('More pages')}>
        <a href="/trade">{t('Trade')}</a>
        <a href="/docs">{t('API documentation')}</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href="/asyncapi.json">AsyncAPI</a>
        {hasBinance ? <a href="/bots">{t('Bots')}</a> : null}
        <a href="/status">{t('Status')}</a>
      </nav>
    </footer>
  );
}
