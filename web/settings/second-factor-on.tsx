import { useSignal } from '@preact/signals';
import type { Profile } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { CodeField } from '../components/code-field.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { announce } from '../components/toast.tsx';
import { T, t } from '../i18n/index.ts';
import { loadSession } from '../session.ts';
import { withConfirmation } from './confirmation.tsx';

/** Number of codes at which a warning appears. */
const FEW_CODES = 3;

interface SecondFactorOnProps {
  readonly user: Profile;
  readonly onCodes: (codes: readonly string[]) => Promise<void>;
}

export function SecondFactorOn({ user, onCodes }: SecondFactorOnProps) {
  const dialog = useSignal<'renew' | 'remove' | undefined>(undefined);
  const close = () => {
    dialog.value = undefined;
  };
  return (
    <div class="stack">
      <p>
        <T
          text="Signing in and creating API keys require a code from your authenticator app. Recovery codes left: <b>{recoveryCodesLeft}</b>."
          recoveryCodesLeft={user.recoveryCodesLeft}
          b={(children) => <b>{children}</b>}
        />
      </p>
      {user.recoveryCodesLeft <= FEW_CODES ? (
        <Notice kind="warning">
          {t('Few recovery codes left. Create new ones while you still have your phone.')}
        </Notice>
      ) : null}
      <div class="buttons">
        <button type="button" class="button" onClick={() => (dialog.value = 'renew')}>
          {t('New recovery codes')}
        </button>
        <button type="button" class="button" onClick={() => (dialog.value = 'remove')}>
          {t('Turn off 2FA')}
        </button>
      </div>
      <Dialog title={t('New recovery codes')} open={dialog.value === 'renew'} onClose={close}>
        <Renew onCodes={onCodes} onClose={close} />
      </Dialog>
      <Dialog
        title={t('Turn off two-factor authentication')}
        open={dialog.value === 'remove'}
        onClose={close}
      >
        <Remove onClose={close} />
      </Dialog>
    </div>
  );
}

interface RenewProps {
  readonly onCodes: (codes: readonly string[]) => Promise<void>;
  readonly onClose: () => void;
}

function Renew({ onCodes, onClose }: RenewProps) {
  const code = useSignal('');
  const action = useAction();
  const submit = async () => {
    const answer = await withConfirmation(
      () => api.renewRecoveryCodes({ code: code.value.trim() }),
      'code',
    );
    onClose();
    await onCodes(answer.recoveryCodes);
  };
  return (
    <Form action={action} onSubmit={submit} fields={['code']}>
      <p>{t('Your current recovery codes stop working.')}</p>
      <CodeField {...bound(code)} error={action.fieldError('code')} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Create new codes')} />
      </div>
    </Form>
  );
}

function Remove({ onClose }: { onClose: () => void }) {
  const [password, code] = [useSignal(''), useSignal('')];
  const action = useAction();
  const submit = async () => {
    await withConfirmation(
      () => api.removeSecondFactor({ password: password.value, code: code.value.trim() }),
      'password',
      t('Incorrect password or code'),
    );
    await loadSession();
    onClose();
    announce(t('Two-factor authentication is off.'), 'success');
  };
  return (
    <Form action={action} onSubmit={submit} fields={['password', 'code']}>
      <p>{t('Your account will be protected by your password only.')}</p>
      <PasswordField
        label={t('Your password')}
        {...bound(password)}
        autocomplete="current-password"
        error={action.fieldError('password')}
      />
      <CodeField {...bound(code)} error={action.fieldError('code')} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Turn off 2FA')} kind="danger" />
      </div>
    </Form>
  );
}
