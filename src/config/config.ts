import { existsSync } from 'node:fs';
import type { Database } from './database.ts';
import { ConfigError } from './error.ts';
import { masked } from './mask.ts';
import type { NatsServers } from './nats.ts';
import { SETTINGS, type SettingName, settings, type Values } from './settings.ts';
import { DEFAULT, type Environment, type Flags, type Given, gather } from './sources.ts';

export { ConfigError };

export interface Config {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  readonly dataDirectory: string;
  readonly rateLimits: Values['rateLimits'];
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly certificate?: { readonly certPath: string; readonly keyPath: string };
  /** The origin that people open in their browser, where it is not the address served at. */
  readonly publicUrl?: string;
  readonly mail?: { readonly smtpUrl: string; readonly from: string };
  readonly isSandbox: boolean;
  /** Whether the sandbox has traders of its own, and a past. Never over NATS. */
  readonly hasMakers: boolean;
  /** What they and the past follow from: the same seed, the same market. */
  readonly seed: number;
  readonly log: LogConfig;
  readonly database: Database;
  /** Names this node among those of the exchange: 1 to 64 of A-Z a-z 0-9 _ -. */
  readonly node: string;
  /** Where health and metrics are served, if they are. Port 0 takes any free one. */
  readonly admin?: { readonly host: string; readonly port: number };
  /** How long to go on serving, unready, when told to stop. */
  readonly drainSeconds: number;
}

/** Where the log is kept: in files of the data directory, or in a stream of NATS JetStream. */
export type LogConfig = { readonly kind: 'file' } | JetStreamConfig;

export interface JetStreamConfig extends NatsServers {
  readonly kind: 'jetstream';
  readonly stream: string;
  /** 1 to 5. */
  readonly replicas: number;
  /** `asserted`: the operator says that the servers sync always, and it is not checked. */
  readonly sync: Values['logSync'];
  /** The servers with a user of their system account, to read that they sync. */
  readonly system?: NatsServers;
  /** A .creds file that is there; then there are no user and password. */
  readonly credentialsPath?: string;
}

/** A setting as it is shown to people. */
export interface Shown {
  readonly name: SettingName;
  /** Without passwords; undefined where there is none. */
  readonly value: string | undefined;
  readonly from: string;
}

/**
 * Reads and checks the configuration of a node: flags over environment over the file that `--config` or
 * BUTTONWOOD_CONFIG names.
 * @throws ConfigError
 */
export function readConfig(env: Environment, isSandbox: boolean, flags: Flags = new Map()): Config {
  return configOf(gather(flags, env, isSandbox), isSandbox);
}

/**
 * The same, each setting with where its value came from, for people.
 * @throws ConfigError as a start would.
 */
export function showConfig(env: Environment, isSandbox: boolean, flags: Flags): Shown[] {
  const given = gather(flags, env, isSandbox);
  configOf(given, isSandbox);
  return settings
    .filter(({ isSandboxOnly }) => isSandbox || !isSandboxOnly)
    .map(({ name, isSecret }) => {
      const { text, from } = given.get(name)!;
      return { name, value: text !== undefined && isSecret ? masked(text) : text, from };
    });
}

/**
 * Reads of the same settings those alone that say where the log is, for commands that need no others.
 * @throws ConfigError
 */
export function readLogConfig(
  env: Environment,
  flags: Flags,
): Pick<Config, 'log' | 'dataDirectory'> {
  const given = gather(flags, env, true);
  const values = valuesOf(given, ['data', 'log', ...LOG_ON_NATS]);
  return { log: logOf(values, given), dataDirectory: values.data };
}

/**
 * Reads of the same settings the data directory alone.
 * @throws ConfigError
 */
export function readDataDirectory(env: Environment, flags: Flags): string {
  return valuesOf(gather(flags, env, true), ['data']).data;
}

/** What a start takes, and is likely not meant; undefined where there is nothing. */
export function doubtOf({ trustedProxies, certificate, publicUrl }: Config): string | undefined {
  const isBehindProxy = trustedProxies.length > 0 && certificate === undefined;
  if (!isBehindProxy || publicUrl !== undefined) return undefined;
  return (
    'There is a proxy in front and no BUTTONWOOD_PUBLIC_URL: nobody can sign in through it, for pages are taken from ' +
    "the node's own address alone, and mailed links lead there. Set it to what people open, " +
    'such as https://exchange.example. API keys need it not.'
  );
}

function configOf(given: ReadonlyMap<SettingName, Given>, isSandbox: boolean): Config {
  const values = valuesOf(
    given,
    settings.map(({ name }) => name),
  );
  checkSandboxOnly(given, values, isSandbox);
  const config: Config = {
    port: values.port,
    host: values.host,
    dataDirectory: values.data,
    rateLimits: values.rateLimits,
    trustedProxies: values.trustedProxies,
    ...certificateOf(values),
    ...(values.publicUrl === undefined ? {} : { publicUrl: values.publicUrl }),
    ...mailOf(values),
    isSandbox,
    hasMakers: isSandbox && values.log === 'file' && values.makers === 'on',
    seed: values.seed,
    log: logOf(values, given),
    database: values.database,
    node: values.node,
    ...(values.adminPort === undefined
      ? {}
      : { admin: { host: values.adminHost, port: values.adminPort } }),
    drainSeconds: values.drain,
  };
  checkHistory(config, given);
  checkExposure(config);
  return config;
}

/** @throws ConfigError for the first that is wrong: its name, what it may be, and what it is unless secret. */
function valuesOf<Name extends SettingName>(
  given: ReadonlyMap<SettingName, Given>,
  names: readonly Name[],
): Pick<Values, Name> {
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const { name, schema, isSecret } of settings) {
    if (!names.includes(name as Name)) continue;
    const { text, from } = given.get(name)!;
    if (text === undefined) continue;
    const parsed = schema.safeParse(text);
    if (!parsed.success) {
      const is = isSecret ? '' : `, not ${JSON.stringify(text)}`;
      throw new ConfigError(`${from} is ${schema.description}${is}.`);
    }
    values[name] = parsed.data;
  }
  return values as Pick<Values, Name>;
}

function checkSandboxOnly(
  given: ReadonlyMap<SettingName, Given>,
  { rateLimits }: Values,
  isSandbox: boolean,
): void {
  if (isSandbox) return;
  const refuse = (what: string) => {
    throw new ConfigError(`${what} is for the sandbox only (buttonwood start). Unset it to serve.`);
  };
  if (rateLimits !== 'spec') refuse(`${given.get('rateLimits')!.from}=${rateLimits}`);
  for (const { name, isSandboxOnly } of settings) {
    const { from } = given.get(name)!;
    if (isSandboxOnly && from !== DEFAULT) refuse(from);
  }
}

type LogValues = Pick<Values, 'log' | (typeof LOG_ON_NATS)[number]>;

function logOf(values: LogValues, given: ReadonlyMap<SettingName, Given>): LogConfig {
  const { log, logCredentials: credentialsPath, logSystem: system } = values;
  if (log === 'file') {
    for (const name of LOG_ON_NATS) {
      const { from } = given.get(name)!;
      if (from === DEFAULT) continue;
      throw new ConfigError(
        `${from} is of a log on NATS: set ${SETTINGS.log.variable} to its servers too, or unset it.`,
      );
    }
    return { kind: 'file' };
  }
  if (credentialsPath !== undefined) {
    checkFile(credentialsPath);
    if (log.user !== undefined) {
      throw new ConfigError(
        `Give user and password in ${given.get('log')!.from}, or ${given.get('logCredentials')!.from}, not both.`,
      );
    }
  }
  return {
    kind: 'jetstream',
    ...log,
    stream: values.logStream,
    replicas: values.logReplicas,
    sync: values.logSync,
    ...(system === undefined ? {} : { system }),
    ...(credentialsPath === undefined ? {} : { credentialsPath }),
  };
}

function checkHistory({ log, database }: Config, given: ReadonlyMap<SettingName, Given>): void {
  if (log.kind === 'file' || database.kind === 'postgres') return;
  throw new ConfigError(
    `Nodes that share a log share their history too: with ${given.get('log')!.from} set ` +
      `${SETTINGS.database.variable} to the database of all nodes: postgres://user:password@host/name.`,
  );
}

const LOG_ON_NATS = [
  ...(['logStream', 'logReplicas', 'logSync'] as const),
  ...(['logSystem', 'logCredentials'] as const),
];

function certificateOf({ tlsCert: certPath, tlsKey: keyPath }: Values) {
  if (certPath === undefined && keyPath === undefined) return {};
  if (certPath === undefined || keyPath === undefined) {
    throw new ConfigError('Give both BUTTONWOOD_TLS_CERT and BUTTONWOOD_TLS_KEY, or neither.');
  }
  for (const path of [certPath, keyPath]) checkFile(path);
  return { certificate: { certPath, keyPath } };
}

function checkFile(path: string): void {
  if (!existsSync(path)) throw new ConfigError(`There is no file ${path}.`);
}

function mailOf({ smtpUrl, mailFrom: from }: Values) {
  if (smtpUrl === undefined && from === undefined) return {};
  if (smtpUrl === undefined || from === undefined) {
    throw new ConfigError('Give both BUTTONWOOD_SMTP_URL and BUTTONWOOD_MAIL_FROM, or neither.');
  }
  return { mail: { smtpUrl, from } };
}

/** Keys and secrets travel in headers: never over plain HTTP beyond this machine. */
function checkExposure(config: Config): void {
  const isLocal = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(config.host);
  if (isLocal || config.certificate !== undefined || config.trustedProxies.length > 0) return;
  throw new ConfigError(
    `Listening on ${config.host} over plain HTTP would send API secrets in the clear. ` +
      'Give BUTTONWOOD_TLS_CERT and BUTTONWOOD_TLS_KEY, or name the proxy that ends TLS in ' +
      'BUTTONWOOD_TRUSTED_PROXIES (addresses or networks, separated by commas).',
  );
}
