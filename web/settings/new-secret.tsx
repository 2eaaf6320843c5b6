import { useEffect, useRef } from 'preact/hooks';
import { CopyButton } from '../components/copy-button.tsx';
import { Notice } from '../components/notice.tsx';
import type { Made } from './new-key.tsx';

/** A key that was just made. Its secret is on the page until it is said to be kept, and never again. */
export function NewSecret({ made, onDone }: { made: Made; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { key, apiKey, apiSecret } = made;
  const curl = [
    `curl ${location.origin}/api/portfolio/balances`,
    `-H "Authorization: Bearer ${apiKey}"`,
    `-H "X-API-Secret: ${apiSecret}"`,
  ].join(' \\\n  ');
  return (
    <section class="panel new-secret" aria-labelledby="new-secret">
      <header>
        <h2 id="new-secret" ref={heading} tabIndex={-1}>
          Your new key: {key.label}
        </h2>
      </header>
      <div class="panel-body stack">
        <Notice kind="warning">
          The secret is shown only now. Keep it where only the program that uses it can read it.
        </Notice>
        <Shown what="API key" text={apiKey} />
        <Shown what="API secret" text={apiSecret} />
        <Shown what="Try it" text={curl} />
        <div>
          <button type="button" class="button primary" onClick={onDone}>
            I have kept the secret
          </button>
        </div>
      </div>
    </section>
  );
}

function Shown({ what, text }: { what: string; text: string }) {
  return (
    <div class="shown">
      <div class="shown-head">
        <span>{what}</span>
        <CopyButton text={text} what={what} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={what}>
        <pre>{text}</pre>
      </section>
    </div>
  );
}
