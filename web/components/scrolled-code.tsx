import { useRef } from 'preact/hooks';
import { readTokens } from './code-tokens.ts';
import { useScrollFade } from './scroll-fade.ts';

/** Code whose lines are not wrapped: it scrolls sideways, also by keyboard, and fades where lines are cut. */
export function ScrolledCode({ text }: { text: string }) {
  const box = useRef<HTMLPreElement>(null);
  useScrollFade(box);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <pre class="scrolled-code" tabIndex={0} ref={box}>
      <code>
        {readTokens(text).map(({ kind, text: part }) =>
          kind === undefined ? part : <span class={`code-${kind}`}>{part}</span>,
        )}
      </code>
    </pre>
  );
}
