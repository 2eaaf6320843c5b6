import { StoredDataError } from '../monitoring/operator-error.ts';

/** A file is not a capsule, is damaged, or needs a later release. */
export class CapsuleError extends StoredDataError {
  override readonly name = 'CapsuleError';
}
