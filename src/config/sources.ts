import { readFileSync } from 'node:fs';
import { ConfigError } from './error.ts';
import { type Setting, type SettingName, settings, toFlag } from './settings.ts';

/** Command-line flags: names without dashes, and their values. */
export type Flags = ReadonlyMap<string, string>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** The text of a setting and its source. */
export interface Given {
  /** Undefined if it is not set and has no default. */
  readonly text: string | undefined;
  /** The source for messages: `--port`, `PORT`, `port in /etc/buttonwood.json`, or `default`. */
  readonly from: string;
}

export const DEFAULT = 'default';
/** The configuration file, which is not a setting of the table itself. */
export const CONFIG_FILE = { flag: 'config', variable: 'BUTTONWOOD_CONFIG' };

/**
 * Returns the text of every setting: flags override the environment, which overrides the file, which overrides defaults.
 * Empty environment variables count as unset.
 * @throws ConfigError for a file that cannot be read or has an unknown setting
 */
export function collectSettings(
  flags: Flags,
  env: Environment,
  isSandbox: boolean,
): ReadonlyMap<SettingName, Given> {
  const path = flags.get(CONFIG_FILE.flag) ?? (env[CONFIG_FILE.variable] || undefined);
  const file = path === undefined ? new Map<string, string>() : readConfigFile(path);
  return new Map(
    settings.map((setting) => {
      const { name } = setting;
      const flag = flags.get(toFlag(name));
      if (flag !== undefined) return [name, { text: flag, from: `--${toFlag(name)}` }];
      const inFile = file.get(name);
      return [
        name,
        fromEnvironment(setting, env) ??
          (inFile === undefined
            ? { text: defaultValue(setting, isSandbox), from: DEFAULT }
            : { text: inFile, from: `${name} in ${path}` }),
      ];
    }),
  );
}

function fromEnvironment({ variable, isSecret }: Setting, env: Environment): Given | undefined {
  const text = env[variable] || undefined;
  const inFile = `${variable}_FILE`;
  const path = isSecret ? env[inFile] || undefined : undefined;
  if (path === undefined) return text === undefined ? undefined : { text, from: variable };
  if (text !== undefined) throw new ConfigError(`Set ${variable} or ${inFile}, not both.`);
  const content = readText(path, inFile).trim();
  if (content === '') throw new ConfigError(`${inFile}: the file ${path} is empty.`);
  return { text: content, from: inFile };
}

function defaultValue(setting: Setting, isSandbox: boolean): string | undefined {
  const { default: given } = setting;
  return typeof given === 'function' ? given(isSandbox) : given;
}

/** Reads the settings of a JSON file as texts. Messages never contain its values, which may be secrets. */
function readConfigFile(path: string): Map<string, string> {
  const names = new Set<string>(settings.map(({ name }) => name));
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(parseObject(path, readText(path, 'Configuration')))) {
    if (!names.has(name)) {
      throw new ConfigError(
        `${JSON.stringify(name)} in ${path} is not a setting. The settings are: ${[...names].join(', ')}.`,
      );
    }
    const text = toText(value);
    if (text === undefined || text === '') {
      throw new ConfigError(
        `${name} in ${path} must be a non-empty text, a number, or a list of texts.`,
      );
    }
    found.set(name, text);
  }
  return found;
}

function parseObject(path: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Reported below without the message of JSON.parse, which quotes the text.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new ConfigError(`The file ${path} must be a JSON object: {"port": 3000, …}.`);
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return `${value}`;
  const isList = Array.isArray(value) && value.every((part) => typeof part === 'string');
  return isList ? value.join(',') : undefined;
}

function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `${what}: the file ${path} cannot be read (${(error as Error).message}).`,
    );
  }
}
