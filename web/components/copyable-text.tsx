import { CopyButton } from './copy-button.tsx';

interface CopyableTextProps {
  /** Name of the text. */
  readonly what: string;
  readonly text: string;
  /** Whether long lines are wrapped, as those of commands, and not scrolled. */
  readonly isWrapped?: boolean;
}

/** A text in a box, with a button that copies it. */
export function CopyableText({ what, text, isWrapped = false }: CopyableTextProps) {
  return (
    <div class="shown">
      <div class="shown-head">
        <span>{what}</span>
        <CopyButton text={text} what={what} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section tabIndex={0} aria-label={what}>
        <pre class={isWrapped ? 'wrapped-code' : undefined}>{text}</pre>
      </section>
    </div>
  );
}
