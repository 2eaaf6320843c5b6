import type { GroupAccount } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { Dialog } from '../components/dialog.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { announce, announceError } from '../components/toast.tsx';
import { T, t } from '../i18n/index.ts';
import { group, selectAccount, selectedId } from '../selected-account.ts';
import { findObstacle } from './obstacle.ts';

type Row = GroupAccount<string>;

interface CloseDialogProps {
  /** Id of the sub-account; undefined hides the dialog. */
  readonly accountId: string | undefined;
  readonly onCancel: () => void;
  readonly onClosed: () => Promise<void>;
}

/** Explains what closing a sub-account means, and closes it unless something prevents that. */
export function CloseDialog({ accountId, onCancel, onClosed }: CloseDialogProps) {
  const account = group.value.find((each) => each.accountId === accountId);
  return (
    <Dialog
      title={t('Close {name}', { name: account?.name ?? '' })}
      open={account !== undefined}
      onClose={onCancel}
    >
      {account === undefined ? null : (
        <CloseForm account={account} onCancel={onCancel} onClosed={onClosed} />
      )}
    </Dialog>
  );
}

interface CloseFormProps extends Omit<CloseDialogProps, 'accountId'> {
  readonly account: Row;
}

function CloseForm({ account, onCancel, onClosed }: CloseFormProps) {
  const action = useAction();
  const obstacle = findObstacle(account);
  const submit = async () => {
    const { accountId, name } = account;
    await api.changeSubAccount({ id: accountId, closed: true });
    // The page cannot stay with an account that trades no more.
    if (accountId === selectedId()) selectAccount(group.value[0]!.accountId);
    announce(t('{name} closed', { name: name! }), 'success');
    await onClosed();
  };
  return (
    <Form action={action} onSubmit={submit}>
      <ul class="consequences">
        <li>{t('Its API keys are revoked.')}</li>
        <li>{t('It can no longer trade or receive transfers.')}</li>
        <li>{t('Its history and its name are kept, and you can reopen it at any time.')}</li>
      </ul>
      {obstacle === undefined ? null : <Notice kind="warning">{obstacle}</Notice>}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onCancel}>
          {t('Cancel')}
        </button>
        <Submit
          action={action}
          label={t('Close account')}
          kind="danger"
          disabled={obstacle !== undefined}
        />
      </div>
    </Form>
  );
}

interface ReopenProps {
  readonly account: Row;
  readonly onReopened: () => Promise<void>;
}

/** A button that reopens a closed sub-account. */
export function Reopen({ account: { accountId, name }, onReopened }: ReopenProps) {
  const action = useAction();
  const reopen = async () => {
    try {
      await api.changeSubAccount({ id: accountId, closed: false });
    } catch (error) {
      announceError(error);
      return;
    }
    announce(t('{name} reopened', { name: name! }), 'success');
    await onReopened();
  };
  return (
    <button
      type="button"
      class="button small"
      aria-busy={action.busy.value}
      onClick={() => void action.run(reopen)}
    >
      <T
        text="Reopen<span> {name}</span>"
        name={name!}
        span={(children) => <span class="visually-hidden">{children}</span>}
      />
    </button>
  );
}
