import type { ComponentChildren } from 'preact';
import { msg, t } from '../i18n/index.ts';
import { Bell } from '../notifications/bell.tsx';
import { hasOperatorRole } from '../operator/role.ts';
import { hasBinance, isSandbox } from '../sandbox.ts';
import { profile, signInPath, signOut } from '../session.ts';
import { AccountBar } from './account-bar.tsx';
import { ExchangeNotice } from './exchange-notice.tsx';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';
import { ThemeToggle } from './theme.tsx';
import { announceError, Toasts } from './toast.tsx';

interface ShellProps {
  /** Path of the current page, marked in the navigation. */
  readonly at: string;
  /** Shown in the header before the account menu, such as the connection badge. */
  readonly aside?: ComponentChildren;
  readonly class?: string;
  /** Custom properties of the main element. */
  readonly style?: Readonly<Record<string, string>>;
  readonly children: ComponentChildren;
}

interface Link {
  readonly path: string;
  readonly label: string;
  readonly visitors: 'shown' | 'hidden';
}

const LINKS: readonly Link[] = [
  { path: '/trade', label: msg('Trade'), visitors: 'shown' },
  { path: '/portfolio', label: msg('Portfolio'), visitors: 'hidden' },
  { path: '/docs', label: msg('API'), visitors: 'shown' },
  { path: '/status', label: msg('Status'), visitors: 'shown' },
];

/** Pages that belong to another one, which the navigation marks in their place. */
const PARENTS: Readonly<Record<string, string>> = {
  '/deposit': '/portfolio',
  '/withdraw': '/portfolio',
  '/accounts': '/portfolio',
};

/** The frame of every page: navigation, account menu, theme toggle and toasts. */
export function Shell({ at, aside, children, ...rest }: ShellProps) {
  return (
    <>
      <a class="skip" href="#main">
        {t('Skip to content')}
      </a>
      <header class="top">
        <a class="brand" href="/" aria-label={t('Buttonwood home')}>
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" />
            <path d="M9 20v4M9 8v3M7 11h4v9H7zM16 18v6M16 6v4M14 10h4v8h-4zM23 22v3M23 9v5M21 14h4v8h-4z" />
          </svg>
          <span>Buttonwood</span>
        </a>
        <nav aria-label={t('Main')}>
          {LINKS.filter(isShown).map(({ path, label }) => (
            <a
              key={path}
              class={linkClass(path, at)}
              href={path}
              aria-current={path === at ? 'page' : path === PARENTS[at] ? 'true' : undefined}
            >
              {t(label)}
            </a>
          ))}
          {isOperator() ? (
            <a
              class={at === '/operator' ? undefined : 'wide-only'}
              href="/operator"
              aria-current={at === '/operator' ? 'page' : undefined}
            >
              {t('Operator')}
            </a>
          ) : null}
        </nav>
        <Toasts />
        <div class="top-aside">
          {isSandbox ? (
            <span class="badge sandbox" title={t('Demo exchange: all funds are test funds')}>
              <span class="narrow-text">{t('Demo exchange: all funds are test funds')}</span>
              <span class="pill-text">{t('Demo')}</span>
            </span>
          ) : null}
          {aside}
          {profile.value ? <Bell /> : null}
          <ThemeToggle />
          <Account at={at} />
        </div>
      </header>
      {at === '/operator' ? null : <AccountBar at={at} />}
      <ExchangeNotice />
      <main id="main" class={rest.class ?? ''} style={rest.style} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** Pages that need a user are for others a way to the sign-in, which has its own button. */
function isShown({ visitors, path }: Link): boolean {
  const isVisitor = profile.value === null;
  return isVisitor ? visitors === 'shown' : path === '/trade' || path === '/portfolio';
}

/**
 * Returns the class of a link that phones leave out: the header of visitors has two buttons, so that they get the links to
 * trading and to the page that they read, or to the API; operators need only their own. The trading page has its connection
 * in the header, too, and the second link only where it fits.
 */
function linkClass(path: string, at: string): 'wide-only' | 'if-fits' | undefined {
  if (profile.value !== null)
    return at === '/operator' && path === '/portfolio' ? 'wide-only' : undefined;
  if (path === '/trade' || path === at) return undefined;
  if (path === '/docs' && at === '/trade') return 'if-fits';
  const isOther = LINKS.some((link) => link.path === at) || path !== '/docs';
  return isOther ? 'wide-only' : undefined;
}

const isOperator = () => hasOperatorRole(profile.value?.permissions);

/** @param at The current page, which needs no link to itself. */
function Account({ at }: { at: string }) {
  if (profile.value === undefined) return <span class="account-wait" aria-hidden="true" />;
  if (profile.value === null) {
    return (
      <>
        {at === '/sign-in' ? null : (
          <a class="button quiet" href={signInPath()}>
            {t('Sign in')}
          </a>
        )}
        {at === '/sign-up' ? null : (
          <a class="button primary" href="/sign-up">
            {t('Sign up')}
          </a>
        )}
      </>
    );
  }
  return <AccountMenu name={profile.value.name} email={profile.value.email} />;
}

function AccountMenu({ name, email }: { name: string; email: string }) {
  return (
    <Menu
      id="account-menu"
      buttonClass="button quiet"
      button={
        <>
          <Icon name="user" class="menu-icon" />
          <span class="menu-name">{name}</span>
          <Icon name="chevron" />
        </>
      }
    >
      <p>
        <b>{name}</b>
        <br />
        {email}
      </p>
      <a href="/portfolio">{t('Portfolio')}</a>
      <a href="/accounts">{t('Accounts')}</a>
      <a href="/deposit">{t('Deposit')}</a>
      <a href="/withdraw">{t('Withdraw')}</a>
      {isOperator() ? <a href="/operator">{t('Operator')}</a> : null}
      <a href="/settings">{t('Settings')}</a>
      <a href="/settings#security">{t('Security')}</a>
      <a href="/settings#keys">{t('API keys')}</a>
      <a href="/settings#fees">{t('Fees')}</a>
      <a href="/settings#notifications">{t('Notifications')}</a>
      <a href="/settings#webhooks">{t('Webhooks')}</a>
      {hasBinance ? <a href="/bots">{t('Bots')}</a> : null}
      <a href="/docs">{t('API documentation')}</a>
      <a href="/status">{t('Status')}</a>
      <button type="button" onClick={() => signOut().catch(announceError)}>
        {t('Sign out')}
      </button>
    </Menu>
  );
}
