import type { RecordedProgress } from '../../../sandbox/recorded/player.ts';
import type { Call } from '../../http/request/call.ts';
import { describe } from '../../openapi/description.ts';
import {
  boolean,
  enumeration,
  integer,
  list,
  record,
  timestamp,
} from '../../openapi/json-schema.ts';
import { symbol } from '../../openapi/market-schemas.ts';
import { timeText } from '../records.ts';

const FORMATS = ['trades', 'l2', 'l3', 'bitstamp', 'aggTrades', 'klines'] as const;

/** GET /api/sandbox/recordings: the recorded markets that the sandbox plays. */
export function getRecordings(call: Call): string {
  call.query([]);
  const progress = call.services.sandbox?.player?.progress ?? [];
  return `{"recordings":[${progress.map(progressText).join(',')}]}`;
}
getRecordings.description = describe({
  operationId: 'getRecordings',
  tag: 'Sandbox',
  summary: 'Recorded markets',
  notes:
    'The recorded markets that the sandbox plays (`--market`), and how far it is; an empty list without them.',
  data: record({
    recordings: list(
      record({
        symbol,
        format: enumeration(FORMATS, 'The format of its files.'),
        rows: integer('Rows of its files.', 3_000_000),
        startsAt: timestamp('Time of the first row.'),
        endsAt: timestamp('Time of the last row; the end of the last kline.'),
        played: integer('Events played since the node started; a kline has up to four.', 1_200),
        skipped: integer('Events before the time at which the node started.', 0),
        rejected: integer('Orders of the recording that the exchange rejected.', 0),
        ended: boolean('Whether all was played. Its makers have then stopped.', false),
      }),
    ),
  }),
});

function progressText({ market, played, skipped, rejected, isEnded }: RecordedProgress): string {
  const { symbol: name, format, files } = market;
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const [startsAt, endsAt] = [files[0]!.firstTime, files.at(-1)!.lastTime].map(timeText);
  return (
    `{"symbol":"${name}","format":"${format}","rows":${rows},"startsAt":${startsAt},"endsAt":${endsAt},` +
    `"played":${played},"skipped":${skipped},"rejected":${rejected},"ended":${isEnded}}`
  );
}
