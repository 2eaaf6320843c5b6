import { useSignal } from '@preact/signals';
import { t } from '../i18n/index.ts';
import { Icon } from './icon.tsx';
import { announceError } from './toast.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** Name of the text, for screen readers. */
  readonly what: string;
  /** Whether a symbol stands for the word, in rows of a table. */
  readonly isIcon?: boolean;
}

const SHOWN_MS = 2500;

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, what, isIcon = false }: CopyButtonProps) {
  const done = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    done.value = true;
    setTimeout(() => {
      done.value = false;
    }, SHOWN_MS);
  };
  const onClick = () => copy().catch(announceError);
  if (isIcon) {
    return (
      <button type="button" class="icon-button copy-icon" title={t('Copy')} onClick={onClick}>
        <Icon name={done.value ? 'done' : 'copy'} />
        <span class="visually-hidden">
          <span aria-live="polite">{done.value ? t('Copied') : t('Copy')}</span> {what}
        </span>
      </button>
    );
  }
  return (
    <button type="button" class="button small" onClick={onClick}>
      <span aria-live="polite">{done.value ? t('Copied') : t('Copy')}</span>
      <span class="visually-hidden"> {what}</span>
    </button>
  );
}
