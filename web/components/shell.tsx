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
}

const TRADE: Link = { path: '/trade', label: msg('Trade') };
const PORTFOLIO: Link = { path: '/portfolio', label: msg('Portfolio') };
const OPERATOR: Link = { path: '/operator', label: msg('Operator') };
const API: Link = { path: '/docs', label: msg('API') };
const STATUS: Link = { path: '/status', label: msg('Status') };

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
          <MainLinks at={at} />
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

/** The same links on every page. Phones have space for the first ones; a menu has the others. */
function MainLinks({ at }: { at: string }) {
  const { links, narrowCount } = chooseLinks();
  const others = links.slice(narrowCount);
  return (
    <>
      {links.map((link, index) => (
        <MainLink
          key={link.path}
          link={link}
          at={at}
          class={index < narrowCount ? undefined : 'wide-only'}
        />
      ))}
      {others.length === 0 ? null : (
        <Menu
          id="more-links"
          label={t('More')}
          buttonClass={`icon-button ${others.some(({ path }) => findMark(path, at) !== undefined) ? 'current' : ''}`}
          button={<Icon name="menu" />}
        >
          {others.map((link) => (
            <MainLink key={link.path} link={link} at={at} />
          ))}
        </Menu>
      )}
    </>
  );
}

function MainLink({
  link: { path, label },
  at,
  ...rest
}: {
  link: Link;
  at: string;
  class?: string | undefined;
}) {
  return (
    <a class={rest.class} href={path} aria-current={findMark(path, at)}>
      {t(label)}
    </a>
  );
}

/** Returns how the navigation marks a link on the page `at`; undefined if the page does not belong to it. */
function findMark(path: string, at: string): 'page' | 'true' | undefined {
  if (path === at) return 'page';
  return path === PARENTS[at] ? 'true' : undefined;
}

/** Returns the links of the header, and how many of them phones have space for: one next to the buttons of visitors, or next to a menu. */
function chooseLinks(): { readonly links: readonly Link[]; readonly narrowCount: number } {
  if (profile.value === null) return { links: [TRADE, API, STATUS], narrowCount: 1 };
  if (isOperator()) return { links: [TRADE, PORTFOLIO, OPERATOR], narrowCount: 1 };
  return { links: [TRADE, PORTFOLIO], narrowCount: 2 };
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
