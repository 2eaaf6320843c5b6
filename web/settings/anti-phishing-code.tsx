import { useSignal } from '@preact/signals';
import type { Profile } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Panel } from '../components/panel.tsx';
import { announce } from '../components/toast.tsx';
import { msg, T, t } from '../i18n/index.ts';
import { profile } from '../session.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from './confirmation.tsx';

const LEAD = msg(
  'A word of your choice that all our emails show, so that you recognize forged ones.',
);
const RULE = msg('Use 4 to 20 letters (A to Z) or digits.');
const VALID = /^[A-Za-z0-9]{4,20}$/;
const MAX_LENGTH = 20;

export function AntiPhishingCodePanel({ user }: { user: Profile }) {
  const dialog = useSignal<'change' | 'remove' | undefined>(undefined);
  const close = () => {
    dialog.value = undefined;
  };
  const { antiPhishingCode } = user;
  const isSet = antiPhishingCode !== null;
  return (
    <Panel
      title={t('Anti-phishing code')}
      lead={t(LEAD)}
      aside={<span class={isSet ? 'badge on' : 'badge'}>{isSet ? t('On') : t('Off')}</span>}
    >
      <div class="stack">
        {isSet ? (
          <p>
            <T
              text="Your code: <b>{antiPhishingCode}</b>"
              antiPhishingCode={antiPhishingCode}
              b={(children) => <b>{children}</b>}
            />
          </p>
        ) : null}
        <div class="buttons">
          <button type="button" class="button" onClick={() => (dialog.value = 'change')}>
            {isSet ? t('Change code') : t('Set code')}
          </button>
          {isSet ? (
            <button type="button" class="button" onClick={() => (dialog.value = 'remove')}>
              {t('Remove code')}
            </button>
          ) : null}
        </div>
      </div>
      <Dialog title={t('Anti-phishing code')} open={dialog.value === 'change'} onClose={close}>
        <Change onClose={close} />
      </Dialog>
      <Dialog
        title={t('Remove anti-phishing code')}
        open={dialog.value === 'remove'}
        onClose={close}
      >
        <Remove onClose={close} />
      </Dialog>
    </Panel>
  );
}

function Change({ onClose }: { onClose: () => void }) {
  const [code, confirmation] = [useSignal(''), useSignal('')];
  const action = useAction();
  const submit = async () => {
    const text = code.value.trim();
    if (!VALID.test(text)) throw new FieldError('antiPhishingCode', t(RULE));
    await save(text, confirmation.value);
    onClose();
    announce(t('Anti-phishing code saved'), 'success');
  };
  return (
    <Form action={action} onSubmit={submit} fields={['antiPhishingCode', 'confirmation']}>
      <Field
        label={t('New code')}
        {...bound(code)}
        hint={t('4 to 20 letters (A to Z) or digits. Do not use your password.')}
        error={action.fieldError('antiPhishingCode')}
        input={{ name: 'antiPhishingCode', maxLength: MAX_LENGTH }}
      />
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Save')} />
      </div>
    </Form>
  );
}

function Remove({ onClose }: { onClose: () => void }) {
  const confirmation = useSignal('');
  const action = useAction();
  const submit = async () => {
    await save(null, confirmation.value);
    onClose();
    announce(t('Anti-phishing code removed'), 'success');
  };
  return (
    <Form action={action} onSubmit={submit} fields={['confirmation']}>
      <p>{t('Emails from us will no longer show a code.')}</p>
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Remove code')} kind="danger" />
      </div>
    </Form>
  );
}

async function save(antiPhishingCode: string | null, confirmation: string): Promise<void> {
  const body = { antiPhishingCode, ...toConfirmation(confirmation) };
  const answer = await withConfirmation(() => api.changeAntiPhishingCode(body), 'confirmation');
  profile.value = answer.profile;
}
