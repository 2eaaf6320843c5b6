import { hostname } from 'node:os';
import { z } from 'zod';
import {
  archiveSchema,
  credentialsSchema,
  endpointSchema,
  keptHistorySchema,
  keptSchema,
} from './archive.ts';
import { clockSchema, DEFAULT_CLOCK_START, timeSchema } from './clock.ts';
import { DEFAULT_DATA_DIRECTORY } from './data-paths.ts';
import { databaseSchema } from './database.ts';
import { explorersSchema } from './explorers.ts';
import { natsSchema } from './nats.ts';
import { choice, list, originSchema, wholeNumber } from './schemas.ts';
import { sealKeysSchema } from './seal-keys.ts';

/** A setting of a node. Its name is the key in the configuration file, and in kebab case the flag. */
export interface Setting {
  /** The environment variable. A secret can also be in the file named by `<variable>_FILE`. */
  readonly variable: string;
  /** Placeholder of the value in the help. */
  readonly value: string;
  /** One line without a period. */
  readonly help: string;
  /** Parses the text. Its description states the valid values. */
  readonly schema: z.ZodType<unknown, string>;
  /** The default text, or a function of the kind of node. */
  readonly default?: string | ((isSandbox: boolean) => string);
  /** Description of the default, if it varies or is not a text. */
  readonly defaultIs?: string;
  /** Whether it may contain a password. It is then masked in output, and an invalid value is not printed. */
  readonly isSecret?: boolean;
  readonly isSandboxOnly?: boolean;
  /** Whether it is a list, so that its flag can be repeated. */
  readonly isList?: boolean;
}

const port = wholeNumber(0, 65_535);
const text = z.string().describe('a non-empty text');
const path = z.string().describe('the path of a file');
const name = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/)
  .describe('1 to 64 of the characters A-Z a-z 0-9 _ -');

/** Every setting of `buttonwood start` and `buttonwood serve`, in the order of the help. */
export const SETTINGS = {
  port: {
    variable: 'PORT',
    value: 'N',
    help: 'port to listen on; 0 picks a free one',
    schema: port,
    default: '3000',
  },
  host: {
    variable: 'BUTTONWOOD_HOST',
    value: 'ADDRESS',
    help: 'address to listen on; an address reachable from other machines requires TLS or trusted proxies',
    schema: text,
    default: '127.0.0.1',
  },
  data: {
    variable: 'BUTTONWOOD_DATA',
    value: 'DIR',
    help: 'data directory',
    schema: text,
    default: DEFAULT_DATA_DIRECTORY,
  },
  tlsCert: {
    variable: 'BUTTONWOOD_TLS_CERT',
    value: 'FILE',
    help: 'TLS certificate for HTTPS, PEM',
    schema: path,
  },
  tlsKey: {
    variable: 'BUTTONWOOD_TLS_KEY',
    value: 'FILE',
    help: 'private key of the certificate, PEM',
    schema: path,
  },
  trustedProxies: {
    variable: 'BUTTONWOOD_TRUSTED_PROXIES',
    value: 'LIST',
    help: 'addresses or networks of proxies that terminate TLS, comma-separated; their X-Forwarded-For header is trusted',
    schema: list(),
    default: '',
    defaultIs: 'none',
  },
  publicUrl: {
    variable: 'BUTTONWOOD_PUBLIC_URL',
    value: 'URL',
    help: 'public origin that users open, if a proxy is in front',
    schema: originSchema,
    defaultIs: 'the address it listens on',
  },
  smtpUrl: {
    variable: 'BUTTONWOOD_SMTP_URL',
    value: 'URL',
    help: 'SMTP server for outgoing mail; without it users need an invitation',
    schema: z
      .string()
      .refine((given) => /^smtps?:$/.test(URL.parse(given)?.protocol ?? ''))
      .describe('a URL such as smtps://user:password@mail.example:465'),
    isSecret: true,
  },
  mailFrom: {
    variable: 'BUTTONWOOD_MAIL_FROM',
    value: 'ADDRESS',
    help: 'sender address of outgoing mail',
    schema: text,
  },
  webhookNetworks: {
    variable: 'BUTTONWOOD_WEBHOOK_NETWORKS',
    value: 'LIST',
    help: 'addresses or networks that webhooks may reach although they are not public, also over HTTP, comma-separated',
    schema: list(),
    default: (isSandbox: boolean) => (isSandbox ? '127.0.0.0/8,::1/128' : ''),
    defaultIs: 'none; in the sandbox this machine',
  },
  custodian: {
    variable: 'BUTTONWOOD_CUSTODIAN',
    value: 'URL',
    help: 'URL of the custodian, to which instructions for deposit addresses and withdrawals are posted',
    schema: z
      .string()
      .refine((given) => /^https?:$/.test(URL.parse(given)?.protocol ?? ''))
      .describe('a URL such as https://custodian.example/instructions'),
    defaultIs: 'none: instructions wait',
    isSecret: true,
  },
  signingKey: {
    variable: 'BUTTONWOOD_SIGNING_KEY',
    value: 'N',
    help: 'number of the key that signs instructions to the custodian, 1 to 1000000; the next number replaces the key',
    schema: wholeNumber(1, 1_000_000),
    default: '1',
  },
  explorers: {
    variable: 'BUTTONWOOD_EXPLORERS',
    value: 'LIST',
    help: 'block explorers to which transactions link: NETWORK=URL with {transaction} in the URL, several comma-separated or by several flags',
    schema: explorersSchema,
    default: '',
    defaultIs: 'none: transactions are no links',
    isList: true,
  },
  rateLimits: {
    variable: 'BUTTONWOOD_RATE_LIMITS',
    value: 'MODE',
    help: 'rate limits: spec, 10x or off; the last two only in the sandbox',
    schema: choice('spec', '10x', 'off'),
    default: 'spec',
  },
  binance: {
    variable: 'BUTTONWOOD_BINANCE',
    value: 'ON',
    help: "the Binance Spot dialect under /binance, for bots that know Binance's API: on or off",
    schema: choice('on', 'off'),
    default: (isSandbox) => (isSandbox ? 'on' : 'off'),
    defaultIs: 'off; in the sandbox on',
  },
  surveillanceExempt: {
    variable: 'BUTTONWOOD_SURVEILLANCE_EXEMPT',
    value: 'ACCOUNTS',
    help: 'accounts that may trade with each other, such as your own market makers: no alerts that concern only them, comma-separated',
    schema: list(),
    default: '',
    defaultIs: "none; the sandbox's market makers always are",
    isList: true,
  },
  hmacKeys: {
    variable: 'BUTTONWOOD_HMAC_KEYS',
    value: 'ON',
    help: 'API keys that sign with HMAC-SHA256, whose secrets the exchange must be able to read: on or off',
    schema: choice('on', 'off'),
    default: (isSandbox: boolean) => (isSandbox ? 'on' : 'off'),
    defaultIs: 'off; in the sandbox on',
  },
  sealKeys: {
    variable: 'BUTTONWOOD_SEAL_KEYS',
    value: 'KEYS',
    help: 'keys that encrypt the secrets of HMAC keys and the key that signs instructions to the custodian, ID:HEX of 32 bytes each, comma-separated; the first encrypts, all decrypt',
    schema: sealKeysSchema,
    defaultIs: 'none; in the sandbox one in the database of users',
    isSecret: true,
  },
  makers: {
    variable: 'BUTTONWOOD_MAKERS',
    value: 'ON',
    help: 'market makers and seeded trading in the sandbox: on or off; always off in a cluster',
    schema: choice('on', 'off'),
    default: 'on',
    isSandboxOnly: true,
  },
  seed: {
    variable: 'BUTTONWOOD_SEED',
    value: 'N',
    help: 'random seed of the market makers, 0 to 4294967295; the same seed gives the same market',
    schema: wholeNumber(0, 0xffff_ffff),
    // The year of the Buttonwood Agreement.
    default: '1792',
    isSandboxOnly: true,
  },
  market: {
    variable: 'BUTTONWOOD_MARKET',
    value: 'FILE',
    help: 'recorded trades, book updates or orders that the sandbox plays: FILE or SYMBOL=FILE, several comma-separated or by several flags',
    schema: list(),
    default: '',
    defaultIs: 'none',
    isSandboxOnly: true,
    isList: true,
  },
  clock: {
    variable: 'BUTTONWOOD_CLOCK',
    value: 'CLOCK',
    help: "the sandbox's clock: real, frozen (moves only by requests), or a speed such as 60x",
    schema: clockSchema,
    default: 'real',
    defaultIs: 'real; 1x if it plays recorded markets',
    isSandboxOnly: true,
  },
  clockStart: {
    variable: 'BUTTONWOOD_CLOCK_START',
    value: 'TIME',
    help: 'first time of a new sandbox whose clock is not real, ISO 8601',
    schema: timeSchema,
    defaultIs: `${DEFAULT_CLOCK_START} if the clock is not real; the first row of recorded markets`,
    isSandboxOnly: true,
  },
  log: {
    variable: 'BUTTONWOOD_LOG',
    value: 'LOG',
    help: 'file for a single node, or the NATS servers of a cluster: nats://host:port,…',
    schema: z.union([z.literal('file'), natsSchema]).describe(natsDescription('file, or ')),
    default: 'file',
    isSecret: true,
  },
  logStream: {
    variable: 'BUTTONWOOD_LOG_STREAM',
    value: 'NAME',
    help: 'JetStream stream of this exchange',
    schema: name,
    default: 'buttonwood',
  },
  logReplicas: {
    variable: 'BUTTONWOOD_LOG_REPLICAS',
    value: 'N',
    help: 'number of NATS servers that store the stream, 1 to 5',
    schema: wholeNumber(1, 5),
    default: '3',
  },
  logSync: {
    variable: 'BUTTONWOOD_LOG_SYNC',
    value: 'HOW',
    help: 'checked: start only if the NATS servers sync every message; asserted: skip the check, you vouch for it',
    schema: choice('checked', 'asserted'),
    default: 'checked',
  },
  logSystem: {
    variable: 'BUTTONWOOD_LOG_SYSTEM',
    value: 'URL',
    help: 'NATS servers with a user of their system account, to check sync and capacity: nats://user:password@host:port',
    schema: natsSchema
      .refine(({ user }) => user !== undefined)
      .describe('a URL such as nats://user:password@host:4222, with a user of the system account'),
    isSecret: true,
  },
  logCredentials: {
    variable: 'BUTTONWOOD_LOG_CREDENTIALS',
    value: 'FILE',
    help: '.creds file for the NATS servers, instead of user and password',
    schema: path,
  },
  database: {
    variable: 'BUTTONWOOD_DATABASE',
    value: 'URL',
    help: 'sqlite for files in the data directory, or postgres://user:password@host/name',
    schema: databaseSchema,
    default: 'sqlite',
    isSecret: true,
  },
  archive: {
    variable: 'BUTTONWOOD_ARCHIVE',
    value: 'URL',
    help: 'archive to which old parts of the log move: file:///DIR, an existing directory, or s3://BUCKET/PREFIX',
    schema: archiveSchema,
    defaultIs: 'none: the log grows in the data directory',
  },
  archiveEndpoint: {
    variable: 'BUTTONWOOD_ARCHIVE_ENDPOINT',
    value: 'URL',
    help: 'endpoint of S3-compatible object storage',
    schema: endpointSchema,
    defaultIs: 'AWS',
  },
  archiveRegion: {
    variable: 'BUTTONWOOD_ARCHIVE_REGION',
    value: 'NAME',
    help: 'region of the object storage',
    schema: name,
    defaultIs: 'us-east-1',
  },
  archiveCredentials: {
    variable: 'BUTTONWOOD_ARCHIVE_CREDENTIALS',
    value: 'ID:SECRET',
    help: 'access key of the object storage',
    schema: credentialsSchema,
    isSecret: true,
  },
  keepLog: {
    variable: 'BUTTONWOOD_KEEP_LOG',
    value: 'HOW',
    help: 'newest part of the log that stays in the data directory if there is an archive: days or a size, such as 7d or 20GB',
    schema: keptSchema,
    default: '7d',
  },
  keepHistory: {
    variable: 'BUTTONWOOD_KEEP_HISTORY',
    value: 'DAYS',
    help: 'how long ended orders, fills and ledger entries stay in history, such as 365d',
    schema: keptHistorySchema,
    defaultIs: 'all are kept',
  },
  node: {
    variable: 'BUTTONWOOD_NODE',
    value: 'NAME',
    help: 'name of this node, unique in the cluster',
    schema: name,
    default: nodeFromHostname,
    defaultIs: "the host's name",
  },
  adminPort: {
    variable: 'BUTTONWOOD_ADMIN_PORT',
    value: 'N',
    help: 'port for /healthz, /readyz and /metrics; 0 picks a free one',
    schema: port,
    defaultIs: 'not served',
  },
  adminHost: {
    variable: 'BUTTONWOOD_ADMIN_HOST',
    value: 'ADDRESS',
    help: 'address for the admin port; it needs no credentials',
    schema: text,
    default: '127.0.0.1',
  },
  drain: {
    variable: 'BUTTONWOOD_DRAIN_SECONDS',
    value: 'SECONDS',
    help: 'seconds to keep serving, marked unready, before stopping, 0 to 3600',
    schema: wholeNumber(0, 3600),
    default: (isSandbox: boolean) => (isSandbox ? '0' : '5'),
    defaultIs: '5; in the sandbox 0',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

/** The settings as a list, with their names. */
export const settings = (Object.entries(SETTINGS) as [SettingName, Setting][]).map(
  ([name, setting]) => ({ name, ...setting }),
);

/** The parsed values of all settings. */
export type Values = {
  readonly [Name in SettingName]:
    | z.output<(typeof SETTINGS)[Name]['schema']>
    | ((typeof SETTINGS)[Name] extends { default: unknown } ? never : undefined);
};

/** Returns the flag of a setting: `log-stream` for `logStream`. */
export function toFlag(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function natsDescription(before: string): string {
  return `${before}${natsSchema.description}`;
}

function nodeFromHostname(): string {
  return (
    hostname()
      .replace(/[^A-Za-z0-9_-]/g, '-')
      .slice(0, 64) || 'node'
  );
}
