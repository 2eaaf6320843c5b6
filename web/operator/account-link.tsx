import type { AccountName } from '../../src/client/index.ts';
import { Short } from '../custody/status.tsx';
import { isGenerated, nameAccount } from './account-names.ts';
import { accountPath } from './account-path.ts';

interface AccountLinkProps {
  readonly accountId: string;
  readonly names: readonly AccountName[];
}

/** The target of a command: an account leads to its page, a market or an asset has none. */
export function Subject({ subject, names }: { subject: string; names: readonly AccountName[] }) {
  return names.some(({ accountId }) => accountId === subject) ? (
    <AccountLink accountId={subject} names={names} />
  ) : (
    subject
  );
}

/** The name of an account, which leads to it. The tooltip has the id. */
export function AccountLink({ accountId, names }: AccountLinkProps) {
  const name = nameAccount(accountId, names);
  if (name !== accountId) {
    return (
      <a href={accountPath(accountId)} title={accountId}>
        {name}
      </a>
    );
  }
  return <ShortAccountLink accountId={accountId} />;
}

interface ShortAccountLinkProps {
  readonly accountId: string;
  /** The tab of the account's page; undefined for the first one. */
  readonly tab?: string;
}

/** The id of an account, which leads to it, where its name is not known. */
export function ShortAccountLink({ accountId, tab }: ShortAccountLinkProps) {
  return (
    <a href={accountPath(accountId, tab)}>
      <ShortAccountId id={accountId} />
    </a>
  );
}

/** The id of an account; a generated one is shortened, whole in its tooltip. */
export function ShortAccountId({ id }: { id: string }) {
  return isGenerated(id) ? <Short text={id} /> : id;
}
