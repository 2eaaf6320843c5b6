import '../styles/base.css';
import './entry.css';
import { type ComponentChild, type ComponentChildren, render } from 'preact';
import { Shell } from '../components/shell.tsx';
import { announceError } from '../components/toast.tsx';
import { isSandbox } from '../sandbox.ts';
import { loadSession } from '../session.ts';

interface EntryProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
  /** Below the card: where else to go. */
  readonly foot?: ComponentChildren;
}

/** A page of one form in the middle: signing up, signing in, what leads to it. */
export function Entry({ title, lead, children, foot }: EntryProps) {
  return (
    <Shell at={location.pathname} class="entry">
      <div class="entry-card panel">
        <h1>{title}</h1>
        {lead === undefined ? null : <p class="lead">{lead}</p>}
        {children}
      </div>
      {foot === undefined ? null : <p class="entry-foot">{foot}</p>}
    </Shell>
  );
}

/** Where the sandbox has its mails, instead of a mailbox. */
export function SandboxMail() {
  return isSandbox ? (
    <p class="aside">
      This is a sandbox, so no mail leaves it: the server prints the mail, with its link, in its
      terminal.
    </p>
  ) : null;
}

export function start(page: ComponentChild): void {
  loadSession().catch(announceError);
  render(page, document.getElementById('app')!);
}
