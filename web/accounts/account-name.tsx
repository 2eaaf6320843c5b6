import { accountName, accountTone } from '../selected-account.ts';

/** The name and color of an account of the user, or the id of another one. */
export function AccountName({ accountId }: { accountId: string }) {
  const tone = accountTone(accountId);
  return (
    <span>
      {tone === undefined ? null : <span class={`swatch ${tone}`} aria-hidden="true" />}
      {accountName(accountId)}
    </span>
  );
}
