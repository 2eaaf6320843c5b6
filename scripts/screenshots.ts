/**
 * npm run screenshots [-- NAME]
 *
 * Accepts the pages as they are now: writes the pictures in test/web/pictures that differ, of all pages or of those whose
 * name begins with NAME, and the picture of the README.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { PICTURE_PAGES } from '../test/web/screenshots/pages.ts';
import { ACCEPTED, accept, compare, readAccepted } from '../test/web/screenshots/pictures.ts';
import { SIZES, Studio, THEMES, type Theme, takeStable } from '../test/web/screenshots/studio.ts';

const README_PICTURE = 'trade-dark-1440x900';

const wanted = process.argv[2] ?? '';
const pages = PICTURE_PAGES.filter(({ name }) => name.startsWith(wanted));
if (pages.length === 0) throw new Error(`No page's name begins with ${wanted}`);
const count = { written: 0, same: 0 };
const studio = new Studio();
try {
  await studio.open();
  await Promise.all(THEMES.map(acceptAll));
} finally {
  await studio.close();
}
console.log(`${count.written} pictures written, ${count.same} as before`);

async function acceptAll(theme: Theme): Promise<void> {
  for (const page of pages) {
    await studio.show(page, theme, SIZES, async (size, take) => {
      const name = `${page.name}-${theme}-${size}`;
      const picture = PNG.sync.read(await takeStable(take));
      const accepted = readAccepted(name);
      if (accepted !== undefined && compare(picture, accepted).isSame) {
        count.same++;
        return;
      }
      accept(name, picture);
      count.written++;
      console.log(name);
      if (name !== README_PICTURE) return;
      const copy = join(import.meta.dir, '../docs/screenshots/trade-dark.png');
      copyFileSync(join(ACCEPTED, `${name}.png`), copy);
    });
  }
}
