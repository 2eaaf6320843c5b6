import { Namespaces, namespacesProblem } from './namespaces.ts';
import { Proxies } from './proxies.ts';

/** The network of a cluster: where its parts run, and the links between them. */
export interface Network {
  /** The address of the test itself, as the parts see it. */
  readonly harness: string;
  /** Whether links can be slow. */
  readonly canDelay: boolean;
  /** Returns the address of a part, which the test reaches regardless of the links. */
  address(part: string): string;
  /** The beginning of a command line that becomes the rest of it, where the part is. */
  within(part: string): readonly string[];
  /** @returns Where part `from` finds a port of part `to`, as `host:port`. */
  way(from: string, to: string, port: number): Promise<string>;
  /** Returns the link between two parts, in both directions. */
  links(one: string, other: string): readonly Link[];
  /** Once all has ended that ran within. */
  close(): void;
}

/** A link between two parts, which can fail. */
export interface Link {
  /** Nothing passes. A proxy ends what is connected, and what is to be; packets are lost, both ways. */
  cut(): void;
  /** A proxy buffers the data and leaves connections open; in namespaces the packets of one direction are lost. */
  hold(): void;
  /** Lets everything through so much later. */
  delay?(delayMs: number): void;
  repair(): void;
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
