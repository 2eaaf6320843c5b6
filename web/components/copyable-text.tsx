import { CopyButton } from './copy-button.tsx';

/** A text in a scrollable box, with a button that copies it. @param what Name of the text */
export function CopyableText({ what, text }: { what: string; text: string }) {
  return (
    <div class="shown">
      <div class="shown-head">
        <span>{what}</span>
        <CopyButton text={text} what={what} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section tabIndex={0} aria-label={what}>
        <pre>{text}</pre>
      </section>
    </div>
  );
}
