import { useSignal } from '@preact/signals';
import { Choices } from '../components/choices.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field, Select } from '../components/field.tsx';
import { Menu } from '../components/menu.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { announce } from '../components/toast.tsx';
import { ARROWS, changeTone, grouped, percent } from '../format.ts';

const BUTTONS = ['', 'primary', 'quiet', 'danger', 'buy-fill', 'sell-fill'] as const;
const NOTICES = ['info', 'success', 'warning', 'error'] as const;

export function Buttons() {
  return (
    <Panel title="Buttons">
      {[false, true].map((disabled) => (
        <p key={String(disabled)} class="row">
          {BUTTONS.map((kind) => (
            <button key={kind} type="button" class={`button ${kind}`} disabled={disabled}>
              {kind === '' ? 'default' : kind}
            </button>
          ))}
          <button type="button" class="button small" disabled={disabled}>
            small
          </button>
        </p>
      ))}
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
          value="117962.001"
          onInput={() => {}}
          error="Price must be a multiple of 0.01 (nearest: 117,962.00)."
        />
        <Field label="Disabled" value="Alice" onInput={() => {}} input={{ disabled: true }} />
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
        <label class="check">
          <input type="checkbox" checked /> <span>Post only</span>
        </label>
        <Choices
          legend="Interval"
          ids={['1m', '15m', '1h', '1d']}
          chosen={choice.value}
          onChoose={(id) => {
            choice.value = id;
          }}
        />
      </div>
    </Panel>
  );
}

export function Messages() {
  const isOpen = useSignal(false);
  return (
    <Panel title="Messages">
      <div class="stack">
        {NOTICES.map((kind) => (
          <Notice key={kind} kind={kind}>
            <b>{kind}.</b> A message that stays on the page.
          </Notice>
        ))}
        <p class="row">
          <span class="badge">Badge</span>
          <span class="badge on">✓ On</span>
          <span class="badge off">✗ Off</span>
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
        <p class="empty">
          {tab.value === 'orders' ? 'Your open orders appear here.' : 'No fills yet'}
        </p>
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
        <p class="empty">Empty state: why, and what to do.</p>
      </Panel>
    </>
  );
}
