import { CopyButton } from '../components/copy-button.tsx';
import { Notice } from '../components/notice.tsx';
import { t } from '../i18n/index.ts';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Recovery codes, shown only once because the exchange stores only their hashes. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const text = codes.join('\n');
  return (
    <div class="stack">
      <Notice kind="warning">
        {t(
          'Each code signs you in once without your phone. The codes are shown only once. Store them somewhere safe.',
        )}
      </Notice>
      <ol class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="buttons">
        <CopyButton text={text} what={t('all recovery codes')} />
        <button type="button" class="button small" onClick={() => download(text)}>
          {t('Download')}
        </button>
        <button type="button" class="button small primary" onClick={onDone}>
          {t('I’ve saved them')}
        </button>
      </div>
    </div>
  );
}

function download(codes: string): void {
  const heading = t('Recovery codes for {site}. Each works once.', { site: location.host });
  const text = `${heading}\n\n${codes}\n`;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'buttonwood-recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(url);
}
