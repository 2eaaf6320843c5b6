import { ArchivistThread } from './archivist-thread.ts';
import type { ToWorker } from './messages.ts';
import { yieldToServing } from './thread-priority.ts';

/** Entry of the archivist's thread. */

declare const self: Worker;

/** Whether the node may answer requests while this thread catches up with the log: in a cluster, after an outage. */
let servesMeanwhile = false;
const thread = new ArchivistThread((message) => {
  if (message.kind === 'ready' && !servesMeanwhile) yieldToServing();
  self.postMessage(message);
});
self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'start' && data.start.log === 'jetstream') {
    servesMeanwhile = true;
    yieldToServing();
  }
  thread.receive(data);
};
