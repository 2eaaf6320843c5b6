import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { revealInside, useScrollFade } from './scroll-fade.ts';

interface SectionNavProps<Id extends string> {
  readonly label: string;
  readonly sections: readonly (readonly [id: Id, title: string])[];
  readonly at: Id;
  /** Numbers of items that need attention. */
  readonly counts?: Partial<Record<Id, number>>;
  /** Whether a narrow window shows a `SectionMenu` in place of the links. */
  readonly hasMenu?: boolean;
}

/** Links to the sections of a page, so that each section has a URL. */
export function SectionNav<Id extends string>({
  label,
  sections,
  at,
  counts,
  hasMenu = false,
}: SectionNavProps<Id>) {
  const nav = useRef<HTMLElement>(null);
  useScrollFade(nav);
  useEffect(() => {
    const row = nav.current!;
    // On a phone the links are a scrolling row. The observer also reports the first size.
    const observer = new ResizeObserver(() => {
      const current = row.querySelector<HTMLElement>('a[aria-current]');
      if (current !== null) revealInside(row, current);
    });
    observer.observe(row);
    return () => observer.disconnect();
  }, [at]);
  return (
    <nav class={`section-nav ${hasMenu ? 'has-menu' : ''}`} aria-label={label} ref={nav}>
      {sections.map(([id, title]) => (
        <a key={id} href={`#${id}`} aria-current={id === at ? 'page' : undefined}>
          {t(title)}
          {counts?.[id] ? (
            <>
              {' '}
              <span class="badge">{counts[id]}</span>
            </>
          ) : null}
        </a>
      ))}
    </nav>
  );
}

/** The sections as a menu, which a narrow window shows in place of the links and of the title. */
export function SectionMenu<Id extends string>({
  sections,
  at,
  counts,
  label = t('Section'),
}: Pick<SectionNavProps<Id>, 'sections' | 'at' | 'counts'> & { readonly label?: string }) {
  return (
    <select
      class="section-menu"
      aria-label={label}
      value={at}
      onChange={(event) => {
        location.hash = event.currentTarget.value;
      }}
    >
      {sections.map(([id, title]) => (
        <option key={id} value={id}>
          {counts?.[id] ? `${t(title)} (${counts[id]})` : t(title)}
        </option>
      ))}
    </select>
  );
}
