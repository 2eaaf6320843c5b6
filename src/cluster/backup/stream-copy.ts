import { open } from 'node:fs/promises';
import {
  createInbox,
  type Msg,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node';
import { OperatorError } from '../../monitoring/operator-error.ts';

/** A copy of a stream is incomplete, or a server refused to create or restore it. */
export class StreamCopyError extends OperatorError {
  override readonly name = 'StreamCopyError';
}

/** A stream's state as the server reported it; it is sent back unchanged when the copy is restored. */
export interface CopiedStreamState {
  readonly messages: number;
  readonly first_seq: number;
  readonly last_seq: number;
}

/** A stream in a file, in the format of `nats stream backup`. */
export interface StreamCopy extends Content {
  readonly stream: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly state: CopiedStreamState;
}

interface ApiAnswer {
  readonly error?: { readonly code: number; readonly description: string };
}

/** Below the servers' default of max_payload, 1 MiB. */
const CHUNK_BYTES = 128 * 1024;
/** Time without progress after which a copy fails. */
const STALL_MS = 30_000;
/** Timeout after the last chunk, while the server unpacks the stream and replicates it. */
const RESTORE_MS = 600_000;

/** Called with the number of bytes that were just copied or read. */
export type NoteBytes = (bytes: number) => void;

/** Returns the names of the streams of the connection's account. */
export async function streamNames(connection: NatsConnection): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const page = await request<{ total: number; streams: string[] | null }>(
      connection,
      '$JS.API.STREAM.NAMES',
      { offset: names.length },
    );
    names.push(...(page.streams ?? []));
    if (names.length >= page.total || !page.streams?.length) return names;
  }
}

/**
 * Copies a stream as it is now into a new file, while the stream keeps accepting messages. Consumers are left out,
 * because nodes create their own.
 * @throws StreamCopyError
 */
export async function copyStream(
  connection: NatsConnection,
  stream: string,
  path: string,
  note: NoteBytes = ignore,
): Promise<StreamCopy> {
  const inbox = createInbox();
  const chunks = connection.subscribe(inbox);
  try {
    const { config, state } = await request<Pick<StreamCopy, 'config' | 'state'>>(
      connection,
      `$JS.API.STREAM.SNAPSHOT.${stream}`,
      { deliver_subject: inbox, no_consumers: true, chunk_size: CHUNK_BYTES, jsck: true },
    );
    return { stream, config, state, ...(await writeChunks(stream, chunks, path, note)) };
  } finally {
    chunks.unsubscribe();
  }
}

/** Writes chunks until an empty one. The server waits for acknowledgements, so the disk sets the pace. */
async function writeChunks(
  stream: string,
  chunks: Subscription,
  path: string,
  note: NoteBytes,
): Promise<Content> {
  const file = await open(path, 'wx', 0o600);
  const hash = new Bun.CryptoHasher('sha256');
  const watchdog = setTimeout(() => chunks.unsubscribe(), STALL_MS);
  try {
    let bytes = 0;
    let count = 0;
    for await (const chunk of chunks) {
      refuseIfBad(stream, chunk, ++count);
      if (chunk.data.length === 0) {
        await file.sync();
        return { bytes, sha256: hash.digest('hex') };
      }
      await file.appendFile(chunk.data);
      hash.update(chunk.data);
      bytes += chunk.data.length;
      note(chunk.data.length);
      chunk.respond();
      watchdog.refresh();
    }
  } finally {
    clearTimeout(watchdog);
    await file.close();
  }
  throw new StreamCopyError(
    `The copy of stream ${stream} stopped before its end. Take the backup again.`,
  );
}

/** Checks a chunk's number, which ends its reply subject; the last chunk has none if it is not full. */
function refuseIfBad(stream: string, { headers, reply }: Msg, count: number): void {
  if (headers !== undefined && headers.code >= 300) {
    throw new StreamCopyError(
      `The server stopped the copy of stream ${stream}: ${headers.code} ${headers.description}.`,
    );
  }
  if (reply && Number(reply.split('.').at(-1)) !== count) {
    throw new StreamCopyError(
      `Chunk ${count} of stream ${stream} is missing. Take the backup again.`,
    );
  }
}

/** Size and hash of a file. */
export interface Content {
  readonly bytes: number;
  readonly sha256: string;
}

export async function measureFile(path: string, note: NoteBytes = ignore): Promise<Content> {
  const hash = new Bun.CryptoHasher('sha256');
  let bytes = 0;
  for await (const part of Bun.file(path).stream()) {
    hash.update(part);
    bytes += part.length;
    note(part.length);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** @throws StreamCopyError if the file differs in any byte from the written data */
export async function checkContent(
  { bytes, sha256 }: Content,
  path: string,
  note: NoteBytes = ignore,
): Promise<void> {
  const found = await measureFile(path, note);
  if (found.bytes === bytes && found.sha256 === sha256) return;
  throw new StreamCopyError(
    `${path} is damaged: its content is not what the backup wrote. Restore another backup.`,
  );
}

/**
 * Creates the stream from its copy, with the same sequences, times and bytes. It must not exist.
 * @param replicas Number of servers that store it.
 * @returns the state of the restored stream
 * @throws StreamCopyError if the server refuses it, or has less afterwards than the copy
 */
export async function restoreStream(
  connection: NatsConnection,
  copy: StreamCopy,
  path: string,
  replicas: number,
  note: NoteBytes = ignore,
): Promise<CopiedStreamState> {
  const { stream, state } = copy;
  const { deliver_subject: subject } = await request<{ deliver_subject: string }>(
    connection,
    `$JS.API.STREAM.RESTORE.${stream}`,
    { config: { ...copy.config, num_replicas: replicas }, state },
  );
  const file = await open(path);
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      const reply = await connection.request(subject, buffer.slice(0, bytesRead), {
        timeout: STALL_MS,
      });
      if (reply.data.length > 0) refuseIfStuck(stream, reply.json<ApiAnswer>());
      note(bytesRead);
    }
  } finally {
    await file.close();
  }
  const end = await connection.request(subject, '', { timeout: RESTORE_MS });
  refuseIfStuck(stream, end.json<ApiAnswer>());
  const { state: now } = await request<{ state: CopiedStreamState }>(
    connection,
    `$JS.API.STREAM.INFO.${stream}`,
  );
  // Messages stored while the copy started may be in it too.
  if (now.last_seq >= state.last_seq) return now;
  throw new StreamCopyError(
    `Stream ${stream} was restored only up to message ${now.last_seq} of ${state.last_seq}. Delete it and restore again.`,
  );
}

/** A server aborts a restore if a megabyte of messages takes it over five seconds. */
function refuseIfStuck(stream: string, { error }: ApiAnswer): void {
  if (error === undefined) return;
  throw new StreamCopyError(
    `Stream ${stream} was not restored: ${error.description} (${error.code}). Servers that sync each message ` +
      'may be too slow for a restore. Start them without sync_interval, restore, then start them with it again.',
  );
}

async function request<T>(connection: NatsConnection, subject: string, body?: unknown): Promise<T> {
  const payload = body === undefined ? '' : JSON.stringify(body);
  const answer = await connection.request(subject, payload, { timeout: STALL_MS });
  const parsed = answer.json<T & ApiAnswer>();
  refuseIfError(subject, parsed);
  return parsed;
}

function refuseIfError(subject: string, { error }: ApiAnswer): void {
  if (error === undefined) return;
  throw new StreamCopyError(`NATS rejected ${subject}: ${error.description} (${error.code}).`);
}

function ignore(): void {}
