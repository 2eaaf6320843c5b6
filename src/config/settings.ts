import { hostname } from 'node:os';
import { z } from 'zod';
import { DEFAULT_DATA_DIRECTORY } from './data-paths.ts';
import { databaseSchema } from './database.ts';
import { natsSchema } from './nats.ts';

/** One thing that an operator can set. Its name is the key in the file, and in kebab case the flag. */
export interface Setting {
  /** In the environment. A secret may also lie in the file that `<variable>_FILE` names. */
  readonly variable: string;
  /** What stands for the value in the help. */
  readonly value: string;
  /** A line without a full stop. */
  readonly help: string;
  /** From the text that was given; its description says what that may be. */
  readonly schema: z.ZodType<unknown, string>;
  /** The text that stands where none is given; from the kind of node where it depends on that. */
  readonly default?: string | ((isSandbox: boolean) => string);
  /** Said of the default where it is not the same everywhere, or is no text. */
  readonly defaultIs?: string;
  /** Holds a password: shown with it masked, and not at all where it is wrong. */
  readonly isSecret?: boolean;
  readonly isSandboxOnly?: boolean;
}

const port = wholeNumber(0, 65_535);
const text = z.string().describe('a text that is not empty');
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
    help: 'where to listen; 0 takes any free port',
    schema: port,
    default: '3000',
  },
  host: {
    variable: 'BUTTONWOOD_HOST',
    value: 'ADDRESS',
    help: 'the address to listen on; beyond this machine it needs TLS or trusted proxies',
    schema: text,
    default: '127.0.0.1',
  },
  data: {
    variable: 'BUTTONWOOD_DATA',
    value: 'DIR',
    help: 'the data directory',
    schema: text,
    default: DEFAULT_DATA_DIRECTORY,
  },
  tlsCert: {
    variable: 'BUTTONWOOD_TLS_CERT',
    value: 'FILE',
    help: 'the certificate to serve HTTPS with, PEM',
    schema: path,
  },
  tlsKey: {
    variable: 'BUTTONWOOD_TLS_KEY',
    value: 'FILE',
    help: 'its key, PEM',
    schema: path,
  },
  trustedProxies: {
    variable: 'BUTTONWOOD_TRUSTED_PROXIES',
    value: 'LIST',
    help: 'addresses or networks of the proxies that end TLS, separated by commas; their X-Forwarded-For is believed',
    schema: list(),
    default: '',
    defaultIs: 'none',
  },
  publicUrl: {
    variable: 'BUTTONWOOD_PUBLIC_URL',
    value: 'URL',
    help: 'the origin that people open, where a proxy stands before it',
    schema: z
      .string()
      .transform((given, context) => originOf(given) ?? wrong(context))
      .describe('the address in the browser, without a path: https://exchange.example'),
    defaultIs: 'the address served at',
  },
  smtpUrl: {
    variable: 'BUTTONWOOD_SMTP_URL',
    value: 'URL',
    help: 'where mail goes; without it people come by invitation',
    schema: z
      .string()
      .refine((given) => /^smtps?:$/.test(URL.parse(given)?.protocol ?? ''))
      .describe('like smtps://user:password@mail.example:465'),
    isSecret: true,
  },
  mailFrom: {
    variable: 'BUTTONWOOD_MAIL_FROM',
    value: 'ADDRESS',
    help: 'who sends it',
    schema: text,
  },
  rateLimits: {
    variable: 'BUTTONWOOD_RATE_LIMITS',
    value: 'MODE',
    help: 'spec, 10x or off; the latter two in the sandbox only',
    schema: oneOf('spec', '10x', 'off'),
    default: 'spec',
  },
  makers: {
    variable: 'BUTTONWOOD_MAKERS',
    value: 'ON',
    help: 'off: the sandbox without traders and past of its own; there are none over NATS',
    schema: oneOf('on', 'off'),
    default: 'on',
    isSandboxOnly: true,
  },
  seed: {
    variable: 'BUTTONWOOD_SEED',
    value: 'N',
    help: 'what those follow from, 0 to 4294967295; the same seed, the same market',
    schema: wholeNumber(0, 0xffff_ffff),
    // The year of the agreement.
    default: '1792',
    isSandboxOnly: true,
  },
  log: {
    variable: 'BUTTONWOOD_LOG',
    value: 'LOG',
    help: 'file, or the NATS servers that hold it, which makes this one of many nodes: nats://host:port,…',
    schema: z.union([z.literal('file'), natsSchema]).describe(natsDescription('file, or ')),
    default: 'file',
    isSecret: true,
  },
  logStream: {
    variable: 'BUTTONWOOD_LOG_STREAM',
    value: 'NAME',
    help: 'the JetStream stream of this exchange',
    schema: name,
    default: 'buttonwood',
  },
  logReplicas: {
    variable: 'BUTTONWOOD_LOG_REPLICAS',
    value: 'N',
    help: 'how many of the servers keep the stream, 1 to 5',
    schema: wholeNumber(1, 5),
    default: '3',
  },
  logSync: {
    variable: 'BUTTONWOOD_LOG_SYNC',
    value: 'HOW',
    help: 'checked: refuse to start unless the servers sync always; asserted: you say that they do',
    schema: oneOf('checked', 'asserted'),
    default: 'checked',
  },
  logSystem: {
    variable: 'BUTTONWOOD_LOG_SYSTEM',
    value: 'URL',
    help: 'the servers with a user of their system account, to read that they sync, and their room: nats://user:password@host:port',
    schema: natsSchema
      .refine(({ user }) => user !== undefined)
      .describe('like nats://user:password@host:4222, a user of the system account'),
    isSecret: true,
  },
  logCredentials: {
    variable: 'BUTTONWOOD_LOG_CREDENTIALS',
    value: 'FILE',
    help: 'a .creds file for the NATS servers, instead of user and password',
    schema: path,
  },
  database: {
    variable: 'BUTTONWOOD_DATABASE',
    value: 'URL',
    help: 'sqlite: files in the data directory; or postgres://user:password@host/name',
    schema: databaseSchema,
    default: 'sqlite',
    isSecret: true,
  },
  node: {
    variable: 'BUTTONWOOD_NODE',
    value: 'NAME',
    help: 'the name of this node among those of the exchange',
    schema: name,
    default: hostNode,
    defaultIs: "the host's name",
  },
  adminPort: {
    variable: 'BUTTONWOOD_ADMIN_PORT',
    value: 'N',
    help: 'where to serve /healthz, /readyz and /metrics; 0 takes any free port',
    schema: port,
    defaultIs: 'not served',
  },
  adminHost: {
    variable: 'BUTTONWOOD_ADMIN_HOST',
    value: 'ADDRESS',
    help: 'the address for them; whoever reaches it reads them',
    schema: text,
    default: '127.0.0.1',
  },
  drain: {
    variable: 'BUTTONWOOD_DRAIN_SECONDS',
    value: 'SECONDS',
    help: 'how long to go on serving, unready, when told to stop, 0 to 3600',
    schema: wholeNumber(0, 3600),
    default: (isSandbox: boolean) => (isSandbox ? '0' : '5'),
    defaultIs: '5; in the sandbox 0',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

/** The table as a list, each with its name. */
export const settings = (Object.entries(SETTINGS) as [SettingName, Setting][]).map(
  ([name, setting]) => ({ name, ...setting }),
);

/** What was set, read and checked one by one. */
export type Values = {
  readonly [Name in SettingName]:
    | z.output<(typeof SETTINGS)[Name]['schema']>
    | ((typeof SETTINGS)[Name] extends { default: unknown } ? never : undefined);
};

/** `log-stream` of `logStream`. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max)
    .describe(`a whole number from ${min} to ${max}`);
}

function oneOf<const Choices extends readonly string[]>(...choices: Choices) {
  return z.enum(choices).describe(`one of ${choices.join(', ')}`);
}

function list() {
  return z
    .string()
    .transform((given) =>
      given
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .describe('a list, separated by commas');
}

function originOf(given: string): string | undefined {
  const url = URL.parse(given);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  return isOrigin ? url.origin : undefined;
}

function wrong(context: z.RefinementCtx): never {
  context.addIssue({ code: 'custom' });
  return z.NEVER;
}

function natsDescription(before: string): string {
  return `${before}${natsSchema.description}`;
}

function hostNode(): string {
  return (
    hostname()
      .replace(/[^A-Za-z0-9_-]/g, '-')
      .slice(0, 64) || 'node'
  );
}
