import { type Signal, useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { useIsChanged } from '../components/changed.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { GroupedNumberField, withSeparators } from '../components/grouped-number-field.tsx';
import { networkName } from '../custody/networks.ts';
import { msg, t } from '../i18n/index.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { type Change, listChanges, reviewChanges } from './change-review.tsx';
import {
  NETWORK_FIELDS,
  type NetworkRules,
  type NetworkTexts,
  networkTexts,
  networkUnit,
  readNetworkRules,
} from './network-rules.ts';

const DAY_MS = 86_400_000;
export const NEW_NETWORK: NetworkRules = {
  ...{ asset: '', network: '', decimals: 8, minDeposit: '0', minWithdrawal: '0' },
  ...{ withdrawalFee: '0', confirmations: 1, memo: 'none', deposits: false, withdrawals: false },
  ...{ dailyLimit: '0', hourlyCount: 0, addressCoolingMs: DAY_MS, newDeviceDelayMs: DAY_MS },
  approvalAbove: '0',
};

/** Returns whether rules are those of a network that is being added, such as for the asset of a row. */
export function isNewNetwork({ network }: NetworkRules): boolean {
  return network === '';
}

const FIELDS = [...NETWORK_FIELDS.map(({ name }) => name), 'confirmation'];
const IDENTITY: readonly string[] = ['asset', 'network', 'decimals'];

const SWITCH = [
  ['on', msg('On')],
  ['off', msg('Off')],
] as const;
const MEMO = [
  ['none', msg('None')],
  ['optional', msg('Optional')],
  ['required', msg('Required')],
] as const;
const MEMO_NAMES = Object.fromEntries(MEMO) as Record<NetworkRules['memo'], string>;

interface NetworkFormProps {
  readonly network: NetworkRules;
  readonly onSaved: () => Promise<void>;
}

/** Changes the rules of a network after a review of the changes, with a reason and the operator's proof of identity. */
export function NetworkForm({ network, onSaved }: NetworkFormProps) {
  const isNew = isNewNetwork(network);
  const present = networkTexts(network);
  const texts = useSignal(present);
  const memo = useSignal(network.memo);
  const deposits = useSignal(toSwitch(network.deposits));
  const withdrawals = useSignal(toSwitch(network.withdrawals));
  const confirmation = useSignal('');
  const action = useAction();
  const isChanged = useIsChanged(
    JSON.stringify(texts.value),
    memo.value,
    deposits.value,
    withdrawals.value,
  );
  const submit = async () => {
    const changed = {
      ...readNetworkRules(texts.value),
      ...{ deposits: deposits.value === 'on', withdrawals: withdrawals.value === 'on' },
      memo: memo.value,
    };
    const reason = await reviewChanges({
      title: isNew
        ? t('Add network {name}', { name: networkName(changed.network) })
        : t('Change the rules of {asset} on {name}', {
            asset: network.asset,
            name: networkName(network.network),
          }),
      changes: [
        ...listChanges([
          [t('Deposits'), isNew ? '' : shown(toSwitch(network.deposits)), shown(deposits.value)],
          [
            t('Withdrawals'),
            isNew ? '' : shown(toSwitch(network.withdrawals)),
            shown(withdrawals.value),
          ],
          [t('Memo'), isNew ? '' : t(MEMO_NAMES[network.memo]), t(MEMO_NAMES[memo.value])],
        ]),
        ...textChanges(isNew ? undefined : present, texts.value),
      ],
    });
    if (reason === undefined) return;
    const proof = toConfirmation(confirmation.value);
    await withConfirmation(() => api.setNetwork({ ...changed, ...proof, reason }), 'confirmation');
    await onSaved();
  };
  const typed = (field: (typeof NETWORK_FIELDS)[number]) => {
    const { name, label, hint, kind, isLarge = false } = field;
    const Typed = isLarge ? GroupedNumberField : Field;
    const unit = networkUnit(field, texts.value.asset.trim());
    return (
      <Typed
        key={name}
        label={t(label)}
        value={texts.value[name]}
        onInput={(text) => {
          texts.value = { ...texts.value, [name]: text };
        }}
        hint={hint === undefined ? undefined : t(hint)}
        {...(unit === undefined ? {} : { unit })}
        error={action.fieldError(name)}
        input={{
          name,
          required: true,
          inputMode: kind === 'text' ? 'text' : 'decimal',
          disabled: !isNew && IDENTITY.includes(name),
        }}
      />
    );
  };
  return (
    <Form action={action} onSubmit={submit} fields={FIELDS}>
      <div class="two-columns">
        {NETWORK_FIELDS.filter(({ name }) => IDENTITY.includes(name)).map(typed)}
        <Select label={t('Memo')} {...chosen(memo)} options={MEMO} />
        <Select label={t('Deposits')} {...chosen(deposits)} options={SWITCH} />
        <Select label={t('Withdrawals')} {...chosen(withdrawals)} options={SWITCH} />
        {NETWORK_FIELDS.filter(({ name }) => !IDENTITY.includes(name)).map(typed)}
      </div>
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Review changes')} disabled={!isChanged} />
      </div>
    </Form>
  );
}

type Switch = 'on' | 'off';

function toSwitch(isOn: boolean): Switch {
  return isOn ? 'on' : 'off';
}

function shown(value: Switch): string {
  return value === 'on' ? t('On') : t('Off');
}

/** Returns the typed values that change, with units. @param from Undefined for a new network */
function textChanges(from: NetworkTexts | undefined, to: NetworkTexts): readonly Change[] {
  return listChanges(
    NETWORK_FIELDS.map((field) => {
      const unit = networkUnit(field, to.asset.trim());
      const shownText = (text: string) => (field.isLarge ? withSeparators(text) : text.trim());
      const withUnit = (text = '') => (text === '' ? '' : `${shownText(text)} ${unit ?? ''}`);
      return [t(field.label), withUnit(from?.[field.name]), withUnit(to[field.name])] as const;
    }),
  );
}

function chosen<Value extends string>(field: Signal<Value>) {
  return {
    value: field.value,
    onChange: (value: Value) => {
      field.value = value;
    },
  };
}
