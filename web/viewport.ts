import { signal } from '@preact/signals';

/** Whether the window is as narrow as a phone, where rows of tables become cards (controls.css). */
export const isNarrow = signal(false);

// Tests of logic have no window.
const query = globalThis.matchMedia?.('(max-width: 720px)');
if (query !== undefined) {
  const follow = () => {
    isNarrow.value = query.matches;
  };
  follow();
  query.addEventListener('change', follow);
}
