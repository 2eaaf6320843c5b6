import { type Signal, useComputed } from '@preact/signals';
import { msg, t } from '../i18n/index.ts';
import { Combobox, type Suggestion } from './combobox.tsx';
import { useRecordSearch } from './record-search.ts';
import { AccountResult } from './search-results.tsx';

interface AccountPickerProps {
  readonly label: string;
  /** The account id. */
  readonly account: Signal<string>;
  readonly error?: string | undefined;
  /** Called with the account that the user picks from the list. */
  readonly onChoose?: (account: string) => void;
  readonly name?: string;
  readonly hint?: string;
}

/** A field for an account, which is found by its id, and by the name and email address of a user. */
export function AccountPicker({
  label,
  account,
  error,
  onChoose,
  name = 'account',
  hint,
}: AccountPickerProps) {
  const { results, search } = useRecordSearch();
  const suggestions = useComputed<readonly Suggestion[]>(() =>
    (results.value ?? [])
      .filter(({ kind }) => kind === 'account')
      .map((found) => ({
        key: found.id,
        group: msg('Accounts'),
        content: <AccountResult found={found} />,
        choose: () => {
          account.value = found.id;
          search('');
          onChoose?.(found.id);
        },
      })),
  );
  return (
    <Combobox
      label={label}
      value={account.value}
      onInput={(text) => {
        account.value = text;
        search(text);
      }}
      suggestions={suggestions.value}
      placeholder={t('ID, name or email')}
      error={error}
      name={name}
      {...(hint === undefined ? {} : { hint })}
    />
  );
}
