import { grouped } from '../format.ts';
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
