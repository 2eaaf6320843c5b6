import { existsSync } from 'node:fs';
import { type ArchiveConfig, readArchive } from './archive.ts';
import { type ClockConfig, DEFAULT_CLOCK_START } from './clock.ts';
import type { Database } from './database.ts';
import { ConfigError } from './error.ts';
import type { Explorers } from './explorers.ts';
import { masked } from './mask.ts';
import type { NatsServers } from './nats.ts';
import type { SealingKey } from './seal-keys.ts';
import { SETTINGS, type SettingName, settings, type Values } from './settings.ts';
import { collectSettings, DEFAULT, type Environment, type Flags, type Given } from './sources.ts';

export { ConfigError };

export interface Config {
  /** 0 picks a free port. */
  readonly port: number;
  readonly host: string;
  readonly dataDirectory: string;
  /** The period for which orders, fills and ledger entries stay in history, milliseconds; absent if all are kept. */
  readonly keptHistoryMs?: number;
  readonly rateLimits: Values['rateLimits'];
  /** Whether API keys may sign with HMAC. */
  readonly hasHmacKeys: boolean;
  /** The keys that encrypt the secrets of HMAC keys; only in the sandbox it may have none. */
  readonly sealKeys: readonly SealingKey[];
  /** Addresses and networks of proxies whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  /** Addresses and networks that webhooks may reach although they are not public. */
  readonly webhookNetworks: readonly string[];
  /** Ids of accounts that may trade with each other: no alerts concern only them. */
  readonly surveillanceExempt: readonly string[];
  /** The URL of the custodian, if there is one. */
  readonly custodianUrl?: string;
  /** Block explorers by the name of the network. */
  readonly explorers: Explorers;
  /** Number of the key that signs instructions to it, from 1. */
  readonly signingKey: number;
  readonly certificate?: { readonly certPath: string; readonly keyPath: string };
  /** The origin that users open in their browser, if it is not the address listened on. */
  readonly publicUrl?: string;
  readonly mail?: { readonly smtpUrl: string; readonly from: string };
  readonly isSandbox: boolean;
  /** Whether the Binance dialect is served. */
  readonly hasBinance: boolean;
  /** Whether the sandbox has market makers and seeded trading. Never in a cluster. */
  readonly hasMakers: boolean;
  /** Random seed of both: the same seed gives the same market. */
  readonly seed: number;
  /** The recorded markets that the sandbox plays in place of the random walk. */
  readonly recording?: RecordingConfig;
  /** The clock of the sandbox; a real exchange and a cluster have a real one. */
  readonly clock: ClockConfig;
  /** The first time of a new sandbox whose clock is not real, milliseconds since 1970. */
  readonly clockStart: number;
  readonly log: LogConfig;
  readonly database: Database;
  /** The archive to which old parts of the log move; absent if it only grows. */
  readonly archive?: ArchiveConfig;
  /** Name of this node, unique in the cluster: 1 to 64 of A-Z a-z 0-9 _ -. */
  readonly node: string;
  /** Address for health and metrics, if they are served. Port 0 picks a free one. */
  readonly admin?: { readonly host: string; readonly port: number };
  /** Time to keep serving, marked unready, before stopping. */
  readonly drainSeconds: number;
}

export interface RecordingConfig {
  /** `FILE` or `SYMBOL=FILE`. */
  readonly files: readonly string[];
  /** Whether makers quote around recorded trades. */
  readonly hasQuotes: boolean;
  /** Whether the clock starts at the first row, not at `clockStart`. */
  readonly hasOwnStart: boolean;
}

/** The location of the log: files in the data directory, or a stream of NATS JetStream. */
export type LogConfig = { readonly kind: 'file' } | JetStreamConfig;

export interface JetStreamConfig extends NatsServers {
  readonly kind: 'jetstream';
  readonly stream: string;
  /** 1 to 5. */
  readonly replicas: number;
  /** `asserted`: the operator vouches that the servers sync every message, and this is not checked. */
  readonly sync: Values['logSync'];
  /** The servers with a user of their system account, to check that they sync. */
  readonly system?: NatsServers;
  /** An existing .creds file, used instead of user and password. */
  readonly credentialsPath?: string;
}

/** A setting as it is displayed. */
export interface Shown {
  readonly name: SettingName;
  /** The value with passwords masked; undefined if there is none. */
  readonly value: string | undefined;
  readonly from: string;
}

/**
 * Reads and checks the configuration of a node: flags override the environment, which overrides the file named by
 * `--config` or BUTTONWOOD_CONFIG.
 * @throws ConfigError
 */
export function readConfig(env: Environment, isSandbox: boolean, flags: Flags = new Map()): Config {
  return toConfig(collectSettings(flags, env, isSandbox), isSandbox);
}

/**
 * Returns all settings for display, each with the source of its value.
 * @throws ConfigError like `readConfig`
 */
export function showConfig(env: Environment, isSandbox: boolean, flags: Flags): Shown[] {
  const given = collectSettings(flags, env, isSandbox);
  toConfig(given, isSandbox);
  return settings
    .filter(({ isSandboxOnly }) => isSandbox || !isSandboxOnly)
    .map(({ name, isSecret }) => {
      const { text, from } = given.get(name)!;
      return { name, value: text !== undefined && isSecret ? masked(text) : text, from };
    });
}

/**
 * Reads only the settings that locate the log, for commands that need no others.
 * @throws ConfigError
 */
export function readLogConfig(
  env: Environment,
  flags: Flags,
): Pick<Config, 'log' | 'dataDirectory' | 'archive'> {
  const given = collectSettings(flags, env, true);
  const values = parseValues(given, ['data', 'log', ...LOG_ON_NATS, ...ARCHIVE]);
  return {
    log: readLog(values, given),
    dataDirectory: values.data,
    ...withArchive(values),
  };
}

/**
 * Reads only the data directory.
 * @throws ConfigError
 */
export function readDataDirectory(env: Environment, flags: Flags): string {
  return parseValues(collectSettings(flags, env, true), ['data']).data;
}

/** Returns a warning about a valid configuration that is probably a mistake, or undefined. */
export function configWarning(config: Config): string | undefined {
  const { trustedProxies, certificate, publicUrl, clock, seed } = config;
  if (clock.mode !== 'real' && !isLocal(config.host)) {
    return (
      `The clock is not real, so the API keys follow from the seed ${seed}: anyone who guesses it can trade and control this ` +
      'sandbox. Set BUTTONWOOD_SEED to a number that no one else knows, or BUTTONWOOD_HOST to 127.0.0.1.'
    );
  }
  const isBehindProxy = trustedProxies.length > 0 && certificate === undefined;
  if (!isBehindProxy || publicUrl !== undefined) return undefined;
  return (
    'BUTTONWOOD_TRUSTED_PROXIES is set, but BUTTONWOOD_PUBLIC_URL is not. Users cannot sign in through the proxy, because ' +
    'the node only accepts pages from its own address and mails links to it. Set it to the URL that users open, ' +
    'such as https://exchange.example. API keys work without it.'
  );
}

function toConfig(given: ReadonlyMap<SettingName, Given>, isSandbox: boolean): Config {
  const values = parseValues(
    given,
    settings.map(({ name }) => name),
  );
  checkSandboxOnly(given, values, isSandbox);
  const config: Config = {
    port: values.port,
    host: values.host,
    dataDirectory: values.data,
    rateLimits: values.rateLimits,
    hasHmacKeys: values.hmacKeys === 'on',
    sealKeys: values.sealKeys ?? [],
    trustedProxies: values.trustedProxies,
    webhookNetworks: values.webhookNetworks,
    surveillanceExempt: values.surveillanceExempt,
    ...(values.custodian === undefined ? {} : { custodianUrl: values.custodian }),
    signingKey: values.signingKey,
    explorers: values.explorers,
    ...readCertificate(values),
    ...(values.publicUrl === undefined ? {} : { publicUrl: values.publicUrl }),
    ...readMail(values),
    isSandbox,
    hasBinance: values.binance === 'on',
    hasMakers:
      isSandbox && values.log === 'file' && values.makers === 'on' && values.market.length === 0,
    seed: values.seed,
    ...readRecording(values, given),
    ...readClock(values, given),
    log: readLog(values, given),
    database: values.database,
    ...withArchive(values),
    ...(values.keepHistory === undefined ? {} : { keptHistoryMs: values.keepHistory }),
    node: values.node,
    ...(values.adminPort === undefined
      ? {}
      : { admin: { host: values.adminHost, port: values.adminPort } }),
    drainSeconds: values.drain,
  };
  checkHistory(config, given);
  checkSealKeys(config, given);
  checkExposure(config);
  return config;
}

/** @throws ConfigError for the first invalid setting, with its valid values and, unless secret, its value */
function parseValues<Name extends SettingName>(
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
      throw new ConfigError(`${from} must be ${schema.description}${is}.`);
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
    throw new ConfigError(
      `${what} is only for the sandbox (buttonwood start). Unset it for "serve".`,
    );
  };
  if (rateLimits !== 'spec') refuse(`${given.get('rateLimits')!.from}=${rateLimits}`);
  for (const { name, isSandboxOnly } of settings) {
    const { from } = given.get(name)!;
    if (isSandboxOnly && from !== DEFAULT) refuse(from);
  }
}

type LogValues = Pick<Values, 'log' | (typeof LOG_ON_NATS)[number]>;

function readLog(values: LogValues, given: ReadonlyMap<SettingName, Given>): LogConfig {
  const { log, logCredentials: credentialsPath, logSystem: system } = values;
  if (log === 'file') {
    for (const name of LOG_ON_NATS) {
      const { from } = given.get(name)!;
      if (from === DEFAULT) continue;
      throw new ConfigError(
        `${from} is only for a cluster. Set ${SETTINGS.log.variable} to its NATS servers too, or unset it.`,
      );
    }
    return { kind: 'file' };
  }
  if (credentialsPath !== undefined) {
    checkFile(credentialsPath);
    if (log.user !== undefined) {
      throw new ConfigError(
        `Set user and password in ${given.get('log')!.from}, or ${given.get('logCredentials')!.from}, not both.`,
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
    `The nodes of a cluster share one database. With ${given.get('log')!.from}, set ` +
      `${SETTINGS.database.variable} to it: postgres://user:password@host/name.`,
  );
}

function checkSealKeys(
  { hasHmacKeys, sealKeys, isSandbox }: Config,
  given: ReadonlyMap<SettingName, Given>,
): void {
  if (!hasHmacKeys || isSandbox || sealKeys.length > 0) return;
  throw new ConfigError(
    `With ${given.get('hmacKeys')!.from}=on the secrets of HMAC keys are stored encrypted. Set ${SETTINGS.sealKeys.variable} ` +
      'or BUTTONWOOD_SEAL_KEYS_FILE to a key on every node, such as 2026-11:<64 hex digits> (openssl rand -hex 32), and keep a copy of it.',
  );
}

const ARCHIVE = [
  'archive',
  'archiveEndpoint',
  'archiveRegion',
  'archiveCredentials',
  'keepLog',
] as const;

function withArchive(values: Pick<Values, (typeof ARCHIVE)[number]>): Pick<Config, 'archive'> {
  const archive = readArchive(values);
  return archive === undefined ? {} : { archive };
}

const LOG_ON_NATS = ['logStream', 'logReplicas', 'logSync', 'logSystem', 'logCredentials'] as const;

function readRecording(
  { market: files, makers, clockStart, log }: Values,
  given: ReadonlyMap<SettingName, Given>,
): { readonly recording?: RecordingConfig } {
  if (files.length === 0) return {};
  const { from } = given.get('market')!;
  if (log !== 'file') throw new ConfigError(`${from} is only for a sandbox on one node.`);
  const hasOwnStart = clockStart === undefined;
  return { recording: { files, hasQuotes: makers === 'on', hasOwnStart } };
}

function readClock(
  { clock: value, clockStart, log, market }: Values,
  given: ReadonlyMap<SettingName, Given>,
): Pick<Config, 'clock' | 'clockStart'> {
  const { from } = given.get('clock')!;
  const isRecorded = market.length > 0;
  if (isRecorded && value.mode === 'real' && from !== DEFAULT) {
    throw new ConfigError(
      `${given.get('market')!.from} needs a clock that is not real, because recorded rows have times of their own. Set ${from} to 1x for the speed of real time.`,
    );
  }
  const clock: ClockConfig =
    isRecorded && value.mode === 'real' ? { mode: 'scaled', speed: 1 } : value;
  if (clock.mode !== 'real' && log !== 'file') {
    throw new ConfigError(`${from} is only for a sandbox on one node: a cluster has a real clock.`);
  }
  if (clock.mode === 'real' && clockStart !== undefined) {
    throw new ConfigError(
      `${given.get('clockStart')!.from} needs a clock that is not real. Set ${SETTINGS.clock.variable} too, for example to frozen.`,
    );
  }
  return { clock, clockStart: clockStart ?? Date.parse(DEFAULT_CLOCK_START) };
}

function readCertificate({ tlsCert: certPath, tlsKey: keyPath }: Values) {
  if (certPath === undefined && keyPath === undefined) return {};
  if (certPath === undefined || keyPath === undefined) {
    throw new ConfigError('Set both BUTTONWOOD_TLS_CERT and BUTTONWOOD_TLS_KEY, or neither.');
  }
  for (const path of [certPath, keyPath]) checkFile(path);
  return { certificate: { certPath, keyPath } };
}

function checkFile(path: string): void {
  if (!existsSync(path)) throw new ConfigError(`The file ${path} does not exist.`);
}

function readMail({ smtpUrl, mailFrom: from }: Values) {
  if (smtpUrl === undefined && from === undefined) return {};
  if (smtpUrl === undefined || from === undefined) {
    throw new ConfigError('Set both BUTTONWOOD_SMTP_URL and BUTTONWOOD_MAIL_FROM, or neither.');
  }
  return { mail: { smtpUrl, from } };
}

/** Returns whether only this machine reaches an address. */
function isLocal(host: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host);
}

/** Checks that secrets in headers are never sent over plain HTTP to other machines. */
function checkExposure(config: Config): void {
  if (isLocal(config.host) || config.certificate !== undefined || config.trustedProxies.length > 0)
    return;
  throw new ConfigError(
    `Listening on ${config.host} over plain HTTP would send API secrets in clear text. ` +
      'Set BUTTONWOOD_TLS_CERT and BUTTONWOOD_TLS_KEY, or set BUTTONWOOD_TRUSTED_PROXIES to the proxy that terminates TLS ' +
      '(addresses or networks, comma-separated).',
  );
}
