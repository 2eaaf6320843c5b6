import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ApprovalRequiredError } from '../../src/client/errors.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { t } from '../i18n/index.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import {
  type LimitRow,
  limitField,
  limitRows,
  limitText,
  readLimits,
  toLimitError,
} from './approval-limits.ts';
import { POLICY_ACTIONS } from './audit-fields.ts';
import { type Change, ChangeList } from './change-list.tsx';
import { listChanges } from './change-review.tsx';
import { LimitRows } from './limit-rows.tsx';

type Policy = Awaited<ReturnType<typeof api.getApprovalPolicy>>['policy'];
type Action = Policy['actions'][number];

/** The actions that an operator chooses. A policy with any of them has the others too. */
const NAMES = ['adjustments', 'withdrawals', 'rules', 'delisting'] as const satisfies Action[];

/** Actions that need a second operator under every policy. */
const ALWAYS: ReadonlySet<Action> = new Set(['policy', 'tradeBusts']);

interface PolicyProps {
  /** Changes with every decision about a request: the policy may be another then. */
  readonly decisions: string;
  readonly onAsked: () => Promise<void>;
}

/** The approval policy, which only two operators change. */
export function ApprovalPolicy({ decisions, onAsked }: PolicyProps) {
  const found = useResource(async () => (await api.getApprovalPolicy()).policy);
  const shown = useRef(decisions);
  useEffect(() => {
    if (shown.current !== decisions) void found.load();
    shown.current = decisions;
  }, [decisions]);
  return (
    <Panel
      title={t('Approval policy')}
      lead={t('Which actions an operator of another account approves before they are carried out.')}
    >
      <Loaded resource={found}>
        {(policy) => <PolicyForm key={JSON.stringify(policy)} policy={policy} onAsked={onAsked} />}
      </Loaded>
    </Panel>
  );
}

function PolicyForm({
  policy,
  onAsked,
}: Pick<PolicyProps, 'onAsked'> & { readonly policy: Policy }) {
  const chosen = useSignal<readonly Action[]>(
    NAMES.filter((name) => policy.actions.includes(name)),
  );
  const limits = useSignal<readonly LimitRow[]>(limitRows(policy.limits));
  const reason = useSignal('');
  const confirmation = useSignal('');
  const action = useAction();
  const failedField = action.failure.value?.field ?? '';
  // Also the error of a row that was removed is not one of the form.
  const isOfLimit = failedField.startsWith(limitField(''));
  /** Shows the policy in force again: the change waits. */
  const showPolicy = () => {
    chosen.value = NAMES.filter((name) => policy.actions.includes(name));
    limits.value = limitRows(policy.limits);
    reason.value = '';
  };
  const choose = (name: Action, isChosen: boolean) => {
    const others = chosen.value.filter((other) => other !== name);
    chosen.value = isChosen ? [...others, name] : others;
    // Limits that are not shown are not changed either.
    if (name === 'adjustments' && !isChosen) limits.value = limitRows(policy.limits);
  };
  const submit = async () => {
    const changes = listPolicyChanges(policy, chosen.value, limits.value);
    if (changes.length === 0) throw new FieldError('none', t('Nothing has changed.'));
    const newLimits = readLimits(limits.value);
    const why = reason.value.trim();
    if (why === '') throw new FieldError('reason', t('Enter a reason.'));
    const terms = {
      actions: [...chosen.value],
      limits: newLimits,
      reason: why,
    };
    const proof = toConfirmation(confirmation.value);
    try {
      await withConfirmation(() => api.setApprovalPolicy({ ...terms, ...proof }), 'confirmation');
    } catch (error) {
      if (error instanceof ApprovalRequiredError) showPolicy();
      throw toLimitError(error, terms.limits);
    } finally {
      confirmation.value = '';
      await onAsked();
    }
  };
  return (
    <Form
      action={action}
      onSubmit={submit}
      fields={['limits', 'reason', 'confirmation', ...(isOfLimit ? [failedField] : [])]}
      label={t('Approval policy')}
      class="policy-form"
    >
      <InForce policy={policy} />
      <fieldset class="choices">
        <legend>{t('Actions')}</legend>
        {NAMES.map((name) => (
          <Fragment key={name}>
            <label class="check">
              <input
                type="checkbox"
                checked={chosen.value.includes(name)}
                onChange={(event) => choose(name, event.currentTarget.checked)}
              />
              {t(POLICY_ACTIONS[name]!)}
            </label>
            {name === 'adjustments' && chosen.value.includes(name) ? (
              <LimitRows
                rows={limits}
                rowError={(asset) => action.fieldError(limitField(asset))}
                error={action.fieldError('limits')}
              />
            ) : null}
          </Fragment>
        ))}
        <small class="muted">
          {t('If any of them is chosen, permissions of operators need a second operator too.')}
        </small>
      </fieldset>
      <PolicyChanges changes={listPolicyChanges(policy, chosen.value, limits.value)} />
      <Field
        label={t('Reason for the change')}
        {...bound(reason)}
        hint={t('Shown to the operator who approves it')}
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="buttons">
        <Submit action={action} label={t('Ask for approval')} />
      </div>
    </Form>
  );
}

/** The actions that need a second operator now, whatever the form below has. */
function InForce({ policy: { actions } }: { policy: Policy }) {
  const isOff = actions.length === 0;
  const names = actions.filter((name) => !ALWAYS.has(name)).map((name) => t(POLICY_ACTIONS[name]!));
  return (
    <Notice kind={isOff ? 'warning' : 'info'}>
      {isOff
        ? t(
            'None of these actions needs a second operator now. Changes of this policy and busts of trades always do; withdrawals follow the limits of their networks.',
          )
        : t(
            'A second operator is needed now for: {actions}; and always for changes of this policy and busts of trades.',
            { actions: names.join('; ') },
          )}
    </Notice>
  );
}

/** Returns what a changed policy does, by action and by asset. */
function listPolicyChanges(
  policy: Policy,
  chosen: readonly Action[],
  limits: readonly LimitRow[],
): readonly Change[] {
  const need = (isNeeded: boolean) => (isNeeded ? t('Second operator') : t('One operator'));
  const now = limitRows(policy.limits);
  const assets = [...new Set([...now, ...limits].map(({ asset }) => asset))];
  return listChanges([
    ...NAMES.map(
      (name) =>
        [
          t(POLICY_ACTIONS[name]!),
          need(policy.actions.includes(name)),
          need(chosen.includes(name)),
        ] as const,
    ),
    ...assets.map(
      (asset) =>
        [
          t('Limit of {asset}', { asset }),
          limitText(now, asset),
          limitText(limits, asset),
        ] as const,
    ),
  ]);
}

/** The changes that the form asks for; nothing while it has the policy in force. */
function PolicyChanges({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
    <div class="policy-changes">
      <h3>{t('Changes to approve')}</h3>
      <ChangeList changes={changes} />
    </div>
  );
}
