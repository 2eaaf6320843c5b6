import { ArchivistThread } from './archivist-thread.ts';
import type { ToWorker } from './messages.ts';

/** Entry of the archivist's thread. */

declare const self: Worker;

const thread = new ArchivistThread((message) => self.postMessage(message));
self.onmessage = ({ data }: MessageEvent<ToWorker>) => thread.receive(data);
