import { useSignal } from '@preact/signals';
import type { Webhook } from '../../src/client/index.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { t } from '../i18n/index.ts';
import { EventChoice } from './event-choice.tsx';
import { EVENTS } from './events.ts';

interface WebhookFormProps {
  /** The webhook that is changed; undefined for a new one. */
  readonly webhook: Webhook | undefined;
  readonly verb: string;
  readonly onSubmit: (terms: Pick<Webhook, 'url' | 'label' | 'events'>) => Promise<void>;
}

/** URL, label and events of a webhook. */
export function WebhookForm({ webhook, verb, onSubmit }: WebhookFormProps) {
  const action = useAction();
  const url = useSignal(webhook?.url ?? '');
  const label = useSignal(webhook?.label ?? '');
  const events = useSignal<readonly string[]>(webhook?.events ?? EVENTS.map(([name]) => name));
  const submit = () =>
    onSubmit({ url: url.value.trim(), label: label.value, events: events.value });
  return (
    <Form action={action} onSubmit={submit} fields={['url', 'label']}>
      <Field
        label={t('URL')}
        {...bound(url)}
        error={action.fieldError('url')}
        input={{ placeholder: t('https://example.com/hook') }}
      />
      <Field label={t('Label (optional)')} {...bound(label)} error={action.fieldError('label')} />
      <EventChoice
        legend={t('Events')}
        chosen={events.value}
        onChange={(chosen) => (events.value = chosen)}
      />
      <div class="dialog-actions">
        <Submit action={action} label={verb} />
      </div>
    </Form>
  );
}
