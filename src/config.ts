import { existsSync } from 'node:fs';
import { z } from 'zod';
import { DEFAULT_DATA_DIRECTORY } from './data-paths.ts';

/** A setting is missing or wrong: the message says which and what it may be. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const RATE_LIMIT_MODES = ['spec', '10x', 'off'] as const;

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  BUTTONWOOD_HOST: z.string().min(1).default('127.0.0.1'),
  BUTTONWOOD_DATA: z.string().min(1).default(DEFAULT_DATA_DIRECTORY),
  BUTTONWOOD_RATE_LIMITS: z.enum(RATE_LIMIT_MODES).default('spec'),
  BUTTONWOOD_TRUSTED_PROXIES: z.string().default(''),
  BUTTONWOOD_TLS_CERT: z.string().optional(),
  BUTTONWOOD_TLS_KEY: z.string().optional(),
  BUTTONWOOD_PUBLIC_URL: z.string().optional(),
  BUTTONWOOD_SMTP_URL: z.string().optional(),
  BUTTONWOOD_MAIL_FROM: z.string().optional(),
  BUTTONWOOD_MAKERS: z.enum(['on', 'off']).optional(),
  BUTTONWOOD_SEED: z.coerce.number().int().min(0).max(0xffff_ffff).optional(),
});

export interface Config {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  readonly dataDirectory: string;
  readonly rateLimits: (typeof RATE_LIMIT_MODES)[number];
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly certificate?: { readonly certPath: string; readonly keyPath: string };
  /** The origin that people open in their browser, where it is not the address served at. */
  readonly publicUrl?: string;
  readonly mail?: { readonly smtpUrl: string; readonly from: string };
  readonly isSandbox: boolean;
  /** Whether the sandbox has traders of its own, and a past. */
  readonly hasMakers: boolean;
  /** What they and the past follow from: the same seed, the same market. */
  readonly seed: number;
}

/**
 * Reads and checks the configuration of a node.
 * @throws ConfigError
 */
export function readConfig(env: Record<string, string | undefined>, isSandbox: boolean): Config {
  const parsed = environment.safeParse(env);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigError(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  const values = parsed.data;
  const config: Config = {
    port: values.PORT,
    host: values.BUTTONWOOD_HOST,
    dataDirectory: values.BUTTONWOOD_DATA,
    rateLimits: values.BUTTONWOOD_RATE_LIMITS,
    trustedProxies: values.BUTTONWOOD_TRUSTED_PROXIES.split(',')
      .map((proxy) => proxy.trim())
      .filter((proxy) => proxy !== ''),
    ...certificateOf(values.BUTTONWOOD_TLS_CERT, values.BUTTONWOOD_TLS_KEY),
    ...publicUrlOf(values.BUTTONWOOD_PUBLIC_URL),
    ...mailOf(values.BUTTONWOOD_SMTP_URL, values.BUTTONWOOD_MAIL_FROM),
    isSandbox,
    hasMakers: isSandbox && values.BUTTONWOOD_MAKERS !== 'off',
    seed: values.BUTTONWOOD_SEED ?? DEFAULT_SEED,
  };
  checkExposure(config);
  if (!isSandbox && config.rateLimits !== 'spec') {
    throw new ConfigError(
      `BUTTONWOOD_RATE_LIMITS=${config.rateLimits} is for the sandbox only (buttonwood start). Unset it to serve.`,
    );
  }
  for (const name of ['BUTTONWOOD_MAKERS', 'BUTTONWOOD_SEED'] as const) {
    if (isSandbox || values[name] === undefined) continue;
    throw new ConfigError(`${name} is for the sandbox only (buttonwood start). Unset it to serve.`);
  }
  return config;
}

/** Of the sandbox's market, unless BUTTONWOOD_SEED is given: the year of the agreement. */
const DEFAULT_SEED = 1792;

function certificateOf(certPath: string | undefined, keyPath: string | undefined) {
  if (certPath === undefined && keyPath === undefined) return {};
  if (certPath === undefined || keyPath === undefined) {
    throw new ConfigError('Give both BUTTONWOOD_TLS_CERT and BUTTONWOOD_TLS_KEY, or neither.');
  }
  for (const path of [certPath, keyPath]) {
    if (!existsSync(path)) throw new ConfigError(`There is no file ${path}.`);
  }
  return { certificate: { certPath, keyPath } };
}

function publicUrlOf(text: string | undefined) {
  if (text === undefined) return {};
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href) {
    return { publicUrl: url.origin };
  }
  throw new ConfigError(
    'BUTTONWOOD_PUBLIC_URL is the address in the browser, without a path: https://exchange.example',
  );
}

function mailOf(smtpUrl: string | undefined, from: string | undefined) {
  if (smtpUrl === undefined && from === undefined) return {};
  if (smtpUrl === undefined || from === undefined) {
    throw new ConfigError('Give both BUTTONWOOD_SMTP_URL and BUTTONWOOD_MAIL_FROM, or neither.');
  }
  if (!/^smtps?:$/.test(URL.parse(smtpUrl)?.protocol ?? '')) {
    // Not shown: it has a password.
    throw new ConfigError('BUTTONWOOD_SMTP_URL is like smtps://user:password@mail.example:465.');
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
