import { Fragment } from 'preact';
import type { RowCard } from '../components/table.tsx';
import { t } from '../i18n/index.ts';

/**
 * Returns how a phone shows a record: two of its columns are the head of a card, and those of the others that have a value
 * are below it, two in a row. @param first Key of a column, as `second`
 */
export function recordCard<Row>(first: string, second: string): RowCard<Row> {
  return (row, columns) => {
    const cells = columns.map((column) => ({ ...column, content: column.cell(row) }));
    const content = (key: string) => cells.find((cell) => cell.key === key)?.content;
    const others = cells.filter((cell) => cell.key !== first && cell.key !== second);
    const hasValue = (cell: (typeof cells)[number]) =>
      cell.content !== null && cell.content !== '' && cell.content !== '–';
    const facts = others.filter((cell) => hasValue(cell) && cell.hiddenTitle !== true);
    return (
      <div class="record-card">
        <header>
          <b>{content(first)}</b>
          <span>{content(second)}</span>
        </header>
        {facts.length === 0 ? null : (
          <dl>
            {facts.map(({ key, title, content: value }) => (
              <div key={key} class={`col-${key}`}>
                <dt>{t(title)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {others
          .filter((cell) => hasValue(cell) && cell.hiddenTitle)
          .map(({ key, content: value }) => (
            <Fragment key={key}>{value}</Fragment>
          ))}
      </div>
    );
  };
}
