import { exactNumber } from '../../client/exact-number.ts';
import { type Command, CommandKind } from '../../engine/command.ts';
import type { State } from '../../engine/state.ts';

/** Returns a command of the log with names in place of indexes, for JSON. */
export function describeCommand({ kind, ...parts }: Command, state: State) {
  const kindName = Object.entries(CommandKind).find(([, number]) => number === kind)![0];
  return { kind: kindName, ...describeParts(parts, state) } as Record<string, unknown>;
}

function describeParts(parts: object, state: State): Record<string, unknown> {
  const names: Record<string, (index: number) => string | undefined> = {
    account: (index) => state.accounts[index]?.id,
    owner: (index) => state.accounts[index]?.id,
    key: (index) => state.keys[index]?.apiKey,
    market: (index) => state.markets[index]?.symbol,
    asset: (index) => state.assets[index]?.asset,
  };
  const described = Object.entries(parts).map(([name, value]): [string, unknown] => {
    if (typeof value === 'number' && Object.hasOwn(names, name)) {
      return [name, names[name]!(value) ?? null];
    }
    return [name, describeValue(value, state)];
  });
  return Object.fromEntries(described);
}

function describeValue(value: unknown, state: State): unknown {
  if (typeof value === 'bigint') return exactNumber(String(value));
  if (value instanceof Uint8Array) return value.toHex();
  if (Array.isArray(value)) return value.map((each) => describeValue(each, state));
  if (typeof value !== 'object' || value === null) return value;
  return 'kind' in value ? describeCommand(value as Command, state) : describeParts(value, state);
}
