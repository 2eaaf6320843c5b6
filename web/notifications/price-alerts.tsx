import { useSignal } from '@preact/signals';
import type { PriceAlert } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { type Resource, useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { parseNumber } from '../components/typed-number.ts';
import { dateTime, grouped } from '../format.ts';

const DIRECTIONS = [
  ['above', 'Rises to'],
  ['below', 'Falls to'],
] as const;

interface PriceAlertsProps {
  readonly symbols: readonly string[];
  /** The market of a new alert; the list shows only its alerts. Undefined for all markets. */
  readonly symbol?: string;
}

/** A form for a new price alert, and the list of alerts. */
export function PriceAlerts({ symbols, symbol }: PriceAlertsProps) {
  const alerts = useResource(() => api.listPriceAlerts());
  return (
    <div class="stack">
      <NewAlert symbols={symbols} symbol={symbol} onCreated={() => alerts.load()} />
      <AlertList alerts={alerts} symbol={symbol} />
    </div>
  );
}

interface NewAlertProps {
  readonly symbols: readonly string[];
  readonly symbol: string | undefined;
  readonly onCreated: () => Promise<void>;
}

function NewAlert({ symbols, symbol, onCreated }: NewAlertProps) {
  const action = useAction();
  const chosen = useSignal(symbol ?? symbols[0] ?? '');
  const direction = useSignal<'above' | 'below'>('above');
  const price = useSignal('');
  const note = useSignal('');
  const submit = async () => {
    const { alert } = await api.createPriceAlert({
      symbol: chosen.value,
      direction: direction.value,
      price: parseNumber(price.value, 'price'),
      note: note.value,
    });
    announce(`Price alert created: ${alert.symbol} ${alert.direction} ${alert.price}`, 'success');
    price.value = '';
    note.value = '';
    await onCreated();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['price', 'note']}>
      <div class="alert-fields">
        {symbol === undefined ? (
          <Select
            label="Market"
            value={chosen.value}
            options={symbols.map((each) => [each, each] as const)}
            onChange={(value) => (chosen.value = value)}
          />
        ) : null}
        <Select
          label="When the price"
          value={direction.value}
          options={DIRECTIONS}
          onChange={(value) => (direction.value = value)}
        />
        <Field
          label="Price"
          {...bound(price)}
          unit={chosen.value.split('/')[1] ?? ''}
          error={action.fieldError('price')}
          input={{ name: 'price', inputMode: 'decimal' }}
        />
        <Field
          label="Note (optional)"
          {...bound(note)}
          error={action.fieldError('note')}
          input={{ maxLength: 64 }}
        />
      </div>
      <div class="buttons">
        <Submit action={action} label="Create alert" />
      </div>
    </Form>
  );
}

interface AlertListProps {
  readonly alerts: Resource<{ alerts: readonly PriceAlert<string>[] }>;
  readonly symbol: string | undefined;
}

function AlertList({ alerts, symbol }: AlertListProps) {
  const action = useAction();
  const remove = ({ id }: PriceAlert<string>) =>
    action.run(async () => {
      await api.deletePriceAlert({ id });
      announce('Price alert deleted', 'success');
      await alerts.load();
    });
  const isShown = (alert: PriceAlert<string>) => symbol === undefined || alert.symbol === symbol;
  return (
    <>
      {action.failure.value === undefined ? null : (
        <Notice kind="error">{action.failure.value.message}</Notice>
      )}
      <Loaded resource={alerts}>
        {(data) => (
          <Table
            caption="Price alerts"
            columns={buildColumns((alert) => void remove(alert))}
            rows={data.alerts.filter(isShown)}
            rowKey={({ id }) => id}
            empty="No price alerts yet"
          />
        )}
      </Loaded>
    </>
  );
}

function buildColumns(
  onDelete: (alert: PriceAlert<string>) => void,
): readonly Column<PriceAlert<string>>[] {
  return [
    { key: 'symbol', title: 'Market', cell: ({ symbol }) => <b>{symbol}</b> },
    {
      key: 'price',
      title: 'Price',
      cell: ({ direction, price }) =>
        `${direction === 'above' ? 'Rises' : 'Falls'} to ${grouped(price)}`,
    },
    { key: 'note', title: 'Note', cell: ({ note }) => <span class="long">{note || '–'}</span> },
    {
      key: 'status',
      title: 'Status',
      cell: ({ triggeredAt }) =>
        triggeredAt === null ? (
          <span class="badge on">Waiting</span>
        ) : (
          <span class="muted">Triggered {dateTime(triggeredAt)}</span>
        ),
    },
    {
      key: 'delete',
      title: 'Delete',
      hiddenTitle: true,
      numeric: true,
      cell: (alert) => (
        <button type="button" class="button small" onClick={() => onDelete(alert)}>
          Delete
          <span class="visually-hidden">
            {' '}
            alert {alert.symbol} {alert.price}
          </span>
        </button>
      ),
    },
  ];
}
