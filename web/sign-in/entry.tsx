import '../styles/base.css';
import './entry.css';
import type { ComponentChild, ComponentChildren } from 'preact';
import { LanguageSelect } from '../components/language-select.tsx';
import { Shell } from '../components/shell.tsx';
import { announceError } from '../components/toast.tsx';
import { t } from '../i18n/index.ts';
import { isSandbox } from '../sandbox.ts';
import { loadSession } from '../session.ts';
import { showPage } from '../show-page.ts';
import { reloadWithToken } from './fragment.ts';

interface EntryProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
  /** Links below the card. */
  readonly foot?: ComponentChildren;
}

/** A page with one centered form, such as sign-in. */
export function Entry({ title, lead, children, foot }: EntryProps) {
  return (
    <Shell at={location.pathname} class="entry">
      <div class="entry-card panel">
        <h1>{title}</h1>
        {lead === undefined ? null : <p class="lead">{lead}</p>}
        {children}
      </div>
      {foot === undefined ? null : <p class="entry-foot">{foot}</p>}
      <div class="entry-language">
        <LanguageSelect hiddenLabel reload={reloadWithToken} />
      </div>
    </Shell>
  );
}

/** A note for sandbox users: emails are not sent, but printed by the server. */
export function SandboxMail() {
  return isSandbox ? (
    <p class="aside">
      {t(
        'This is a demo exchange. It sends no email: the server prints each email, with its link, in its terminal.',
      )}
    </p>
  ) : null;
}

export function start(page: ComponentChild): void {
  loadSession().catch(announceError);
  showPage(page);
}
