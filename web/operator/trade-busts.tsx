import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { Table } from '../components/table.tsx';
import { dateTime, grouped } from '../format.ts';
import { MarketSelect } from './market-select.tsx';

const REFRESH_MS = 15_000;

/** The trades that operators have reversed, and a form that asks a second operator to reverse one. */
export function TradeBusts() {
  const busts = useResource(() => api.listTradeBusts(), REFRESH_MS);
  return (
    <Panel
      title="Busted trades"
      lead="A bust reverses a trade: both sides get back what they gave, with the fees. An operator of another account must approve it."
    >
      <Loaded resource={busts}>
        {(data) => (
          <Table
            caption="Busted trades, last first"
            columns={[
              { key: 'id', title: 'Trade', cell: ({ id }) => id },
              { key: 'symbol', title: 'Market', cell: ({ symbol }) => symbol },
              {
                key: 'price',
                title: 'Price',
                numeric: true,
                cell: ({ price }) => grouped(price),
              },
              {
                key: 'amount',
                title: 'Amount',
                numeric: true,
                cell: ({ amount }) => grouped(amount),
              },
              { key: 'maker', title: 'Maker', cell: ({ maker }) => maker },
              { key: 'taker', title: 'Taker', cell: ({ taker }) => taker },
              { key: 'busted', title: 'Busted', cell: ({ bustedAt }) => dateTime(bustedAt) },
            ]}
            rows={data.busts}
            rowKey={({ id }) => id}
            empty="No trade has been busted"
          />
        )}
      </Loaded>
      <BustForm />
    </Panel>
  );
}

function BustForm() {
  const symbol = useSignal('');
  const tradeId = useSignal('');
  const reason = useSignal('');
  const action = useAction();
  const submit = async () => {
    if (symbol.value === '') throw new Error('Choose the market of the trade.');
    await api.bustTrade({
      symbol: symbol.value,
      tradeId: tradeId.value.trim(),
      reason: reason.value.trim(),
    });
  };
  return (
    <Form action={action} onSubmit={submit} fields={['tradeId', 'reason']} label="Bust a trade">
      <div class="two-columns">
        <MarketSelect symbol={symbol} none="Choose a market" />
        <Field
          label="Trade ID"
          {...bound(tradeId)}
          error={action.fieldError('tradeId')}
          input={{ name: 'tradeId', inputMode: 'numeric', required: true }}
        />
      </div>
      <Field
        label="Reason"
        {...bound(reason)}
        hint="For the second operator and the audit trail"
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <div class="buttons">
        <Submit action={action} label="Request bust" kind="danger" />
      </div>
    </Form>
  );
}
