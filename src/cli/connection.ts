import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { ApiRequestError, UnreachableError } from '../client/errors.ts';
import { RestClient } from '../client/rest-client.ts';
import { readDataDirectory } from '../config/config.ts';
import { dataPaths } from '../config/data-paths.ts';
import { CONFIG_FILE } from '../config/sources.ts';
import type { Arguments } from './arguments.ts';
import type { Command, Environment, Option, Result } from './command.ts';
import { CliError, ExitCode, usageError } from './failure.ts';
import { FILE, flagsOf, readSettings } from './run-options.ts';

const DEFAULT_URL = 'http://127.0.0.1:3000';

/** Options of what asks a node. */
export const CONNECTION_OPTIONS: readonly Option[] = [
  {
    name: 'url',
    value: 'URL',
    help: `the node to ask; else BUTTONWOOD_URL, else the address in the file of the key,\nelse ${DEFAULT_URL}`,
  },
  {
    name: 'credentials',
    value: 'FILE',
    help: 'where the operator key is; else BUTTONWOOD_API_KEY and BUTTONWOOD_API_SECRET,\nelse sandbox.json or operator.json in the data directory BUTTONWOOD_DATA (./data)',
  },
  {
    ...FILE,
    help: `the node's file with settings, which may name its data directory (${CONFIG_FILE.variable})`,
  },
];

interface OnlineCommand extends Omit<Command, 'run'> {
  readonly run: (args: Arguments, client: RestClient) => Promise<Result>;
}

/** A command that asks a running node. */
export function online(command: OnlineCommand): Command {
  return {
    ...command,
    options: [...command.options, ...CONNECTION_OPTIONS],
    run: async (args, env) => {
      const credentials = findCredentials(args, env);
      const baseUrl =
        args.option('url') ?? env.BUTTONWOOD_URL ?? credentials.baseUrl ?? DEFAULT_URL;
      checkUrl(baseUrl);
      const { apiKey, apiSecret } = credentials;
      try {
        return await command.run(args, new RestClient({ baseUrl, apiKey, apiSecret }));
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
  readonly baseUrl?: string | undefined;
  /** Where they come from, undefined where there are none. */
  readonly source?: string;
}

/** Secrets are never options: other users of a machine see those in its list of processes. */
function findCredentials(args: Arguments, env: Environment): FoundCredentials {
  const file = args.option('credentials');
  if (file !== undefined) return readOperator(file);
  const { BUTTONWOOD_API_KEY: apiKey, BUTTONWOOD_API_SECRET: apiSecret } = env;
  if (apiKey !== undefined || apiSecret !== undefined) {
    if (!apiKey || !apiSecret) {
      throw usageError('Set both BUTTONWOOD_API_KEY and BUTTONWOOD_API_SECRET, or neither.');
    }
    return { ...checked(apiKey, apiSecret, 'the environment'), source: 'the environment' };
  }
  const directory = readSettings(() => readDataDirectory(env, flagsOf(args)));
  const { sandbox, operator } = dataPaths(directory);
  const known = [sandbox, operator].find((path) => existsSync(path));
  return known === undefined ? {} : readOperator(known);
}

/** A file like sandbox.json, as far as it matters here. */
const fileSchema = z.object({
  baseUrl: z.string().optional(),
  accounts: z.array(
    z.object({ apiKey: z.string(), apiSecret: z.string(), permissions: z.array(z.string()) }),
  ),
});

/** The first key of a file that may operate the exchange. */
function readOperator(path: string): FoundCredentials {
  const { baseUrl, accounts } = readFile(path);
  const entry = accounts.find(({ permissions }) => permissions.includes('operate'));
  if (entry === undefined) throw usageError(`${path} holds no key with the permission operate.`);
  return { ...checked(entry.apiKey, entry.apiSecret, path), baseUrl, source: path };
}

function readFile(path: string): z.infer<typeof fileSchema> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw usageError(`The credentials cannot be read: ${(error as Error).message}`);
  }
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    throw usageError(`${path} is not a file like sandbox.json.`);
  }
}

/** Checked here, because whoever refuses a header may print it. */
function checked(apiKey: string, apiSecret: string, source: string) {
  if (/^[!-~]+$/.test(apiKey) && /^[!-~]+$/.test(apiSecret)) return { apiKey, apiSecret };
  throw usageError(
    `The API key or secret in ${source} is not one: it is empty or has odd characters.`,
  );
}

function checkUrl(url: string): void {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return;
  throw usageError(`"${url}" is no address of a node: it is like ${DEFAULT_URL}.`);
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
    return `The node at ${url} does not know the API key of ${source}, or it was revoked or has expired.`;
  }
  return (
    `The node at ${url} wants an operator's key, and none was found. Set BUTTONWOOD_API_KEY and ` +
    'BUTTONWOOD_API_SECRET, give --credentials FILE, or set BUTTONWOOD_DATA to the data directory of the node, ' +
    'or --config to its file of settings.'
  );
}
