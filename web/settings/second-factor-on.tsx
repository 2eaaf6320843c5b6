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
import { loadSession } from '../session.ts';
import { withConfirmation } from './confirmation.tsx';

/** So few are left that it is time for new ones. */
const FEW_CODES = 3;

interface SecondFactorOnProps {
  readonly of: Profile;
  readonly onCodes: (codes: readonly string[]) => Promise<void>;
}

export function SecondFactorOn({ of, onCodes }: SecondFactorOnProps) {
  const asked = useSignal<'renew' | 'remove' | undefined>(undefined);
  const close = () => {
    asked.value = undefined;
  };
  return (
    <div class="stack">
      <p>
        Signing in and making API keys take a code from your authenticator app. Recovery codes left:{' '}
        <b>{of.recoveryCodesLeft}</b>.
      </p>
      {of.recoveryCodesLeft <= FEW_CODES ? (
        <Notice kind="warning">
          Few recovery codes are left. Make new ones while you have your phone.
        </Notice>
      ) : null}
      <div class="buttons">
        <button type="button" class="button" onClick={() => (asked.value = 'renew')}>
          New recovery codes
        </button>
        <button type="button" class="button" onClick={() => (asked.value = 'remove')}>
          Turn it off
        </button>
      </div>
      <Dialog title="New recovery codes" open={asked.value === 'renew'} onClose={close}>
        <Renew onCodes={onCodes} onClose={close} />
      </Dialog>
      <Dialog title="Turn the second factor off" open={asked.value === 'remove'} onClose={close}>
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
      <p>The codes that you have stop working.</p>
      <CodeField {...bound(code)} error={action.errorOf('code')} />
      <div class="dialog-actions">
        <Submit action={action} label="Make new codes" />
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
      'The password or the code is wrong.',
    );
    await loadSession();
    onClose();
    announce('The second factor is off.', 'success');
  };
  return (
    <Form action={action} onSubmit={submit} fields={['password', 'code']}>
      <p>From then on the password alone opens your account.</p>
      <PasswordField
        label="Your password"
        {...bound(password)}
        autocomplete="current-password"
        error={action.errorOf('password')}
      />
      <CodeField {...bound(code)} error={action.errorOf('code')} />
      <div class="dialog-actions">
        <Submit action={action} label="Turn it off" kind="danger" />
      </div>
    </Form>
  );
}
