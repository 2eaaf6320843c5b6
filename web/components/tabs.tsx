import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { revealInside, useScrollFade } from './scroll-fade.ts';

export interface Tab<Id extends string> {
  readonly id: Id;
  /** Marked with `msg`; translated here. */
  readonly label: string;
  /** Shown in place of the label where the tabs have little space: the style sheets of the page choose. */
  readonly short?: string;
  /** Number of items in its panel. */
  readonly count?: number;
}

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  /** Shown next to the tabs. */
  readonly aside?: ComponentChildren;
  readonly class?: string;
  /** Content of the selected tab. */
  readonly children: ComponentChildren;
}

const MOVES: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Tabs with one panel, with the keyboard behavior of the ARIA tabs pattern. */
export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const { label, tabs, selected, onSelect, aside, children } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  useScrollFade(list);
  useEffect(() => {
    const reveal = () => {
      const tab = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
      if (list.current && tab) revealInside(list.current, tab);
    };
    reveal();
    // The controls next to the tabs take more or less space for another tab, and in another window.
    const observer = new ResizeObserver(reveal);
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, [selected]);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === selected);
    let next = at + (MOVES[event.key] ?? 0);
    if (event.key === 'Home') next = 0;
    if (event.key === 'End') next = tabs.length - 1;
    const tab = tabs[(next + tabs.length) % tabs.length];
    if (tab === undefined || next === at) return;
    event.preventDefault();
    onSelect(tab.id);
    document.getElementById(`${id}-${tab.id}`)?.focus();
  };
  return (
    <div class={`tabs ${props.class ?? ''}`}>
      <div class="tabs-bar">
        <div ref={list} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              aria-selected={tab.id === selected}
              aria-controls={`${id}-panel`}
              tabIndex={tab.id === selected ? 0 : -1}
              onClick={() => onSelect(tab.id)}
            >
              <TabLabel tab={tab} />
              {tab.count === undefined ? null : <span class="count">{tab.count}</span>}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        class="tab-panel"
        aria-labelledby={`${id}-${selected}`}
      >
        {children}
      </div>
    </div>
  );
}

/** Screen readers get the whole label. */
function TabLabel({ tab: { label, short } }: { tab: Tab<string> }) {
  if (short === undefined) return <>{t(label)}</>;
  return (
    <>
      <span class="tab-label">{t(label)}</span>
      <span class="tab-short" aria-hidden="true">
        {t(short)}
      </span>
    </>
  );
}
