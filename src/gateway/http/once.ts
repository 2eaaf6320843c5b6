/**
 * Makes something when it is first asked for, and keeps it. What failed is made anew for who asks next:
 * the reason may be gone, such as descriptors that connections had taken.
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
