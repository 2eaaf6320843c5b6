import { dateTime, grouped } from '../format.ts';
import { t } from '../i18n/index.ts';

interface LogPositionProps {
  readonly logPosition: number;
  /** Index of the command in its batch, from 0. */
  readonly index: number;
}

/** The position of a command's batch in the log, with its place in the batch in the tooltip. */
export function LogPosition({ logPosition, index }: LogPositionProps) {
  return (
    <span title={t('Command {number} of the batch', { number: index + 1 })}>
      {grouped(`${logPosition}`)}
    </span>
  );
}

interface TimeInLogProps {
  readonly entry: LogPositionProps & { readonly timestamp: string };
}

/** The time of an entry, with its position in the log below. */
export function TimeInLog({ entry }: TimeInLogProps) {
  return (
    <span class="account-cell">
      <time dateTime={entry.timestamp}>{dateTime(entry.timestamp)}</time>
      <small class="muted">
        {t('Log position')} <LogPosition {...entry} />
      </small>
    </span>
  );
}
