import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { Notice } from './notice.tsx';
import type { Resource } from './resource.ts';

interface LoadedProps<Data> {
  readonly resource: Resource<Data>;
  readonly children: (data: Data) => ComponentChildren;
}

/** Renders a resource once it has loaded; before that a loading or error message. */
export function Loaded<Data>({ resource, children }: LoadedProps<Data>) {
  const { data, failure } = resource;
  const problem =
    failure.value === undefined ? null : (
      <div class="loaded-problem">
        <Notice kind="error">{failure.value.message}</Notice>
        <button type="button" class="button small" onClick={() => void resource.load()}>
          {t('Try again')}
        </button>
      </div>
    );
  if (data.value === undefined) return problem ?? <p class="empty">{t('Loading…')}</p>;
  return (
    <>
      {problem}
      {children(data.value)}
    </>
  );
}
