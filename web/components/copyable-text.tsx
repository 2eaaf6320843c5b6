import { CopyButton } from './copy-button.tsx';
import { ScrolledCode } from './scrolled-code.tsx';

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
      <section aria-label={what}>
        {isWrapped ? <pre class="wrapped-code">{text}</pre> : <ScrolledCode text={text} />}
      </section>
    </div>
  );
}
