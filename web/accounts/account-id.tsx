import { CopyButton } from '../components/copy-button.tsx';
import { t } from '../i18n/index.ts';

/** Characters at the ends of an id, enough for `sub_` and four digits. */
const [START, END] = [8, 4];

/** The id of an account. A long one is shortened in the middle, with a button that copies it. */
export function AccountId({ accountId }: { accountId: string }) {
  if (accountId.length <= START + END + 1) return <small class="muted">{accountId}</small>;
  return (
    <small class="muted code-to-copy">
      <span title={accountId}>{`${accountId.slice(0, START)}…${accountId.slice(-END)}`}</span>
      <CopyButton text={accountId} what={t('account ID')} isIcon />
    </small>
  );
}
