import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { readCells } from '../components/row-card.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { ShortAccountLink } from './account-link.tsx';
import { MarketSelect } from './market-select.tsx';

const REFRESH_MS = 15_000;

/** A form that asks a second operator to reverse a trade, and the trades that were reversed. */
export function TradeBusts() {
  const busts = useResource(() => api.listTradeBusts(), REFRESH_MS);
  return (
    <>
      <Panel
        class="form-panel"
        title={t('Bust a trade')}
        lead={t(
          'A bust reverses a trade: both sides get back what they gave, with the fees. An operator of another account must approve it.',
        )}
      >
        <BustForm />
      </Panel>
      <Panel title={t('Busted trades')} lead={t('Newest first.')} flush>
        <Loaded resource={busts}>
          {(data) => (
            <Table
              caption={t('Busted trades, last first')}
              columns={[
                { key: 'id', title: msg('Trade'), cell: ({ id }) => id },
                { key: 'symbol', title: msg('Market'), cell: ({ symbol }) => symbol },
                {
                  key: 'price',
                  title: msg('Price'),
                  numeric: true,
                  cell: ({ price }) => grouped(price),
                },
                {
                  key: 'amount',
                  title: msg('Amount'),
                  numeric: true,
                  cell: ({ amount }) => grouped(amount),
                },
                {
                  key: 'maker',
                  title: msg('Maker'),
                  cell: ({ maker }) => <ShortAccountLink accountId={maker} tab="fills" />,
                },
                {
                  key: 'taker',
                  title: msg('Taker'),
                  cell: ({ taker }) => <ShortAccountLink accountId={taker} tab="fills" />,
                },
                { key: 'busted', title: msg('Busted'), cell: ({ bustedAt }) => dateTime(bustedAt) },
              ]}
              rows={data.busts}
              rowKey={({ id }) => id}
              card={bustCard}
              empty={t('No trade has been busted.')}
            />
          )}
        </Loaded>
      </Panel>
    </>
  );
}

type Bust = Awaited<ReturnType<typeof api.listTradeBusts>>['busts'][number];

/** A bust on a phone. */
function bustCard(bust: Bust, columns: readonly Column<Bust>[]) {
  const cell = readCells(bust, columns);
  return (
    <div class="list-card">
      <span class="list-card-head">
        <b>
          {bust.symbol} {t('trade {id}', { id: bust.id })}
        </b>
        <span class="muted">{cell('busted')}</span>
      </span>
      <span>
        {t('{amount} at {price}', { amount: grouped(bust.amount), price: grouped(bust.price) })}
      </span>
      <span>
        <span class="muted">{t('Maker')}</span> {cell('maker')}{' '}
        <span class="muted">{t('Taker')}</span> {cell('taker')}
      </span>
    </div>
  );
}

function BustForm() {
  const symbol = useSignal('');
  const tradeId = useSignal('');
  const reason = useSignal('');
  const action = useAction();
  const submit = async () => {
    if (symbol.value === '') throw new FieldError('symbol', t('Choose the market of the trade.'));
    await api.bustTrade({
      symbol: symbol.value,
      tradeId: tradeId.value.trim(),
      reason: reason.value.trim(),
    });
  };
  return (
    <Form
      action={action}
      onSubmit={submit}
      fields={['symbol', 'tradeId', 'reason']}
      label={t('Bust a trade')}
    >
      <div class="two-columns">
        <MarketSelect
          symbol={symbol}
          none={t('Choose a market')}
          error={action.fieldError('symbol')}
        />
        <Field
          label={t('Trade ID')}
          {...bound(tradeId)}
          error={action.fieldError('tradeId')}
          input={{ name: 'tradeId', inputMode: 'numeric', required: true }}
        />
      </div>
      <Field
        label={t('Reason')}
        {...bound(reason)}
        hint={t('For the second operator and the audit trail')}
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <div class="buttons">
        <Submit action={action} label={t('Request bust')} kind="danger" />
      </div>
    </Form>
  );
}
