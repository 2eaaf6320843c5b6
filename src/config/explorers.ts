import { z } from 'zod';

/** Addresses of block explorers by the name of the network, with PLACEHOLDER for the id of a transaction. */
export type Explorers = ReadonlyMap<string, string>;

const PLACEHOLDER = '{transaction}';
const ENTRY = /^([a-z0-9][a-z0-9-]{0,31})=(\S+)$/;

export const explorersSchema = z
  .string()
  .transform((given, context): Explorers => {
    const parts = given.split(/[\s,]+/).filter((part) => part !== '');
    const entries = parts.map(readEntry);
    const valid = entries.filter((entry) => entry !== undefined);
    const explorers = new Map(valid);
    if (valid.length === parts.length && explorers.size === parts.length) return explorers;
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  })
  .describe(
    `a list of NETWORK=URL, each of another network, with an https URL whose path or query contains ${PLACEHOLDER}, such as ` +
      `bitcoin=https://explorer.example/tx/${PLACEHOLDER}`,
  );

function readEntry(text: string): readonly [network: string, url: string] | undefined {
  const match = ENTRY.exec(text);
  return match !== null && isExplorer(match[2]!) ? [match[1]!, match[2]!] : undefined;
}

/** Returns whether a transaction can change only the path, query or fragment: pages link to the address. */
function isExplorer(text: string): boolean {
  if (text.split(PLACEHOLDER).length !== 2) return false;
  const url = URL.parse(text.replace(PLACEHOLDER, 'a'));
  const other = URL.parse(text.replace(PLACEHOLDER, 'b'));
  return (
    url?.protocol === 'https:' &&
    url.origin === other?.origin &&
    url.username === '' &&
    url.password === ''
  );
}
