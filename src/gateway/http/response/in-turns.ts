/** Number of records formatted per turn of the event loop, which takes a few milliseconds. */
const RECORDS_PER_TURN = 200;

/** Formats many records, joined by commas. Yields to the event loop regularly, so that other requests are served. */
export async function formatInTurns<Item>(
  items: readonly Item[],
  format: (item: Item) => string,
): Promise<string> {
  const texts: string[] = [];
  for (const item of items) {
    if (texts.length > 0 && texts.length % RECORDS_PER_TURN === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    texts.push(format(item));
  }
  return texts.join(',');
}
