import { FileLog } from '../log/file-log.ts';
import type { Batch, Log } from '../log/log.ts';
import type { Storage } from '../storage/storage.ts';

// Helpers for tests of the log.

export const DIRECTORY = '/data/log';

/** Returns a payload of the given size that differs for every number. */
export function makePayload(number: number, sizeBytes = 20): Uint8Array {
  return Uint8Array.from({ length: sizeBytes }, (_, index) => (number * 31 + index * 7) & 0xff);
}

export function openLog(storage: Storage, segmentBytes?: number): Promise<FileLog> {
  const options = { storage, directory: DIRECTORY };
  return FileLog.open(segmentBytes === undefined ? options : { ...options, segmentBytes });
}

/** Appends batches with consecutive payloads until the log holds `count`. */
export async function fill(log: Log, count: number, sizeBytes = 20): Promise<Batch[]> {
  const batches: Batch[] = [];
  while (log.lastSequence < count) {
    const next = log.lastSequence + 1;
    batches.push(await log.append(1000 + next, 1, makePayload(next, sizeBytes)));
  }
  return batches;
}

/** Returns all batches of a log after a sequence. */
export function contents(log: Log, after = 0): Batch[] {
  return [...log.read(after)];
}
