import type { ComponentChildren } from 'preact';

interface PanelProps {
  readonly title: string;
  /** What it is for, in a sentence. */
  readonly lead?: ComponentChildren;
  /** Beside the title, such as the button that adds one. */
  readonly aside?: ComponentChildren;
  /** Tables go to the panel's edges. */
  readonly flush?: boolean;
  readonly children: ComponentChildren;
}

export function Panel({ title, lead, aside, flush = false, children }: PanelProps) {
  return (
    <section class="panel">
      <header>
        <div class="panel-title">
          <h2>{title}</h2>
          {lead === undefined ? null : <p class="muted">{lead}</p>}
        </div>
        {aside}
      </header>
      <div class={flush ? '' : 'panel-body'}>{children}</div>
    </section>
  );
}

/** Names and what they name, such as an account's number. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
