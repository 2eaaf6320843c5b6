import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { PNG } from 'pngjs';
import { describeWherePossible } from '../describe-where-possible.ts';
import { chromiumPath } from './browser.ts';
import { PICTURE_PAGES, type PicturePage } from './screenshots/pages.ts';
import { compare, readAccepted, report } from './screenshots/pictures.ts';
import { MAIN_SIZES, SIZES, Studio, THEMES, type Theme } from './screenshots/studio.ts';

/** Every page in both themes is compared with its accepted pictures. PICTURE_SIZES=all compares all sizes. */

const TIMEOUT_MS = 120_000;
const sizes = process.env.PICTURE_SIZES === 'all' ? SIZES : MAIN_SIZES;
/** A picture that differs is repeated, because the page may still have been drawing. */
const MAX_PICTURES = 10;

const problem = chromiumPath() === undefined ? 'Chromium is not installed' : undefined;
describeWherePossible('pictures', problem, 'install one or set CHROMIUM_PATH', () => {
  setDefaultTimeout(TIMEOUT_MS);
  const studio = new Studio();
  beforeAll(() => studio.open(), TIMEOUT_MS);
  afterAll(() => studio.close(), TIMEOUT_MS);

  test.each(PICTURE_PAGES.map((page) => [page.name, page] as const))('%s', async (name, page) => {
    const found = await Promise.all(THEMES.map((theme) => findDifferences(page, theme)));
    const differences = found.flat();
    if (differences.length === 0) return;
    const command = `npm run screenshots -- ${name}`;
    expect().fail(`${differences.join('\n')}\nIf the pages are right, accept them: ${command}`);
  });

  async function findDifferences(page: PicturePage, theme: Theme): Promise<string[]> {
    const differences: string[] = [];
    await studio.show(page, theme, sizes, async (size, take) => {
      const name = `${page.name}-${theme}-${size}`;
      const accepted = readAccepted(name);
      if (accepted === undefined) {
        differences.push(`${name}: there is no accepted picture.`);
        return;
      }
      let actual = PNG.sync.read(await take());
      let comparison = compare(actual, accepted);
      for (let taken = 1; taken < MAX_PICTURES && !comparison.isSame; taken++) {
        actual = PNG.sync.read(await take());
        comparison = compare(actual, accepted);
      }
      if (!comparison.isSame) differences.push(report(name, actual, accepted, comparison));
    });
    return differences;
  }
});
