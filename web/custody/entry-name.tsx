import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { WithdrawalAddress } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { Form, Submit } from '../components/form.tsx';
import { Icon } from '../components/icon.tsx';
import { announce } from '../components/toast.tsx';
import { T, t } from '../i18n/index.ts';

/** Maximum characters of a name. */
export const MAX_LABEL = 64;

interface EntryNameProps {
  readonly entry: WithdrawalAddress;
  readonly onRenamed: () => Promise<void>;
}

/** The name of an address, which is changed in its place. */
export function EntryName({ entry, onRenamed }: EntryNameProps) {
  const isEditing = useSignal(false);
  const cell = useRef<HTMLSpanElement>(null);
  const close = () => {
    isEditing.value = false;
    // The focus was in the form, which is gone.
    requestAnimationFrame(() => cell.current?.querySelector('button')?.focus());
  };
  const edit = () => (isEditing.value = true);
  return (
    <span class="entry-name" ref={cell}>
      {isEditing.value ? (
        <Rename entry={entry} onRenamed={onRenamed} onClose={close} />
      ) : entry.label === null ? (
        <button type="button" class="link-button" onClick={edit}>
          <T
            text="Add name<span> for {address}</span>"
            address={entry.address}
            span={(children) => <span class="visually-hidden">{children}</span>}
          />
        </button>
      ) : (
        <>
          <b>{entry.label}</b>
          <button
            type="button"
            class="icon-button"
            aria-label={t('Rename {name}', { name: entry.label })}
            title={t('Rename')}
            onClick={edit}
          >
            <Icon name="edit" />
          </button>
        </>
      )}
    </span>
  );
}

function Rename({ entry, onRenamed, onClose }: EntryNameProps & { readonly onClose: () => void }) {
  const label = useSignal(entry.label ?? '');
  const action = useAction();
  const submit = async () => {
    const wanted = label.value.trim();
    if (wanted !== (entry.label ?? '')) {
      await api.renameWithdrawalAddress({ id: entry.id, label: wanted });
      await onRenamed();
      announce(wanted === '' ? t('Name removed') : t('Renamed to {wanted}', { wanted }), 'success');
    }
    onClose();
  };
  return (
    <Form action={action} onSubmit={submit} class="entry-rename">
      <div class="input-box">
        <input
          type="text"
          autocomplete="off"
          name="label"
          maxLength={MAX_LABEL}
          aria-label={t('Name of {address}', { address: entry.address })}
          value={label.value}
          ref={(input) => {
            // Once, when the form appears.
            if (input !== null && !input.dataset.shown) {
              input.dataset.shown = 'true';
              input.select();
            }
          }}
          onInput={({ currentTarget }) => (label.value = currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onClose();
          }}
        />
      </div>
      <div class="buttons">
        <Submit action={action} label={t('Save')} class="small" />
        <button type="button" class="button small" onClick={onClose}>
          {t('Cancel')}
        </button>
      </div>
    </Form>
  );
}
