import { ConfigError } from '../config/error.ts';
import { SETTINGS, type Setting, settings, toFlag } from '../config/settings.ts';
import { CONFIG_FILE, type Flags } from '../config/sources.ts';
import type { Arguments } from './arguments.ts';
import type { Option } from './command.ts';
import { CliError, ExitCode } from './failure.ts';

/** Option of a settings file. */
export const FILE: Option = {
  name: CONFIG_FILE.flag,
  value: 'FILE',
  help: `settings file, one JSON object (${CONFIG_FILE.variable})`,
};

const SECRETS = settings
  .filter(({ isSecret }) => isSecret)
  .map(({ variable }) => `${variable}_FILE`)
  .join(', ');

/** Printed below the settings of `start` and `serve`. */
export const SETTINGS_NOTE = `A flag overrides its environment variable, which overrides the file. In the file a setting has the name of
its flag in camel case: logStream for --log-stream. Other users of a machine can see flags, so there are none
for passwords: a variable ending in _FILE names a file with the password (${SECRETS}).
"buttonwood config" prints the settings in effect.`;

/** Returns the settings as options; `serve` has no settings of the sandbox. */
export function settingOptions(isSandbox: boolean): Option[] {
  const taken = settings.filter(({ isSandboxOnly }) => isSandbox || !isSandboxOnly);
  return [
    FILE,
    ...taken.map((setting) => ({
      name: toFlag(setting.name),
      value: setting.value,
      ...(setting.isList === true ? { isRepeatable: true } : {}),
      help: `${setting.help}\n${[setting.variable, ...shownDefault(setting)].join(', ')}`,
    })),
  ];
}

/** Returns `default …` for a setting that has one. */
function shownDefault({ default: given, defaultIs }: Setting): string[] {
  const text = defaultIs ?? given;
  return text === undefined ? [] : [`default ${text}`];
}

/** Reads settings for a command. @throws CliError if a start would reject them */
export function readSettings<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new CliError(ExitCode.usage, 'CONFIG', error.message);
  }
}

/** Returns the settings among the given options. */
export function selectFlags(args: Arguments): Flags {
  const names = [CONFIG_FILE.flag, ...Object.keys(SETTINGS).map(toFlag)];
  return new Map(
    names.flatMap((name) => {
      const values = args.all(name);
      return values.length === 0 ? [] : [[name, values.join()] as const];
    }),
  );
}
