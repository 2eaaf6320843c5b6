import { type Signal, useSignal } from '@preact/signals';
import type {
  ListSurveillanceAlertsParameters,
  SurveillanceAlert,
} from '../../src/client/index.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { msg, t } from '../i18n/index.ts';
import { clock } from '../preferences.ts';
import { AccountPicker } from './account-picker.tsx';
import { DETECTORS, SEVERITIES } from './alert-text.tsx';
import { Filters, useApply } from './filters.tsx';
import { MarketSelect } from './market-select.tsx';
import { TimeField } from './time-field.tsx';
import { readEnd, readTime, toIsoTime } from './time-text.ts';

export type AlertFilter = Omit<ListSurveillanceAlertsParameters, 'cursor'>;
export const PAGE_SIZE = 50;

const SEVERITY_OPTIONS = [
  ['', msg('All severities')],
  ...(Object.entries(SEVERITIES) as [SurveillanceAlert['severity'], string][]),
] as const;
const DETECTOR_OPTIONS = [
  ['', msg('All detectors')],
  ...(Object.entries(DETECTORS) as [SurveillanceAlert['detector'], string][]),
] as const;
const CASE_OPTIONS = [
  ['', msg('All cases')],
  ['open', msg('Open')],
  ['assigned', msg('Assigned')],
  ['closed', msg('Closed')],
] as const;

interface AlertFiltersProps {
  /** The number of filters that are set. */
  readonly count: number;
  readonly onApply: (filter: AlertFilter) => Promise<void>;
}

export function AlertFilters({ count, onApply }: AlertFiltersProps) {
  const severity = useSignal<SurveillanceAlert['severity'] | ''>('');
  const detector = useSignal<SurveillanceAlert['detector'] | ''>('');
  const symbol = useSignal('');
  const account = useSignal('');
  const caseStatus = useSignal<SurveillanceAlert['caseStatus'] | ''>('');
  const since = useSignal('');
  const until = useSignal('');
  const search = useAction();
  const submit = async () => {
    const criteria = {
      severity: severity.value,
      detector: detector.value,
      symbol: symbol.value,
      account: account.value.trim(),
      caseStatus: caseStatus.value,
      since: readTimeField('since', since),
      until: readTimeField('until', until),
    };
    const given = Object.entries(criteria).filter(([, value]) => value !== '');
    await onApply({ ...Object.fromEntries(given), limit: PAGE_SIZE });
  };
  const apply = useApply(search, submit);
  return (
    <Filters count={count}>
      <Form
        action={search}
        onSubmit={submit}
        fields={['account', 'since', 'until']}
        class="panel-bar filters alert-filters"
        label={t('Filter')}
      >
        <Choice
          label={t('Severity')}
          options={SEVERITY_OPTIONS}
          chosen={severity}
          onChange={apply}
        />
        <Choice
          label={t('Detector')}
          options={DETECTOR_OPTIONS}
          chosen={detector}
          onChange={apply}
        />
        <Choice label={t('Case')} options={CASE_OPTIONS} chosen={caseStatus} onChange={apply} />
        <MarketSelect symbol={symbol} none={t('All markets')} onChange={apply} />
        <AccountPicker
          label={t('Account')}
          account={account}
          error={search.fieldError('account')}
        />
        <TimeField
          label={t('From')}
          name="since"
          {...bound(since)}
          error={search.fieldError('since')}
        />
        <TimeField
          label={t('Until')}
          name="until"
          {...bound(until)}
          error={search.fieldError('until')}
        />
        <Submit action={search} label={t('Filter')} />
      </Form>
    </Filters>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly chosen: Signal<Value>;
  readonly onChange: () => void;
}

function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, options, chosen, onChange } = props;
  return (
    <Select
      label={label}
      value={chosen.value}
      options={options}
      onChange={(value) => {
        chosen.value = value;
        onChange();
      }}
    />
  );
}

/** Returns the time of a field for a request, as `TimeField` reads it; '' for none. @throws FieldError */
export function readTimeField(name: string, text: Signal<string>): string {
  const time = toIsoTime(text.value, clock.value === 'utc', name === 'until' ? readEnd : readTime);
  if (time === undefined) throw new FieldError(name, t('Enter a time, such as 2026-01-31 14:05.'));
  return time;
}
