import type { Coverage } from './coverage.ts';
import type { AnyFaultKind } from './fault-kinds.ts';
import { run } from './run.ts';

/** Message to a process of a long simulation: the next run. */
export interface ToLongWorker {
  readonly seed: number;
  readonly nodes: number;
  readonly commands: number;
  readonly without: readonly AnyFaultKind[];
}

export type FromLongWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly coverage: ReturnType<Coverage['toJSON']> }
  | { readonly kind: 'failed'; readonly reason: string };

process.on('message', async ({ without, ...one }: ToLongWorker) => {
  const { failure, coverage } = await run({ ...one, without: new Set(without) });
  if (failure === undefined) post({ kind: 'done', coverage: coverage.toJSON() });
  else post({ kind: 'failed', reason: failure.message.split('\n')[0]! });
});
process.on('disconnect', () => process.exit(0));
post({ kind: 'ready' });

function post(message: FromLongWorker): void {
  process.send!(message);
}
