import { detailLines } from './audit-text.ts';

interface DetailListProps {
  readonly details: Readonly<Record<string, unknown>>;
  /** The values of the same fields now, if they are known. */
  readonly current?: Readonly<Record<string, unknown>> | null;
}

/** The fields of a command, one a line, with the value before if it is known. */
export function DetailList({ details, current = null }: DetailListProps) {
  const lines = detailLines(details, current);
  return (
    <ul class="detail-list">
      {lines.map(({ name, from, to }, index) => (
        <li key={index}>
          <span>{name}</span>{' '}
          {from === undefined ? null : (
            <>
              <del>{from}</del> <span aria-hidden="true">→</span>{' '}
            </>
          )}
          {from === undefined ? to : <ins>{to}</ins>}
        </li>
      ))}
    </ul>
  );
}
