import { ArchivistThread } from './archivist-thread.ts';
import type { ToWorker } from './messages.ts';
import { yieldToServing } from './thread-priority.ts';

/** Entry of the archivist's thread. */

declare const self: Worker;

yieldToServing();
const thread = new ArchivistThread((message) => self.postMessage(message));
self.onmessage = ({ data }: MessageEvent<ToWorker>) => thread.receive(data);
