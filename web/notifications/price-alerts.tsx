import { useSignal } from '@preact/signals';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Icon } from '../components/icon.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { type Resource, useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { parseNumber } from '../components/typed-number.ts';
import { dateTime, grouped } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { inferDirection } from './alert-direction.ts';
import { alerts, deleteAlerts, type ExactAlert, loadAlerts, setAlert } from './alerts.ts';

const DIRECTIONS = [
  ['above', msg('Rises to')],
  ['below', msg('Falls to')],
] as const;

interface PriceAlertsProps {
  readonly symbols: readonly string[];
  /** The market of a new alert; the list shows only its alerts. Undefined for all markets. */
  readonly symbol?: string;
  /** Returns the last price of a market, from which the direction of a new alert follows. */
  readonly readLast: ReadLast;
}

type ReadLast = (symbol: string) => string | undefined;

/** A form for a new price alert, and the list of alerts. */
export function PriceAlerts({ symbols, symbol, readLast }: PriceAlertsProps) {
  const loading = useResource(async () => {
    await loadAlerts();
    return true;
  });
  return (
    <div class="stack">
      <NewAlert symbols={symbols} symbol={symbol} readLast={readLast} />
      <AlertList loading={loading} symbol={symbol} readLast={readLast} />
    </div>
  );
}

interface NewAlertProps {
  readonly symbols: readonly string[];
  readonly symbol: string | undefined;
  readonly readLast: ReadLast;
}

function NewAlert({ symbols, symbol, readLast }: NewAlertProps) {
  const action = useAction();
  const chosen = useSignal(symbol ?? symbols[0] ?? '');
  const direction = useSignal<'above' | 'below'>('above');
  /** Whether the user chose the direction, which then does not follow from the price. */
  const isChosen = useSignal(false);
  const price = useSignal('');
  const note = useSignal('');
  const last = readLast(chosen.value);
  const submit = async () => {
    await setAlert({
      symbol: chosen.value,
      direction: direction.value,
      price: parseNumber(price.value, 'price'),
      note: note.value,
    });
    price.value = '';
    note.value = '';
    isChosen.value = false;
  };
  return (
    <Form action={action} onSubmit={submit} fields={['price', 'note']}>
      <div class="alert-fields">
        {symbol === undefined ? (
          <Select
            label={t('Market')}
            value={chosen.value}
            options={symbols.map((each) => [each, each] as const)}
            onChange={(value) => (chosen.value = value)}
          />
        ) : null}
        <Select
          label={t('When the price')}
          value={direction.value}
          options={DIRECTIONS}
          onChange={(value) => {
            direction.value = value;
            isChosen.value = true;
          }}
        />
        <Field
          label={t('Price')}
          value={price.value}
          onInput={(text) => {
            price.value = text;
            const inferred = inferDirection(text, readLast(chosen.value));
            if (!isChosen.value && inferred !== undefined) direction.value = inferred;
          }}
          unit={chosen.value.split('/')[1] ?? ''}
          hint={last === undefined ? undefined : t('Last price: {last}', { last: grouped(last) })}
          error={action.fieldError('price')}
          input={{ name: 'price', inputMode: 'decimal' }}
        />
        <Field
          label={t('Note (optional)')}
          {...bound(note)}
          error={action.fieldError('note')}
          input={{ maxLength: 64 }}
        />
        <Submit action={action} label={t('Create alert')} />
      </div>
    </Form>
  );
}

interface AlertListProps {
  readonly loading: Resource<boolean>;
  readonly symbol: string | undefined;
  readonly readLast: ReadLast;
}

function AlertList({ loading, symbol, readLast }: AlertListProps) {
  const action = useAction();
  const remove = (alert: ExactAlert) => action.run(() => deleteAlerts([alert]));
  const isShown = (alert: ExactAlert) => symbol === undefined || alert.symbol === symbol;
  return (
    <>
      {action.failure.value === undefined ? null : (
        <Notice kind="error">{action.failure.value.message}</Notice>
      )}
      <Loaded resource={loading}>
        {() => (
          <Table
            caption={t('Price alerts')}
            columns={buildColumns(symbol === undefined, readLast, (alert) => void remove(alert))}
            rows={(alerts.value ?? []).filter(isShown)}
            rowKey={({ id }) => id}
            empty={t('No price alerts yet')}
          />
        )}
      </Loaded>
    </>
  );
}

const MARKET_COLUMN: Column<ExactAlert> = {
  key: 'symbol',
  title: msg('Market'),
  cell: ({ symbol }) => <b>{symbol}</b>,
};

/** The last price of the market, in a list of several markets: that of one is next to the form. */
function lastColumn(readLast: ReadLast): Column<ExactAlert> {
  return {
    key: 'last',
    title: msg('Last price'),
    cell: ({ symbol }) => grouped(readLast(symbol) ?? '–'),
  };
}

function buildColumns(
  hasMarket: boolean,
  readLast: ReadLast,
  onDelete: (alert: ExactAlert) => void,
): readonly Column<ExactAlert>[] {
  return [
    ...(hasMarket ? [MARKET_COLUMN] : []),
    {
      key: 'price',
      title: t('Price'),
      cell: ({ direction, price }) =>
        direction === 'above'
          ? t('Rises to {price}', { price: grouped(price) })
          : t('Falls to {price}', { price: grouped(price) }),
    },
    ...(hasMarket ? [lastColumn(readLast)] : []),
    { key: 'note', title: t('Note'), cell: ({ note }) => <span class="long">{note || '–'}</span> },
    {
      key: 'status',
      title: t('Status'),
      cell: ({ triggeredAt }) =>
        triggeredAt === null ? (
          <span class="badge on">{t('Waiting')}</span>
        ) : (
          <span class="muted">
            <T text="Triggered {triggeredAt}" triggeredAt={dateTime(triggeredAt)} />
          </span>
        ),
    },
    {
      key: 'delete',
      title: t('Delete'),
      hiddenTitle: true,
      numeric: true,
      cell: (alert) => (
        <button
          type="button"
          class="icon-button"
          title={t('Delete')}
          aria-label={t('Delete alert {symbol} {price}', {
            symbol: alert.symbol,
            price: alert.price,
          })}
          onClick={() => onDelete(alert)}
        >
          <Icon name="trash" />
        </button>
      ),
    },
  ];
}
