import { ReservedDescriptors } from '../../storage/reserved-descriptors.ts';

/** Loading the largest library takes six descriptors at a time. */
const RESERVED = 16;
const reserved = new ReservedDescriptors(RESERVED);

/**
 * Returns a function that loads a library when first called: these libraries take a quarter of a second, and
 * most sandboxes need none of them. If connections use up all file descriptors, Bun treats the library's files
 * as missing from then on, or exits. So the library is loaded synchronously with reserved descriptors.
 * @param load Calls `require`, because `import` is asynchronous.
 */
export function library<Library>(load: () => Library): () => Library {
  let loaded: Library | undefined;
  return () => {
    loaded ??= reserved.openSeveral(load);
    return loaded;
  };
}
