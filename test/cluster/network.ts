import { Namespaces, namespacesProblem } from './namespaces.ts';
import { Proxies } from './proxies.ts';

/** Where the parts of a cluster run, and the ways between them. */
export interface Network {
  /** Where the test itself comes from, as the parts see it. */
  readonly harness: string;
  /** Whether links can be slow. */
  readonly canDelay: boolean;
  /** Where a part listens. The test reaches it there, whatever became of the links. */
  addressOf(part: string): string;
  /** The beginning of a command line that becomes the rest of it, where the part is. */
  within(part: string): readonly string[];
  /** @returns Where part `from` finds a port of part `to`, as `host:port`. */
  way(from: string, to: string, port: number): Promise<string>;
  /** What the ways between two parts, both ways, can be harmed by. */
  links(one: string, other: string): readonly Link[];
  /** Once all has ended that ran within. */
  close(): void;
}

/** What leads from one part to another, which can fail as such things do. */
export interface Link {
  /** Nothing passes. A proxy ends what is connected, and what is to be; packets are lost, both ways. */
  cut(): void;
  /** A proxy keeps what comes for later, and tells nobody; the packets of one way are lost, the others come. */
  hold(): void;
  /** Lets everything through so much later. */
  delay?(delayMs: number): void;
  mend(): void;
}

export const LINKS = ['proxies', 'namespaces'] as const;

/**
 * @param links Undefined for namespaces where they can be had.
 * @throws where namespaces are asked for and cannot be had
 */
export function makeNetwork(
  parts: readonly string[],
  links: (typeof LINKS)[number] | undefined,
  say: (line: string) => void,
): Network {
  const problem = links === 'proxies' ? 'as asked for' : namespacesProblem();
  if (problem === undefined) {
    say('Links are of network namespaces, and lose packets');
    return Namespaces.make(parts);
  }
  if (links === 'namespaces') throw new Error(`No network namespaces: ${problem}`);
  say(`Links are TCP proxies: ${problem}`);
  return new Proxies();
}
