/** Records made into text at a time: some milliseconds. */
const RECORDS_PER_TURN = 200;

/** The texts of many records, with commas between them; made in turns, so that other requests come in between. */
export async function textsInTurns<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
): Promise<string> {
  const texts: string[] = [];
  for (const item of items) {
    if (texts.length > 0 && texts.length % RECORDS_PER_TURN === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    texts.push(textOf(item));
  }
  return texts.join(',');
}
