import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { toAmounts } from './amounts.ts';

type Policy = Awaited<ReturnType<typeof api.getApprovalPolicy>>['policy'];
type Action = Policy['actions'][number];

/** The actions that a policy may name. It always has the last two. */
const ACTIONS: Readonly<Record<Exclude<Action, 'policy' | 'grants' | 'tradeBusts'>, string>> = {
  adjustments: 'Credits and debits above the limits',
  withdrawals: 'Networks, the custodian, and deposits in review',
  rules: 'Market rules, fees and trading limits',
  delisting: 'Delisting a market',
};
const NAMES = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[];

interface PolicyProps {
  readonly onAsked: () => Promise<void>;
}

/** The approval policy, which only two operators change. */
export function ApprovalPolicy({ onAsked }: PolicyProps) {
  const found = useResource(async () => (await api.getApprovalPolicy()).policy);
  return (
    <Panel
      title="Approval policy"
      lead="Actions that need a second operator. Every change of the policy needs one too."
    >
      <Loaded resource={found}>
        {(policy) => <PolicyForm key={JSON.stringify(policy)} policy={policy} onAsked={onAsked} />}
      </Loaded>
    </Panel>
  );
}

function PolicyForm({ policy, onAsked }: PolicyProps & { readonly policy: Policy }) {
  const chosen = useSignal(NAMES.filter((name) => policy.actions.includes(name)));
  const limits = useSignal(policy.limits.map((each) => `${each.amount} ${each.asset}`).join(', '));
  const reason = useSignal('');
  const confirmation = useSignal('');
  const action = useAction();
  const submit = async () => {
    const why = reason.value.trim();
    if (why === '') throw new FieldError('reason', 'Enter a reason.');
    const terms = { actions: chosen.value, limits: toAmounts(limits.value, 'limits'), reason: why };
    const proof = toConfirmation(confirmation.value);
    try {
      await withConfirmation(() => api.setApprovalPolicy({ ...terms, ...proof }), 'confirmation');
    } finally {
      confirmation.value = '';
      await onAsked();
    }
  };
  return (
    <Form
      action={action}
      onSubmit={submit}
      fields={['limits', 'reason', 'confirmation']}
      label="Approval policy"
    >
      <fieldset class="choices">
        <legend>Actions that need a second operator</legend>
        {NAMES.map((name) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={chosen.value.includes(name)}
              onChange={(event) => {
                const others = chosen.value.filter((other) => other !== name);
                chosen.value = event.currentTarget.checked ? [...others, name] : others;
              }}
            />
            {ACTIONS[name]}
          </label>
        ))}
      </fieldset>
      <p class="muted">
        A policy with any action also covers permissions of operators. Changes of the policy and
        busts of trades always need a second operator.
      </p>
      <Field
        label="Limits of credits and debits"
        {...bound(limits)}
        hint="Per operator in 24 hours, for example 10000 USDT, 0.5 BTC. Without a limit each one needs an approval."
        error={action.fieldError('limits')}
        input={{ name: 'limits' }}
      />
      <Field
        label="Reason for the change"
        {...bound(reason)}
        hint="Shown to the operator who approves it"
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="buttons">
        <Submit action={action} label="Ask for approval" />
      </div>
    </Form>
  );
}
