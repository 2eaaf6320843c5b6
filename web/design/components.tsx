import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Choices } from '../components/choices.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field, Select } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { announce } from '../components/toast.tsx';
import { ARROWS, changeTone, grouped, percent } from '../format.ts';
import { copyStateRules } from './states.ts';

const NOTICES = [
  ['info', 'Information'],
  ['success', 'Success'],
  ['warning', 'Warning'],
  ['error', 'Error'],
] as const;
const STATES = ['Default', 'Hover', 'Focus', 'Disabled', 'Loading', 'Error'] as const;
type State = (typeof STATES)[number];

/** A control with the states that it has. */
interface Control {
  readonly name: string;
  /** Its size on a computer. */
  readonly size: string;
  readonly states: readonly State[];
  readonly show: (state: State) => ComponentChildren;
}

const BUTTONS: readonly (readonly [name: string, kind: string, label: string])[] = [
  ['Default', '', 'Edit'],
  ['Primary', 'primary', 'Apply'],
  ['Danger', 'danger', 'Cancel order'],
  ['Danger text', 'danger-text', 'Freeze…'],
  ['Quiet', 'quiet', 'Reset'],
  ['Buy', 'buy-fill', 'Buy BTC'],
  ['Sell', 'sell-fill', 'Sell BTC'],
  ['Small', 'small', 'Remove'],
];

const CONTROLS: readonly Control[] = [
  ...BUTTONS.map(([name, kind, label]) => ({
    ...{ name, states: ['Default', 'Hover', 'Focus', 'Disabled', 'Loading'] as const },
    size: kind === 'small' ? '26 px high' : '34 px high',
    show: (state: State) => (
      <button
        type="button"
        class={`button ${kind}`}
        disabled={state === 'Disabled'}
        aria-busy={state === 'Loading'}
      >
        {label}
      </button>
    ),
  })),
  {
    ...{ name: 'Icon', size: '32 by 32 px', states: ['Default', 'Hover', 'Focus'] },
    show: (state) => (
      <button type="button" class="icon-button" aria-label={`Edit, ${state}`}>
        <Icon name="edit" />
      </button>
    ),
  },
  {
    ...{ name: 'Field', size: '36 px high' },
    states: ['Default', 'Hover', 'Focus', 'Disabled', 'Error'],
    show: (state) => (
      <Field
        label={`Amount, ${state}`}
        hiddenLabel
        unit="BTC"
        value="0.25"
        onInput={() => {}}
        error={state === 'Error' ? 'Minimum: 0.5 BTC.' : undefined}
        input={{ disabled: state === 'Disabled' }}
      />
    ),
  },
  {
    ...{ name: 'Select', size: '36 px high' },
    states: ['Default', 'Hover', 'Focus', 'Disabled', 'Error'],
    show: (state) => (
      <Select
        label={`Type, ${state}`}
        hiddenLabel
        value="limit"
        options={[['limit', 'Limit']]}
        onChange={() => {}}
        disabled={state === 'Disabled'}
        error={state === 'Error' ? 'Limit orders only.' : undefined}
      />
    ),
  },
  ...[false, true].map((checked) => ({
    ...{ name: checked ? 'Checkbox, on' : 'Checkbox', size: 'A box of 15 px' },
    states: ['Default', 'Hover', 'Focus', 'Disabled'] as const,
    show: (state: State) => (
      <label class="check">
        <input type="checkbox" checked={checked} disabled={state === 'Disabled'} />{' '}
        <span>Post only</span>
      </label>
    ),
  })),
];

/** Every control in each of its states. */
export function Controls() {
  useEffect(copyStateRules, []);
  return (
    <Panel
      title="Controls and their states"
      lead={
        <>
          <span class="pointer-sizes">Sizes are those with a pointer. </span>
          Under a finger every button and field is at least 40 px high.
        </>
      }
      flush
    >
      <div class="states">
        <Table
          caption="Controls and their states"
          columns={[
            { key: 'name', title: 'Control', cell: (control: Control) => <Name {...control} /> },
            ...STATES.map((state) => ({
              ...{ key: state.toLowerCase(), title: state },
              cell: (control: Control) => <InState control={control} state={state} />,
            })),
          ]}
          rows={CONTROLS}
          rowKey={({ name }) => name}
          empty=""
        />
      </div>
    </Panel>
  );
}

function Name({ name, size }: Control) {
  return (
    <span class="control-name">
      <b>{name}</b>
      <small class="muted">{size}</small>
    </span>
  );
}

/** Shows a control as if the pointer or the focus were on it. */
function InState({ control: { states, show }, state }: { control: Control; state: State }) {
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (state !== 'Hover' && state !== 'Focus') return;
    for (const each of box.current?.querySelectorAll('button, input, select, .input-box') ?? []) {
      each.classList.add(`is-${state.toLowerCase()}`);
    }
  }, []);
  if (!states.includes(state)) return <span class="no-state">–</span>;
  return <span ref={box}>{show(state)}</span>;
}

export function Fields() {
  const text = useSignal('0.25');
  const password = useSignal('correct horse');
  const choice = useSignal('15m');
  const type = useSignal<'limit' | 'market'>('limit');
  const onInput = (value: string) => {
    text.value = value;
  };
  return (
    <Panel title="Fields">
      <div class="columns">
        <Field label="Amount" unit="BTC" value={text.value} onInput={onInput} hint="A hint" />
        <Field
          label="Price"
          unit="USDT"
          value="117,962.001"
          onInput={() => {}}
          error="Price must be a multiple of 0.01 (nearest: 117,962.00)."
        />
        <PasswordField
          label="Password"
          value={password.value}
          onInput={(value) => {
            password.value = value;
          }}
          autocomplete="current-password"
        />
        <Select
          label="Order type"
          value={type.value}
          options={[
            ['limit', 'Limit'],
            ['market', 'Market'],
          ]}
          onChange={(value) => {
            type.value = value;
          }}
        />
        <Choices
          legend="Interval"
          ids={['1m', '15m', '1h', '1d']}
          chosen={choice.value}
          onChoose={(id) => {
            choice.value = id;
          }}
        />
      </div>
      <p class="row">
        <CopyButton text="bwk_0123456789abcdef" what="key" />
        <Menu id="design-menu" buttonClass="button" button="Menu">
          <a href="#first">First</a>
          <a href="#second">Second</a>
        </Menu>
      </p>
    </Panel>
  );
}

export function Messages() {
  const isOpen = useSignal(false);
  return (
    <Panel title="Messages">
      <div class="stack">
        {NOTICES.map(([kind, name]) => (
          <Notice key={kind} kind={kind}>
            <b>{name}.</b> A message that stays on the page.
          </Notice>
        ))}
        <p class="row">
          <span class="badge">Badge</span>
          <span class="badge on">On</span>
          <span class="badge wait">Waiting</span>
          <span class="badge wait">Off</span>
          <span class="badge off">Frozen</span>
          <span class="badge sandbox">Demo</span>
          <span class="badge connection live">
            <i class="dot" /> Live
          </span>
          <span class="badge connection stale">
            <i class="dot" /> Delayed
          </span>
          <span class="badge connection offline">
            <i class="dot" /> Offline
          </span>
        </p>
        <p class="row">
          <button type="button" class="button" onClick={() => announce('Order placed', 'success')}>
            Show a toast
          </button>
          <button type="button" class="button" onClick={() => (isOpen.value = true)}>
            Open a dialog
          </button>
        </p>
      </div>
      <Dialog title="Cancel order?" open={isOpen.value} onClose={() => (isOpen.value = false)}>
        <p>Buy 0.25 BTC at 117,962.00 USDT</p>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={() => (isOpen.value = false)}>
            Keep order
          </button>
          <button type="button" class="button danger" onClick={() => (isOpen.value = false)}>
            Cancel order
          </button>
        </div>
      </Dialog>
    </Panel>
  );
}

interface Order {
  readonly order: string;
  readonly amount: string;
  readonly price: string;
}
const ORDERS: readonly Order[] = [
  { order: 'Buy BTC/USDT', amount: '0.2500', price: '117,950.00' },
  { order: 'Sell BTC/USDT', amount: '0.1000', price: '119,000.00' },
];
const ORDER_COLUMNS: readonly Column<Order>[] = [
  { key: 'order', title: 'Order', cell: ({ order }) => <b>{order}</b> },
  { key: 'amount', title: 'Amount', numeric: true, cell: ({ amount }) => amount },
  { key: 'price', title: 'Price', numeric: true, cell: ({ price }) => price },
];

export function Navigation() {
  const tab = useSignal<'orders' | 'fills'>('orders');
  return (
    <section class="panel">
      <Tabs
        label="Tabs"
        tabs={[
          { id: 'orders', label: 'Open orders', count: 2 },
          { id: 'fills', label: 'Fills' },
        ]}
        selected={tab.value}
        onSelect={(id) => {
          tab.value = id;
        }}
      >
        {tab.value === 'orders' ? (
          <Table
            caption="Open orders"
            columns={ORDER_COLUMNS}
            rows={ORDERS}
            rowKey={({ order }) => order}
            empty=""
          />
        ) : (
          <p class="empty">No fills yet</p>
        )}
      </Tabs>
    </section>
  );
}

interface Row {
  readonly symbol: string;
  readonly price: string;
  readonly change: string;
}
const ROWS: readonly Row[] = [
  { symbol: 'BTC/USDT', price: '117962.00', change: '2.5' },
  { symbol: 'PEPE/USDT', price: '0.00001234', change: '-12.75' },
];
const COLUMNS: readonly Column<Row>[] = [
  { key: 'symbol', title: 'Market', cell: ({ symbol }) => <b>{symbol}</b> },
  { key: 'price', title: 'Price', numeric: true, cell: ({ price }) => grouped(price) },
  {
    key: 'change',
    title: '24h change',
    numeric: true,
    cell: ({ change }) => (
      <span class={changeTone(change)}>
        {ARROWS[changeTone(change)]}
        {percent(change)}
      </span>
    ),
  },
];

export function Data() {
  return (
    <>
      <Panel title="Table" flush>
        <Table
          caption="Markets"
          columns={COLUMNS}
          rows={ROWS}
          rowKey={({ symbol }) => symbol}
          empty="No markets"
        />
      </Panel>
      <Panel title="Facts">
        <Facts
          facts={[
            ['Email', 'alice@buttonwood.test'],
            ['30-day volume', '1,250,000.00 USDT'],
          ]}
        />
      </Panel>
      <Panel title="States of a list">
        <div class="columns lists">
          <p class="empty">Loading…</p>
          <p class="empty">No open orders. Orders that you place appear here.</p>
          <div class="loaded-problem">
            <Notice kind="error">The exchange is not reachable.</Notice>
            <button type="button" class="button small">
              Try again
            </button>
          </div>
        </div>
      </Panel>
    </>
  );
}
