/**
 * Returns a function that makes a value at its first call and keeps it. After a failure the next call tries again,
 * because the cause may be temporary, such as a lack of file descriptors.
 */
export function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
