import { useSignal } from '@preact/signals';
import { t } from '../i18n/index.ts';
import { announceError } from './toast.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** Name of the text, for screen readers. */
  readonly what: string;
}

const SHOWN_MS = 2500;

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, what }: CopyButtonProps) {
  const done = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    done.value = true;
    setTimeout(() => {
      done.value = false;
    }, SHOWN_MS);
  };
  return (
    <button type="button" class="button small" onClick={() => copy().catch(announceError)}>
      <span aria-live="polite">{done.value ? t('Copied') : t('Copy')}</span>
      <span class="visually-hidden"> {what}</span>
    </button>
  );
}
