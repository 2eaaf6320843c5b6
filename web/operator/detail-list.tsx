import { detailLines } from './audit-text.ts';

interface DetailListProps {
  readonly details: Readonly<Record<string, unknown>>;
  /** The values of the same fields now, if they are known. */
  readonly current?: Readonly<Record<string, unknown>> | null;
  /** `flowing` shows the fields one after another. */
  readonly class?: 'flowing';
}

/** The fields of a command, by default one a line, with the value before if it is known. */
export function DetailList({ details, current = null, ...rest }: DetailListProps) {
  const lines = detailLines(details, current);
  if (lines.length === 0) return <>–</>;
  return (
    <ul class={`detail-list ${rest.class ?? ''}`}>
      {lines.map(({ name, from, to, path }, index) => (
        <li key={index}>
          <span>{name}</span>{' '}
          {from === undefined ? null : (
            <>
              <del>{from}</del> <span aria-hidden="true">→</span>{' '}
            </>
          )}
          {path !== undefined ? <a href={path}>{to}</a> : from === undefined ? to : <ins>{to}</ins>}
        </li>
      ))}
    </ul>
  );
}
