import { useSignal } from '@preact/signals';
import { type ComponentProps, Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { msg, T, t } from '../i18n/index.ts';
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

/** The approval policy in short, with a dialog that changes it, which only two operators do. */
export function ApprovalPolicy({ decisions, onAsked }: PolicyProps) {
  const found = useResource(async () => (await api.getApprovalPolicy()).policy);
  const shown = useRef(decisions);
  const isChanging = useSignal(false);
  const close = () => {
    isChanging.value = false;
  };
  useEffect(() => {
    if (shown.current !== decisions) void found.load();
    shown.current = decisions;
  }, [decisions]);
  return (
    <Panel
      title={t('Approval policy')}
      class="policy"
      lead={t(
        'Actions that need two operators are carried out once a second operator, of another account, has approved.',
      )}
      aside={
        <button
          type="button"
          class="button"
          disabled={found.data.value === undefined}
          onClick={() => {
            isChanging.value = true;
          }}
        >
          {t('Change policy…')}
        </button>
      }
    >
      <Loaded resource={found}>
        {(policy) => (
          <>
            <InForce policy={policy} />
            <Dialog title={t('Change the approval policy')} open={isChanging.value} onClose={close}>
              <PolicyForm policy={policy} onAsked={onAsked} />
            </Dialog>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** The actions that need a second operator now, and their limits. */
function InForce({ policy: { actions, limits } }: { policy: Policy }) {
  const needed = actions
    .filter((name) => !ALWAYS.has(name))
    .map((name) => t(POLICY_ACTIONS[name]!));
  // Limits exist only under a policy.
  const free = [...NAMES, 'grants' as const]
    .filter((name) => !actions.includes(name))
    .map((name) =>
      name === 'adjustments' ? t('All credits and debits') : t(POLICY_ACTIONS[name]!),
    );
  const hasLimits = limits.length > 0 || actions.includes('adjustments');
  const facts: ComponentProps<typeof Facts>['facts'] = [
    [
      msg('Two operators, by policy'),
      needed.length === 0 ? <span class="badge wait">{t('None')}</span> : needed.join(' · '),
    ],
    ...(hasLimits ? [[msg('Limits'), limitsText(limits)] as const] : []),
    [
      msg('Two operators, always'),
      <T
        key="always"
        text="Changes of this policy · Busts of trades · Withdrawals above the <a>limits of their networks</a>"
        a={(content) => <a href="#custody/networks">{content}</a>}
      />,
    ],
    ...(free.length === 0 ? [] : [[msg('One operator is enough'), free.join(' · ')] as const]),
  ];
  return <Facts facts={facts} />;
}

function limitsText(limits: Policy['limits']): string {
  if (limits.length === 0) return t('None: credits and debits of every amount are above');
  const amounts = limits.map(({ asset }) => limitText(limitRows(limits), asset));
  return t('{amounts} per operator in 24 hours. Every amount of other assets is above.', {
    amounts: amounts.join(', '),
  });
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
      <div class="dialog-actions">
        <Submit action={action} label={t('Ask for approval')} />
      </div>
    </Form>
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
