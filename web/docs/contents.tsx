import { signal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { revealInside, useScrollFade } from '../components/scroll-fade.ts';
import { t } from '../i18n/index.ts';
import type { Section, Topic } from './documents.ts';

/** Distance in pixels from the top of the window from which a section counts as read. */
const READING_LINE = 120;

/** Id of the section that is being read; at first the introduction. */
const current = signal('introduction');

interface ContentsProps {
  readonly topics: readonly Topic[];
  readonly sections: readonly Section[];
}

/** Links to the parts of the page. The part that is being read lists its entries. */
export function Contents({ topics, sections }: ContentsProps) {
  const row = useRef<HTMLUListElement>(null);
  useScrollFade(row);
  useSignalEffect(() => {
    // On a phone the parts are a scrolling row.
    const part = row.current?.querySelector<HTMLElement>(`[href="#${current.value}"]`);
    if (part) revealInside(row.current!, part);
  });
  useEffect(() => {
    let frame = 0;
    const update = () => {
      frame = 0;
      const read = [...document.querySelectorAll('.docs-main > section[id]')].filter(
        (element) => element.getBoundingClientRect().top < READING_LINE,
      );
      current.value = read.at(-1)?.id ?? 'introduction';
    };
    const onScroll = () => {
      frame ||= requestAnimationFrame(update);
    };
    update();
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      removeEventListener('scroll', onScroll);
      cancelAnimationFrame(frame);
    };
  }, [sections]);
  return (
    <ul ref={row}>
      {topics.length === 0 ? null : (
        <Part id="introduction" title={t('Introduction')} href="#introduction">
          {topics.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`} lang="en">
                {title}
              </a>
            </li>
          ))}
        </Part>
      )}
      {sections.map(({ id, title, entries }) => (
        <Part key={id} id={id} title={title} href={`#${id}`}>
          {entries.map((entry) => (
            <li key={entry.id}>
              <a href={`#${entry.id}`} title={entry.summary} lang="en">
                <span class={`docs-method ${entry.method.toLowerCase()}`}>{entry.method}</span>
                <span>{entry.method === 'WS' ? entry.path : entry.id}</span>
              </a>
            </li>
          ))}
        </Part>
      ))}
    </ul>
  );
}

interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly href: string;
  readonly children: ComponentChildren;
}

function Part({ id, title, href, children }: PartProps) {
  const isCurrent = current.value === id;
  return (
    <li class="docs-contents-part">
      <a href={href} aria-current={isCurrent ? 'true' : undefined}>
        {title}
      </a>
      {isCurrent ? <ul>{children}</ul> : null}
    </li>
  );
}
