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
  /** Returns a command prefix that runs the rest of the command line in the part. */
  within(part: string): readonly string[];
  /** Returns the `host:port` at which part `from` reaches a port of part `to`. */
  way(from: string, to: string, port: number): Promise<string>;
  /** Returns the link between two parts, in both directions. */
  links(one: string, other: string): readonly Link[];
  /** Call this after all processes in the parts have ended. */
  close(): void;
}

/** A link between two parts, which can fail. */
export interface Link {
  /** Blocks both directions. A proxy ends its connections and new ones; in namespaces packets are lost. */
  cut(): void;
  /** A proxy buffers the data and leaves connections open; in namespaces the packets of one direction are lost. */
  hold(): void;
  /** Delays all data. */
  delay?(delayMs: number): void;
  repair(): void;
}

export const LINKS = ['proxies', 'namespaces'] as const;

/**
 * @param links Undefined for namespaces if they are available.
 * @throws Error if namespaces are requested and unavailable
 */
export function makeNetwork(
  parts: readonly string[],
  links: (typeof LINKS)[number] | undefined,
  say: (line: string) => void,
): Network {
  const problem = links === 'proxies' ? 'as requested' : namespacesProblem();
  if (problem === undefined) {
    say('Links are of network namespaces, and lose packets');
    return Namespaces.make(parts);
  }
  if (links === 'namespaces') throw new Error(`No network namespaces: ${problem}`);
  say(`Links are TCP proxies: ${problem}`);
  return new Proxies();
}
