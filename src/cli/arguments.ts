import type { CreateKeyParameters } from '../client/index.ts';
import type { Positional } from './forms.ts';

type Permissions = CreateKeyParameters['permissions'];

/** The arguments and options of a command, as the parser (`program.ts`) read and checked them. */
export class Arguments {
  /**
   * @param positionals Values by their name in the help, such as `ACCOUNT`; only names that end with `...` have several.
   * @param options Values by option name without dashes; a switch has none.
   */
  constructor(
    private readonly positionals: ReadonlyMap<string, readonly string[]>,
    private readonly options: ReadonlyMap<string, readonly string[]>,
  ) {}

  has(option: string): boolean {
    return this.options.has(option);
  }

  option(name: string): string | undefined {
    return this.options.get(name)?.[0];
  }

  /** Returns the value of an option that the command requires. */
  required(name: string): string {
    return this.option(name)!;
  }

  /** Returns all values of a repeatable option. */
  all(name: string): readonly string[] {
    return this.options.get(name) ?? [];
  }

  positional(name: Positional): string {
    return this.positionals.get(name)![0]!;
  }

  /** Returns all values of an argument that may be repeated. */
  allPositionals(name: Positional): readonly string[] {
    return this.positionals.get(name)!;
  }

  /** Returns an option whose form is a whole number, undefined if it is not given. */
  integer(name: string): number | undefined {
    const text = this.option(name);
    return text === undefined ? undefined : Number(text);
  }

  /** Returns the permissions in the required option of that name. */
  permissions(): Permissions {
    return this.required('permissions').split(',') as unknown as Permissions;
  }
}
