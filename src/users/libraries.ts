import { SpareDescriptors } from '../storage/spare-descriptors.ts';

/** Loading the largest of them takes six at a time. */
const SPARES = 16;
const spares = new SpareDescriptors(SPARES);

/**
 * A library that is loaded when it is first asked for: those of people take a quarter of a second, and most
 * sandboxes need none. Where connections have taken all descriptors, Bun takes what it looks for as missing
 * from then on, or ends the process: so it loads in the place of spare ones, all at once, and no connection comes
 * between.
 * @param load Calls `require`, for `import` waits.
 */
export function library<Library>(load: () => Library): () => Library {
  let loaded: Library | undefined;
  return () => {
    loaded ??= spares.lend(load);
    return loaded;
  };
}
