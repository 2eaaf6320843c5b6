import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';

interface PanelProps {
  readonly title: string;
  /** The state of what it is about, next to the title. */
  readonly badge?: ComponentChildren;
  /** One sentence about its purpose. */
  readonly lead?: ComponentChildren;
  /** Shown next to the title, such as an add button. */
  readonly aside?: ComponentChildren;
  /** Whether the content reaches the panel's edges, as tables do. */
  readonly flush?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Panel({ title, badge, lead, aside, flush = false, children, ...rest }: PanelProps) {
  return (
    <section class={`panel ${rest.class ?? ''}`}>
      <header>
        <div class="panel-title">
          <h2>
            {title}
            {badge}
          </h2>
          {lead === undefined ? null : <p class="muted">{lead}</p>}
        </div>
        {aside}
      </header>
      <div class={flush ? '' : 'panel-body'}>{children}</div>
    </section>
  );
}

/** A list of labels, marked with `msg` and translated here, and values. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{t(name)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
