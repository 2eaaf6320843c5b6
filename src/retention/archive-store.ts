import { OperatorError, StoredDataError } from '../monitoring/operator-error.ts';

/**
 * A place for named objects outside the data directory. Objects are written once and never changed. Names consist of
 * lower-case letters, digits, `-` and `.`.
 */
export interface ArchiveStore {
  /** The URL of the place, for messages. */
  readonly url: string;
  /**
   * Stores an object; resolves once it is durable. Replaces one of the same name.
   * @throws ArchiveUnavailableError
   */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Returns an object, or undefined if there is none of that name. @throws ArchiveUnavailableError */
  get(name: string): Promise<Uint8Array | undefined>;
  /** Returns the names of all objects, in ascending order. @throws ArchiveUnavailableError */
  list(): Promise<string[]>;
}

/** The archive cannot be read or written now; a later attempt may succeed. */
export class ArchiveUnavailableError extends OperatorError {
  override readonly name = 'ArchiveUnavailableError';

  constructor(url: string, cause: unknown) {
    super(`The archive ${url} cannot be used: ${describe(cause)}.`, { cause });
  }
}

/** An object of the archive is missing, or differs from what was archived. */
export class ArchiveDamagedError extends StoredDataError {
  override readonly name = 'ArchiveDamagedError';

  constructor(
    url: string,
    /** Name of the object. */
    readonly object: string,
    reason: string,
  ) {
    super(
      `The object ${object} in the archive ${url} ${reason}. ` +
        'Restore it from a copy of the archive; nothing else there is affected.',
    );
  }
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, message } = cause as Error & { code?: unknown };
  const text = message.replace(/\.$/, '');
  return typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text;
}
