import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { DAY_MS } from './durations.ts';
import { ConfigError } from './error.ts';

/** The place of an archive: a directory that exists, or object storage. */
export type ArchiveLocation =
  | { readonly kind: 'directory'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      /** Begins every key; empty, or without slashes at its ends. */
      readonly prefix: string;
      /** Undefined for AWS. */
      readonly endpoint: string | undefined;
      readonly region: string | undefined;
      readonly keyId: string;
      readonly secret: string;
    };

/** The archive of the log and what stays on the local disk. */
export interface ArchiveConfig {
  readonly location: ArchiveLocation;
  readonly kept: Kept;
}

/** The newest part of the log by its age or by its size. */
export type Kept = { readonly maxAgeMs: number } | { readonly maxBytes: number };

const UNITS = { MB: 1e6, GB: 1e9, TB: 1e12 } as const;
const KEPT = /^(\d{1,6})(d|MB|GB|TB)$/;

export const keptSchema = z
  .string()
  .regex(KEPT)
  .transform((text): Kept => {
    const [, number, unit] = KEPT.exec(text)!;
    if (unit === 'd') return { maxAgeMs: Number(number) * DAY_MS };
    return { maxBytes: Number(number) * UNITS[unit as keyof typeof UNITS] };
  })
  .describe('a number of days or a size, such as 7d, 500MB or 20GB');

/** Longer than client order ids prevent duplicates, and than webhooks are tried. */
const MIN_HISTORY_DAYS = 31;

export const keptHistorySchema = z
  .string()
  .regex(/^\d{1,5}d$/)
  .transform((text) => Number.parseInt(text, 10) * DAY_MS)
  .refine((keptMs) => keptMs >= MIN_HISTORY_DAYS * DAY_MS)
  .describe(`a number of days from ${MIN_HISTORY_DAYS}d`);

type Place =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

export const archiveSchema = z
  .string()
  .transform((text, context) => {
    const place = parsePlace(text);
    if (place !== undefined) return place;
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  })
  .describe('a URL such as file:///mnt/archive or s3://bucket/prefix, without credentials');

function parsePlace(text: string): Place | undefined {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '') return undefined;
  const path = decodeURIComponent(url.pathname);
  if (url.protocol === 'file:') {
    return url.host === '' && isAbsolute(path) && path !== '/'
      ? { kind: 'directory', path }
      : undefined;
  }
  if (url.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host)) {
    return undefined;
  }
  return { kind: 's3', bucket: url.host, prefix: path.replace(/^\/+|\/+$/g, '') };
}

export const endpointSchema = z
  .string()
  .refine((given) => {
    const url = URL.parse(given);
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '';
  })
  .describe('a URL such as https://storage.example');

export const credentialsSchema = z
  .string()
  .regex(/^[^:\s]+:\S+$/)
  .transform((text) => {
    const at = text.indexOf(':');
    return { keyId: text.slice(0, at), secret: text.slice(at + 1) };
  })
  .describe('ID:SECRET');

export interface ArchiveValues {
  readonly archive: Place | undefined;
  readonly archiveEndpoint: string | undefined;
  readonly archiveRegion: string | undefined;
  readonly archiveCredentials: { readonly keyId: string; readonly secret: string } | undefined;
  readonly keepLog: Kept;
}

/** @throws ConfigError if settings of object storage are missing, or given without it */
export function readArchive(values: ArchiveValues): ArchiveConfig | undefined {
  const { archive, archiveEndpoint: endpoint, archiveRegion: region, keepLog: kept } = values;
  const { archiveCredentials: credentials } = values;
  if (archive?.kind !== 's3') {
    if (endpoint !== undefined || region !== undefined || credentials !== undefined) {
      throw new ConfigError(
        'BUTTONWOOD_ARCHIVE_ENDPOINT, _REGION and _CREDENTIALS are only for an archive in object storage. ' +
          'Set BUTTONWOOD_ARCHIVE to s3://bucket/prefix too, or unset them.',
      );
    }
    return archive && { location: archive, kept };
  }
  if (credentials === undefined) {
    throw new ConfigError(
      'An archive in object storage needs its access key. Set BUTTONWOOD_ARCHIVE_CREDENTIALS or ' +
        'BUTTONWOOD_ARCHIVE_CREDENTIALS_FILE to ID:SECRET.',
    );
  }
  return { location: { ...archive, endpoint, region, ...credentials }, kept };
}
