import { useSignal } from '@preact/signals';
import type { AlertReview, SurveillanceAlert } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { AccountLinks, CaseBadge, DETECTORS, describeFigure } from './alert-text.tsx';

const COLUMNS: readonly Column<AlertReview>[] = [
  { key: 'time', title: 'Time', cell: ({ timestamp }) => dateTime(timestamp) },
  { key: 'by', title: 'By', cell: ({ user, apiKey, account }) => user ?? apiKey ?? account },
  { key: 'case', title: 'Case', cell: ({ caseStatus }) => <CaseBadge status={caseStatus} /> },
  { key: 'assignee', title: 'Assignee', cell: ({ assignee }) => assignee ?? '–' },
  { key: 'note', title: 'Note', cell: ({ note }) => <span class="wrapped">{note || '–'}</span> },
];

/** An alert with what was counted, the reviews of its case, and a form that adds one. */
export function AlertCase({ id }: { id: string }) {
  const found = useResource(() => api.getSurveillanceAlert({ id }));
  return (
    <>
      <p>
        <a href="#surveillance">All alerts</a>
      </p>
      <Loaded resource={found}>
        {({ alert, reviews }) => (
          <>
            <Facts alert={alert} />
            <Panel title="Case" lead="Reviews are in the log and cannot be changed or removed.">
              <Table
                caption="Reviews, oldest first"
                columns={COLUMNS}
                rows={reviews}
                rowKey={({ logPosition, timestamp }) => `${logPosition} ${timestamp}`}
                empty="No one has reviewed this alert"
              />
              <ReviewForm alert={alert} onDone={() => found.load()} />
            </Panel>
          </>
        )}
      </Loaded>
    </>
  );
}

function Facts({ alert }: { alert: SurveillanceAlert }) {
  const { detector, symbol, accounts, from, to, figures, caseStatus, assignee } = alert;
  const rows = [
    { name: 'Case', value: <CaseBadge status={caseStatus} /> },
    { name: 'Assignee', value: assignee ?? '–' },
    { name: 'Market', value: symbol },
    { name: 'Accounts', value: <AccountLinks accounts={accounts} /> },
    { name: 'From', value: `${dateTime(from.timestamp)}, log position ${from.logPosition}` },
    { name: 'To', value: `${dateTime(to.timestamp)}, log position ${to.logPosition}` },
    ...Object.entries(figures).map(([name, value]) => {
      const [text, shown] = describeFigure(name, Number(value));
      return { name: text, value: shown };
    }),
  ];
  return (
    <Panel title={DETECTORS[detector]} lead={`Alert ${alert.id}`}>
      <Table
        caption="The alert"
        columns={[
          { key: 'name', title: 'What was found', hiddenTitle: true, cell: ({ name }) => name },
          { key: 'value', title: 'Value', hiddenTitle: true, cell: ({ value }) => value },
        ]}
        rows={rows}
        rowKey={({ name }) => name}
        empty=""
      />
    </Panel>
  );
}

interface ReviewFormProps {
  readonly alert: SurveillanceAlert;
  readonly onDone: () => Promise<void>;
}

function ReviewForm({ alert: { id, caseStatus, assignee }, onDone }: ReviewFormProps) {
  const note = useSignal('');
  const account = useSignal(assignee ?? '');
  const action = useAction();
  const isClosed = caseStatus === 'closed';
  const review = async (status?: 'open' | 'closed') => {
    const text = note.value.trim();
    if (status === 'closed' && text === '') {
      throw new FieldError('note', 'Enter a note that says why the case is closed.');
    }
    await api.reviewAlert({
      id,
      assignee: account.value.trim(),
      note: text,
      ...(status === undefined ? {} : { caseStatus: status }),
    });
    note.value = '';
    announce(status === 'closed' ? 'Case closed' : 'Review saved', 'success');
    await onDone();
  };
  return (
    <Form
      action={action}
      onSubmit={() => review(isClosed ? 'open' : undefined)}
      fields={['note', 'assignee']}
      label="Review"
    >
      <Field
        label="Assignee"
        {...bound(account)}
        hint="Account of the operator who investigates; empty for no one"
        error={action.fieldError('assignee')}
        input={{ name: 'assignee', maxLength: 64 }}
      />
      <Field
        label="Note"
        {...bound(note)}
        hint="It stays in the log: write no names, addresses or other personal data."
        error={action.fieldError('note')}
        input={{ name: 'note', maxLength: 500 }}
      />
      <div class="buttons">
        <Submit action={action} label={isClosed ? 'Reopen case' : 'Save review'} />
        {isClosed ? null : (
          <button
            type="button"
            class="button danger"
            onClick={() => void action.run(() => review('closed'))}
          >
            Close case
          </button>
        )}
      </div>
    </Form>
  );
}
