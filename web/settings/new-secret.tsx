import { useEffect, useRef } from 'preact/hooks';
import { CopyButton } from '../components/copy-button.tsx';
import { Notice } from '../components/notice.tsx';
import type { CreatedKey } from './new-key.tsx';

interface NewSecretProps {
  readonly created: CreatedKey;
  readonly onDone: () => void;
}

/** A key that was just created. Its secret is shown until the user confirms having saved it, and never again. */
export function NewSecret({ created, onDone }: NewSecretProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { key, apiKey, apiSecret } = created;
  const curl = [
    `curl ${location.origin}/api/portfolio/balances`,
    `-H "Authorization: Bearer ${apiKey}"`,
    `-H "X-API-Secret: ${apiSecret}"`,
  ].join(' \\\n  ');
  return (
    <section class="panel new-secret" aria-labelledby="new-secret">
      <header>
        <h2 id="new-secret" ref={heading} tabIndex={-1}>
          API key created: {key.label}
        </h2>
      </header>
      <div class="panel-body stack">
        <Notice kind="warning">
          The secret is shown only once. Store it where only the program that uses it can read it.
        </Notice>
        <CopyableText what="API key" text={apiKey} />
        <CopyableText what="API secret" text={apiSecret} />
        <CopyableText what="Try it" text={curl} />
        <div>
          <button type="button" class="button primary" onClick={onDone}>
            I've saved it
          </button>
        </div>
      </div>
    </section>
  );
}

function CopyableText({ what, text }: { what: string; text: string }) {
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
