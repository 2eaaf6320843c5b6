import type { RowCard } from '../components/table.tsx';
import { t } from '../i18n/index.ts';

/** Returns how a phone shows a record: two of its columns as the head, and the others below, two in a row, if they have a value. */
export function recordCard<Row>(first: string, second: string): RowCard<Row> {
  return (row, columns) => {
    const cells = columns.map((column) => ({ ...column, content: column.cell(row) }));
    const content = (key: string) => cells.find((cell) => cell.key === key)?.content;
    const others = cells.filter((cell) => cell.key !== first && cell.key !== second);
    const hasValue = (cell: (typeof cells)[number]) =>
      !['–', '', null].includes(cell.content as string);
    return (
      <div class="record-card">
        <header>
          <b>{content(first)}</b>
          <span>{content(second)}</span>
        </header>
        <dl>
          {others
            .filter((cell) => hasValue(cell) && cell.hiddenTitle !== true)
            .map(({ key, title, content: value }) => (
              <div key={key} class={`col-${key}`}>
                <dt>{t(title)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
        {others
          .filter((cell) => hasValue(cell) && cell.hiddenTitle)
          .map(({ content: value }) => value)}
      </div>
    );
  };
}
