import { useEffect, useRef } from 'preact/hooks';

interface SectionNavProps<Id extends string> {
  readonly label: string;
  readonly sections: readonly (readonly [id: Id, title: string])[];
  readonly at: Id;
}

/** The sections of a page: beside them, on a phone above them. Each is a link, so each has an address. */
export function SectionNav<Id extends string>({ label, sections, at }: SectionNavProps<Id>) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = nav.current?.querySelector('[aria-current]');
    // On a phone they are a row that scrolls.
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [at]);
  return (
    <nav class="section-nav" aria-label={label} ref={nav}>
      {sections.map(([id, title]) => (
        <a key={id} href={`#${id}`} aria-current={id === at ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
