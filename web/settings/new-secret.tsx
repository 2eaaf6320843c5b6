import { useEffect, useRef } from 'preact/hooks';
import { CopyableText } from '../components/copyable-text.tsx';
import { Notice } from '../components/notice.tsx';
import { T, t } from '../i18n/index.ts';
import { hasBinance } from '../sandbox.ts';
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
  const curl = apiSecret === null ? signedCurl(apiKey) : secretCurl(apiKey, apiSecret);
  const isHmac = key.type === 'hmac';
  return (
    <section class="panel new-secret" aria-labelledby="new-secret">
      <header>
        <h2 id="new-secret" ref={heading} tabIndex={-1}>
          <T text="API key created: {label}" label={key.label} />
        </h2>
      </header>
      <div class="panel-body stack">
        {apiSecret === null ? (
          <Notice kind="info">
            {t(
              'Sign requests with your private key. Store it where only the program that uses it can read it.',
            )}
          </Notice>
        ) : (
          <Notice kind="warning">
            {t(
              'The secret is shown only once. Store it where only the program that uses it can read it.',
            )}
          </Notice>
        )}
        <CopyableText what={t('API key')} text={apiKey} />
        {apiSecret === null ? null : <CopyableText what={t('API secret')} text={apiSecret} />}
        {isHmac && hasBinance ? (
          <p>
            <T
              text="<a>Configurations for bots</a> with this key"
              a={(children) => <a href="/bots">{children}</a>}
            />
          </p>
        ) : null}
        {isHmac ? null : <CopyableText what={t('Try it')} text={curl} />}
        <div>
          <button type="button" class="button primary" onClick={onDone}>
            {apiSecret === null ? t('Done') : t('I’ve saved it')}
          </button>
        </div>
      </div>
    </section>
  );
}

function secretCurl(apiKey: string, apiSecret: string): string {
  return [
    `curl ${location.origin}/api/portfolio/balances`,
    `-H "Authorization: Bearer ${apiKey}"`,
    `-H "X-API-Secret: ${apiSecret}"`,
  ].join(CONTINUED);
}

/** Returns commands that sign a request with the private key in key.pem. */
function signedCurl(apiKey: string): string {
  return [
    'NOW=$(date +%s)000',
    `printf 'buttonwood-v1\\nGET\\n/api/portfolio/balances\\n${apiKey}\\n%s\\n60000\\n' $NOW > text`,
    'SIGNATURE=$(openssl pkeyutl -sign -rawin -inkey key.pem -in text | base64 | tr -d "\\n")',
    [
      `curl ${location.origin}/api/portfolio/balances`,
      `-H "Authorization: Bearer ${apiKey}"`,
      '-H "X-API-Timestamp: $NOW"',
      '-H "X-API-Recv-Window: 60000"',
      '-H "X-API-Signature: $SIGNATURE"',
    ].join(CONTINUED),
  ].join('\n');
}

const CONTINUED = ' \\\n  ';
