import { createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { ApiRequestError, UnreachableError } from '../client/errors.ts';
import { ExactClient } from '../client/exact-client.ts';
import { readDataDirectory } from '../config/config.ts';
import { dataPaths } from '../config/data-paths.ts';
import { CONFIG_FILE } from '../config/sources.ts';
import type { Arguments } from './arguments.ts';
import type { Command, Environment, Option, Result } from './command.ts';
import { CliError, ExitCode, usageError } from './failure.ts';
import { FILE, readSettings, selectFlags } from './run-options.ts';

const DEFAULT_URL = 'http://127.0.0.1:3000';

/** Options of commands that connect to a node. */
export const CONNECTION_OPTIONS: readonly Option[] = [
  {
    name: 'url',
    value: 'URL',
    help: `URL of the node (default: BUTTONWOOD_URL, then the URL in the credentials file,\nthen ${DEFAULT_URL})`,
  },
  {
    name: 'credentials',
    value: 'FILE',
    help: 'file with the operator key (default: BUTTONWOOD_API_KEY and BUTTONWOOD_API_SECRET, or\nBUTTONWOOD_API_KEY and BUTTONWOOD_PRIVATE_KEY_FILE, then sandbox.json or operator.json in the data directory BUTTONWOOD_DATA, ./data)',
  },
  {
    ...FILE,
    help: `settings file of the node, which may name its data directory (${CONFIG_FILE.variable})`,
  },
];

interface OnlineCommand extends Omit<Command, 'run'> {
  readonly run: (args: Arguments, client: ExactClient) => Promise<Result>;
}

/** Returns a command that connects to a running node. */
export function online(command: OnlineCommand): Command {
  return {
    ...command,
    options: [...command.options, ...CONNECTION_OPTIONS],
    run: async (args, env) => {
      const credentials = findCredentials(args, env);
      const baseUrl =
        args.option('url') ?? env.BUTTONWOOD_URL ?? credentials.baseUrl ?? DEFAULT_URL;
      checkUrl(baseUrl);
      const { apiKey, apiSecret, privateKey } = credentials;
      try {
        const client = new ExactClient({ baseUrl, apiKey, apiSecret, privateKey });
        return await command.run(args, client);
      } catch (error) {
        if (error instanceof UnreachableError) throw unreachable(error);
        if (error instanceof ApiRequestError && error.status === 401) {
          error.message = unauthorized(baseUrl, credentials.source);
        }
        throw error;
      }
    },
  };
}

interface FoundCredentials {
  readonly apiKey?: string | undefined;
  readonly apiSecret?: string | undefined;
  /** PEM of an Ed25519 private key that signs requests. */
  readonly privateKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** The file, or "the environment"; undefined if there are no credentials. */
  readonly source?: string;
}

/** Secrets are never options, because other users of a machine can see those in its process list. */
function findCredentials(args: Arguments, env: Environment): FoundCredentials {
  const file = args.option('credentials');
  if (file !== undefined) return readOperator(file);
  const { BUTTONWOOD_API_KEY: apiKey, BUTTONWOOD_API_SECRET: apiSecret } = env;
  const { BUTTONWOOD_PRIVATE_KEY_FILE: keyFile } = env;
  if (keyFile) return readSigningKey(apiKey, apiSecret, keyFile);
  if (apiKey !== undefined || apiSecret !== undefined) {
    if (!apiKey || !apiSecret) {
      throw usageError('Set both BUTTONWOOD_API_KEY and BUTTONWOOD_API_SECRET, or neither.');
    }
    return { ...checked(apiKey, apiSecret, 'the environment'), source: 'the environment' };
  }
  const directory = readSettings(() => readDataDirectory(env, selectFlags(args)));
  const { sandbox, operator } = dataPaths(directory);
  const known = [sandbox, operator].find((path) => existsSync(path));
  return known === undefined ? {} : readOperator(known);
}

/** Returns the key that signs with the private key in a file. @throws CliError */
function readSigningKey(
  apiKey: string | undefined,
  apiSecret: string | undefined,
  path: string,
): FoundCredentials {
  if (!apiKey || apiSecret) {
    throw usageError(
      'BUTTONWOOD_PRIVATE_KEY_FILE needs BUTTONWOOD_API_KEY, and no BUTTONWOOD_API_SECRET.',
    );
  }
  let privateKey: string;
  try {
    privateKey = readFileSync(path, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read the private key: ${(error as Error).message}`);
  }
  if (!isEd25519(privateKey)) {
    throw usageError(
      `${path} has no Ed25519 private key in PEM. Create one with: openssl genpkey -algorithm ed25519`,
    );
  }
  checked(apiKey, 'none', 'the environment');
  return { apiKey, privateKey, source: 'the environment' };
}

function isEd25519(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

/** The fields of sandbox.json and operator.json that are needed here. */
const fileSchema = z.object({
  baseUrl: z.string().optional(),
  accounts: z.array(
    z.object({ apiKey: z.string(), apiSecret: z.string(), permissions: z.array(z.string()) }),
  ),
});

/** Returns the first key in a file with the `operate` permission. @throws CliError */
function readOperator(path: string): FoundCredentials {
  const { baseUrl, accounts } = readFile(path);
  const entry = accounts.find(({ permissions }) => permissions.includes('operate'));
  if (entry === undefined) throw usageError(`${path} has no key with the operate permission.`);
  return { ...checked(entry.apiKey, entry.apiSecret, path), baseUrl, source: path };
}

function readFile(path: string): z.infer<typeof fileSchema> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read the credentials: ${(error as Error).message}`);
  }
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    throw usageError(`${path} is not a credentials file such as sandbox.json.`);
  }
}

/** Checks the characters here, because an error about an invalid header could print the secret. */
function checked(apiKey: string, apiSecret: string, source: string) {
  if (/^[!-~]+$/.test(apiKey) && /^[!-~]+$/.test(apiSecret)) return { apiKey, apiSecret };
  throw usageError(
    `The API key or secret in ${source} is invalid: it is empty or has characters that no key has.`,
  );
}

function checkUrl(url: string): void {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return;
  throw usageError(`"${url}" is not a valid node URL. Use one such as ${DEFAULT_URL}.`);
}

function unreachable({ url, message }: UnreachableError): CliError {
  return new CliError(
    ExitCode.unreachable,
    'UNREACHABLE',
    `No node answers at ${url}. Start one with "npm start" or "buttonwood serve", or name another ` +
      `with --url or BUTTONWOOD_URL. Cause: ${message}`,
  );
}

function unauthorized(url: string, source: string | undefined): string {
  if (source !== undefined) {
    return `The node at ${url} rejected the API key from ${source}: it is unknown, revoked or expired.`;
  }
  return (
    `The node at ${url} requires an operator key, and none was found. Set BUTTONWOOD_API_KEY and ` +
    'BUTTONWOOD_API_SECRET (or BUTTONWOOD_PRIVATE_KEY_FILE), give --credentials FILE, or set BUTTONWOOD_DATA to the data directory of the node, ' +
    'or --config to its settings file.'
  );
}
