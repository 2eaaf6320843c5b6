import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { announce, announceError } from '../components/toast.tsx';
import { toAmounts } from './amounts.ts';
import { withReason } from './approval-reason.tsx';

type Limits = Awaited<ReturnType<typeof api.getTradingLimits>>['limits'];

interface Terms {
  readonly orderRate: number | null;
  readonly ordersPerTrade: number | null;
  readonly freeOrders: number | null;
  readonly openNotional: { readonly asset: string; readonly amount: string }[];
}

/** The trading limits of accounts without their own. */
export function DefaultTradingLimits() {
  const found = useResource(async () => (await api.getTradingLimits()).limits);
  const save = (terms: Terms) => withReason((why) => api.setTradingLimits({ ...terms, ...why }));
  return (
    <Panel
      title="Default trading limits"
      lead="For every account without limits of its own. Empty fields set no limit."
    >
      <Loaded resource={found}>
        {(limits) => (
          <LimitsForm
            key={JSON.stringify(limits)}
            label="Default trading limits"
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
  const save = (terms: Terms) =>
    withReason((why) => api.setAccountTradingLimits({ id, ...terms, ...why }));
  const reset = async () => {
    await withReason((why) => api.setAccountTradingLimits({ id, useDefault: true, ...why }));
    announce(`${id} has the default limits`, 'success');
    await onDone();
  };
  return (
    <Panel
      title="Trading limits"
      lead={limits.isDefault ? 'Default limits' : 'Limits of this account'}
      aside={
        limits.isDefault ? null : (
          <button type="button" class="button" onClick={() => reset().catch(announceError)}>
            Use default limits
          </button>
        )
      }
    >
      <LimitsForm
        key={JSON.stringify(limits)}
        label={`Trading limits of ${id}`}
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
  readonly save: (terms: Terms) => Promise<unknown>;
  readonly onDone: () => Promise<void>;
}

function LimitsForm({ label, limits, save, onDone }: LimitsFormProps) {
  const orderRate = useSignal(`${limits.orderRate ?? ''}`);
  const ordersPerTrade = useSignal(`${limits.ordersPerTrade ?? ''}`);
  const freeOrders = useSignal(`${limits.freeOrders ?? ''}`);
  const openNotional = useSignal(
    limits.openNotional.map(({ asset, amount }) => `${amount} ${asset}`).join(', '),
  );
  const action = useAction();
  const submit = async () => {
    await save({
      orderRate: toCount(orderRate.value, 'orderRate'),
      ordersPerTrade: toCount(ordersPerTrade.value, 'ordersPerTrade'),
      freeOrders: toCount(freeOrders.value, 'freeOrders'),
      openNotional: toAmounts(openNotional.value, 'openNotional'),
    });
    announce('Trading limits updated', 'success');
    await onDone();
  };
  const count = (name: string, title: string, value: typeof orderRate) => (
    <Field
      label={title}
      {...bound(value)}
      error={action.fieldError(name)}
      input={{ name, inputMode: 'numeric' }}
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
        {count('orderRate', 'Orders per 10 seconds', orderRate)}
        <Field
          label="Open notional"
          {...bound(openNotional)}
          hint="By quote asset, for example 1000000 USDT, 20 BTC"
          error={action.fieldError('openNotional')}
          input={{ name: 'openNotional' }}
        />
        {count('ordersPerTrade', 'Orders per trade, hourly', ordersPerTrade)}
        {count('freeOrders', 'Orders per hour without a trade', freeOrders)}
      </div>
      <div class="buttons">
        <Submit action={action} label="Apply limits" />
      </div>
    </Form>
  );
}

/** @throws FieldError */
function toCount(text: string, field: string): number | null {
  if (text.trim() === '') return null;
  const value = Number(text);
  if (/^\d{1,7}$/.test(text.trim()) && value >= 1 && value <= 1_000_000) return value;
  throw new FieldError(field, 'Enter a whole number from 1 to 1000000, or nothing.');
}
