import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Profile } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { CodeField } from '../components/code-field.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { Panel } from '../components/panel.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { announce } from '../components/toast.tsx';
import { msg, t } from '../i18n/index.ts';
import { loadSession } from '../session.ts';
import { withConfirmation } from './confirmation.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactorOn } from './second-factor-on.tsx';

const LEAD = msg('Protects your account even if your password leaks.');

export function SecondFactorPanel({ user, onChanged }: { user: Profile; onChanged: () => void }) {
  const offer = useSignal<{ secret: string; uri: string } | undefined>(undefined);
  const codes = useSignal<readonly string[] | undefined>(undefined);
  const state = (
    <span class={`badge ${user.secondFactor ? 'on' : 'warn'}`}>
      {user.secondFactor ? t('On') : t('Off')}
    </span>
  );
  const show = async (recoveryCodes: readonly string[]) => {
    offer.value = undefined;
    codes.value = recoveryCodes;
    await loadSession();
    onChanged();
  };
  const stage =
    codes.value !== undefined
      ? 'codes'
      : user.secondFactor
        ? 'on'
        : offer.value !== undefined
          ? 'offer'
          : 'off';
  return (
    <Panel title={t('Two-factor authentication (2FA)')} lead={t(LEAD)} aside={state}>
      <Stage name={stage}>
        {codes.value !== undefined ? (
          <RecoveryCodes codes={codes.value} onDone={() => (codes.value = undefined)} />
        ) : user.secondFactor ? (
          <SecondFactorOn user={user} onCodes={show} />
        ) : offer.value !== undefined ? (
          <Enroll {...offer.value} onCodes={show} onCancel={() => (offer.value = undefined)} />
        ) : (
          <Begin onOffer={(made) => (offer.value = made)} />
        )}
      </Stage>
    </Panel>
  );
}

/** Moves the focus to the next stage, because the focused element is removed with the previous one. */
function Stage({ name, children }: { name: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const shown = useRef(name);
  useEffect(() => {
    if (shown.current === name) return;
    shown.current = name;
    (box.current!.querySelector('input') ?? box.current!).focus();
  }, [name]);
  return (
    <div ref={box} tabIndex={-1}>
      {children}
    </div>
  );
}

function Begin({ onOffer }: { onOffer: (offer: { secret: string; uri: string }) => void }) {
  const password = useSignal('');
  const action = useAction();
  const submit = async () => {
    onOffer(
      await withConfirmation(() => api.offerSecondFactor({ password: password.value }), 'password'),
    );
  };
  return (
    <div class="stack">
      <Notice kind="warning">
        {t(
          '2FA is off: anyone who learns your password can trade and withdraw. Set it up with an authenticator app.',
        )}
      </Notice>
      <Form action={action} onSubmit={submit} fields={['password']} class="narrow">
        <PasswordField
          label={t('Your password')}
          {...bound(password)}
          autocomplete="current-password"
          error={action.fieldError('password')}
        />
        <div>
          <Submit action={action} label={t('Set up 2FA')} />
        </div>
      </Form>
    </div>
  );
}

interface EnrollProps {
  readonly secret: string;
  readonly uri: string;
  readonly onCodes: (codes: readonly string[]) => Promise<void>;
  readonly onCancel: () => void;
}

function Enroll({ secret, uri, onCodes, onCancel }: EnrollProps) {
  const code = useSignal('');
  const action = useAction();
  const submit = async () => {
    const { recoveryCodes } = await withConfirmation(
      () => api.confirmSecondFactor({ code: code.value.trim() }),
      'code',
      t('Incorrect code. Check that your phone’s clock is correct, then enter the next code.'),
    );
    announce(t('Two-factor authentication is on.'), 'success');
    await onCodes(recoveryCodes);
  };
  return (
    <div class="enroll">
      <QrCode text={uri} label={t('QR code for your authenticator app')} />
      <Form action={action} onSubmit={submit} fields={['code']} class="narrow">
        <p>
          {t(
            'Scan the QR code with an authenticator app, or enter the secret manually. Then enter the code it shows.',
          )}
        </p>
        <p class="with-button">
          <code class="secret">{secret}</code>
          <CopyButton text={secret} what={t('secret')} />
        </p>
        <CodeField {...bound(code)} error={action.fieldError('code')} />
        <div class="buttons">
          <Submit action={action} label={t('Turn on 2FA')} />
          <button type="button" class="button quiet" onClick={onCancel}>
            {t('Cancel')}
          </button>
        </div>
      </Form>
    </div>
  );
}
