import { type Signal, signal } from '@preact/signals';

/** Whether the window is as narrow as a phone, where rows of tables become cards (controls.css). */
export const isNarrow = matchSignal('(max-width: 720px)');

/** Whether the window is a phone on its side (phone.css). */
export const isLandscapePhone = matchSignal('(max-width: 980px) and (max-height: 500px)');

function matchSignal(query: string): Signal<boolean> {
  const matches = signal(false);
  // Tests of logic have no window.
  const list = globalThis.matchMedia?.(query);
  if (list !== undefined) {
    const follow = () => {
      matches.value = list.matches;
    };
    follow();
    list.addEventListener('change', follow);
  }
  return matches;
}
