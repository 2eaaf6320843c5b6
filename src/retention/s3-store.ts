import { type ArchiveStore, ArchiveUnavailableError } from './archive-store.ts';

/** An attempt that takes longer has failed: a connection may hang without an error. */
const TIMEOUT_MS = 300_000;
const PAGE = 1000;

export interface S3Options {
  readonly bucket: string;
  /** Begins every key; empty or without slashes at its ends. */
  readonly prefix: string;
  /** Undefined for AWS. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly keyId: string;
  readonly secret: string;
}

/** An archive in S3-compatible object storage, through Bun's client. */
export class S3Store implements ArchiveStore {
  readonly url: string;
  private readonly client: Bun.S3Client;
  private readonly prefix: string;

  constructor(
    { bucket, prefix, endpoint, region, keyId, secret }: S3Options,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    this.url = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
    this.prefix = prefix === '' ? '' : `${prefix}/`;
    this.client = new Bun.S3Client({
      bucket,
      accessKeyId: keyId,
      secretAccessKey: secret,
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(region === undefined ? {} : { region }),
    });
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.guard(() => this.client.write(this.prefix + name, bytes));
  }

  get(name: string): Promise<Uint8Array | undefined> {
    return this.guard(async () => {
      try {
        return await this.client.file(this.prefix + name).bytes();
      } catch (error) {
        if ((error as { code?: unknown }).code === 'NoSuchKey') return undefined;
        throw error;
      }
    });
  }

  list(): Promise<string[]> {
    return this.guard(async () => {
      const { prefix } = this;
      const names: string[] = [];
      for (let continuationToken: string | undefined; ; ) {
        const page = await this.client.list({
          prefix,
          maxKeys: PAGE,
          ...(continuationToken === undefined ? {} : { continuationToken }),
        });
        names.push(...(page.contents ?? []).map(({ key }) => key.slice(prefix.length)));
        if (page.isTruncated !== true) return names.sort();
        continuationToken = page.nextContinuationToken;
      }
    });
  }

  private async guard<T>(work: () => Promise<T>): Promise<T> {
    let timer: Timer | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`no response within ${this.timeoutMs / 1000} s`)),
        this.timeoutMs,
      );
    });
    try {
      return await Promise.race([work(), timeout]);
    } catch (error) {
      throw new ArchiveUnavailableError(this.url, error);
    } finally {
      clearTimeout(timer);
    }
  }
}
