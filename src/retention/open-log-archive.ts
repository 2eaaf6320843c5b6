import type { ArchiveLocation } from '../config/archive.ts';
import type { Storage } from '../storage/storage.ts';
import type { ArchiveStore } from './archive-store.ts';
import { DirectoryStore } from './directory-store.ts';
import { LogArchive } from './log-archive.ts';
import { S3Store } from './s3-store.ts';

/** Returns the archive at a location. Nothing is read or written yet, so it may be unreachable. */
export function openLogArchive(location: ArchiveLocation, storage: Storage): LogArchive {
  return new LogArchive(openStore(location, storage));
}

function openStore(location: ArchiveLocation, storage: Storage): ArchiveStore {
  if (location.kind === 'directory') return new DirectoryStore(storage, location.path);
  const { bucket, prefix, endpoint, region, keyId, secret } = location;
  return new S3Store({ bucket, prefix, endpoint, region, keyId, secret });
}
