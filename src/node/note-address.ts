import type { Config } from '../config/config.ts';
import {
  readCredentials,
  writeCredentials,
  writeShellVariables,
} from '../sandbox/credentials-file.ts';
import type { Paths } from './node-context.ts';
import type { NodeContext } from './node-core.ts';

/** The only copy of the secrets of a real exchange's first keys must never be overwritten. */
const DAMAGED_CREDENTIALS_ADVICE =
  'It was not changed. Restore it from a backup; the exchange runs without it, and its keys stay valid.';

/** Writes the address served at into the files of credentials. @returns the credentials, if there are any */
export async function noteAddress(
  { isSandbox }: Config,
  { sandboxVariables }: Paths,
  { storage, credentialsPath }: NodeContext,
  baseUrl: string,
) {
  const file = readCredentials(credentialsPath, DAMAGED_CREDENTIALS_ADVICE);
  if (file === undefined) return undefined;
  const current = { ...file, baseUrl };
  if (file.baseUrl !== baseUrl) await writeCredentials(storage, credentialsPath, current);
  if (isSandbox) await writeShellVariables(storage, sandboxVariables, current);
  return current;
}
