import { applyBatch } from '../../archivist/recovery.ts';
import { StreamState } from '../../cluster/log/stream-state.ts';
import type { JetStreamConfig } from '../../config/config.ts';
import { Exchange } from '../../engine/exchange.ts';
import type { Result } from '../command.ts';
import { appendBatch, withStreamLog } from './append-to-stream.ts';
import { withLogStream } from './log-stream.ts';
import { withNewKey } from './recover-key.ts';

const IF_UNKNOWN =
  'it is unknown whether the log has the key. Check that most NATS servers run, then run the command again; it creates no second key.';

/**
 * Creates an operator key like `recoverKey`, for a cluster whose nodes may be running.
 * @param directory Directory of `operator.json`.
 */
export function recoverKeyInStream(settings: JetStreamConfig, directory: string): Promise<Result> {
  return withLogStream(settings, async (stream) => {
    const { snapshots } = stream;
    const { log: state, exchange } = (await snapshots?.newest()) ?? {
      log: new StreamState(),
      exchange: new Exchange(),
    };
    const skips = (await snapshots?.skips()) ?? new Set<string>();
    return withStreamLog(stream, state, 'key', IF_UNKNOWN, async (log) => {
      await log.follow((batch) => applyBatch(exchange, batch, skips));
      await log.join();
      return withNewKey(directory, exchange.state, (commands) => appendBatch(log, commands));
    });
  });
}
