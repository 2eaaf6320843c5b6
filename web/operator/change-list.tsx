import { msg, t } from '../i18n/index.ts';

/** A value that an operator changes, as texts. */
export interface Change {
  readonly name: string;
  /** Empty for none. */
  readonly from: string;
  readonly to: string;
}

const NONE = msg('none');

/** A table of changes: the values now, and the new ones. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  return (
    <table class="change-list">
      <caption class="visually-hidden">{t('Changes')}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('Now')}</th>
          <th scope="col">{t('New')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, from, to }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <del>{from === '' ? t(NONE) : from}</del>
            </td>
            <td>
              <span aria-hidden="true">→ </span>
              <ins>{to === '' ? t(NONE) : to}</ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
