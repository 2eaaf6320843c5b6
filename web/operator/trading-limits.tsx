import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { useIsChanged } from '../components/changed.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { announce, announceError } from '../components/toast.tsx';
import { t } from '../i18n/index.ts';
import { toAmounts } from './amounts.ts';
import { listChanges, reviewChanges } from './change-review.tsx';

type Limits = Awaited<ReturnType<typeof api.getTradingLimits>>['limits'];

interface Terms {
  readonly orderRate: number | null;
  readonly ordersPerTrade: number | null;
  readonly freeOrders: number | null;
  readonly openNotional: { readonly asset: string; readonly amount: string }[];
}

interface ExplainedTerms extends Terms {
  readonly reason: string;
}

/** The trading limits of accounts without their own. */
export function DefaultTradingLimits() {
  const found = useResource(async () => (await api.getTradingLimits()).limits);
  const save = (terms: ExplainedTerms) => api.setTradingLimits(terms);
  return (
    <Panel
      class="form-panel"
      title={t('Default trading limits')}
      lead={t('For every account without limits of its own.')}
    >
      <Loaded resource={found}>
        {(limits) => (
          <LimitsForm
            key={JSON.stringify(limits)}
            label={t('Default trading limits')}
            limits={limits}
            save={save}
            onDone={() => found.load()}
          />
        )}
      </Loaded>
    </Panel>
  );
}

interface AccountLimitsProps {
  readonly accountId: string;
  readonly limits: Limits;
  readonly onDone: () => Promise<void>;
}

/** The trading limits of one account. */
export function AccountTradingLimits({ accountId: id, limits, onDone }: AccountLimitsProps) {
  const save = (terms: ExplainedTerms) => api.setAccountTradingLimits({ id, ...terms });
  const reset = async () => {
    const reason = await reviewChanges({
      title: t('Trading limits of {account}', { account: id }),
      changes: [{ name: t('Limits'), from: t('of this account'), to: t('default limits') }],
    });
    if (reason === undefined) return;
    await api.setAccountTradingLimits({ id, useDefault: true, reason });
    announce(t('{account} has the default limits', { account: id }), 'success');
    await onDone();
  };
  return (
    <Panel
      title={t('Trading limits')}
      lead={limits.isDefault ? t('Default limits') : t('Limits of this account')}
      aside={
        limits.isDefault ? null : (
          <button type="button" class="button" onClick={() => reset().catch(announceError)}>
            {t('Use default limits')}
          </button>
        )
      }
    >
      <LimitsForm
        key={JSON.stringify(limits)}
        label={t('Trading limits of {account}', { account: id })}
        limits={limits}
        save={save}
        onDone={onDone}
      />
    </Panel>
  );
}

interface LimitsFormProps {
  readonly label: string;
  readonly limits: Limits;
  readonly save: (terms: ExplainedTerms) => Promise<unknown>;
  readonly onDone: () => Promise<void>;
}

function LimitsForm({ label, limits, save, onDone }: LimitsFormProps) {
  const orderRate = useSignal(`${limits.orderRate ?? ''}`);
  const ordersPerTrade = useSignal(`${limits.ordersPerTrade ?? ''}`);
  const freeOrders = useSignal(`${limits.freeOrders ?? ''}`);
  const openNotional = useSignal(notionalText(limits));
  const action = useAction();
  const isChanged = useIsChanged(
    orderRate.value,
    ordersPerTrade.value,
    freeOrders.value,
    openNotional.value,
  );
  const submit = async () => {
    const terms = {
      orderRate: toCount(orderRate.value, 'orderRate'),
      ordersPerTrade: toCount(ordersPerTrade.value, 'ordersPerTrade'),
      freeOrders: toCount(freeOrders.value, 'freeOrders'),
      openNotional: toAmounts(openNotional.value, 'openNotional'),
    };
    const reason = await reviewChanges({
      title: label,
      changes: listChanges([
        [t('Orders per 10 seconds'), `${limits.orderRate ?? ''}`, orderRate.value],
        [t('Open notional'), notionalText(limits), openNotional.value],
        [t('Orders per trade, hourly'), `${limits.ordersPerTrade ?? ''}`, ordersPerTrade.value],
        [t('Orders per hour without a trade'), `${limits.freeOrders ?? ''}`, freeOrders.value],
      ]),
    });
    if (reason === undefined) return;
    await save({ ...terms, reason });
    announce(t('Trading limits updated'), 'success');
    await onDone();
  };
  const count = (name: string, title: string, hint: string, value: typeof orderRate) => (
    <Field
      label={title}
      {...bound(value)}
      hint={hint}
      error={action.fieldError(name)}
      input={{ name, inputMode: 'numeric', placeholder: t('No limit') }}
    />
  );
  return (
    <Form
      action={action}
      onSubmit={submit}
      label={label}
      fields={['orderRate', 'ordersPerTrade', 'freeOrders', 'openNotional']}
    >
      <div class="two-columns">
        {count('orderRate', t('Orders per 10 seconds'), t('New orders and amendments'), orderRate)}
        <Field
          label={t('Open notional')}
          {...bound(openNotional)}
          hint={t('By quote asset, for example 1000000 USDT, 20 BTC')}
          error={action.fieldError('openNotional')}
          input={{ name: 'openNotional', placeholder: t('No limit') }}
        />
        {count(
          'freeOrders',
          t('Orders per hour without a trade'),
          t('Accepted in any hour, also if none of them trades'),
          freeOrders,
        )}
        {count(
          'ordersPerTrade',
          t('Orders per trade, hourly'),
          t('More orders for each trade of the hour'),
          ordersPerTrade,
        )}
      </div>
      <div class="buttons">
        <Submit action={action} label={t('Apply limits')} disabled={!isChanged} />
      </div>
    </Form>
  );
}

function notionalText({ openNotional }: Limits): string {
  return openNotional.map(({ asset, amount }) => `${amount} ${asset}`).join(', ');
}

/** @throws FieldError */
function toCount(text: string, field: string): number | null {
  if (text.trim() === '') return null;
  const value = Number(text);
  if (/^\d{1,7}$/.test(text.trim()) && value >= 1 && value <= 1_000_000) return value;
  throw new FieldError(field, t('Enter a whole number from 1 to 1000000, or nothing.'));
}
