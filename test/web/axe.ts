import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

/**
 * Returns the violations that axe-core finds, one per line. In dark mode only color contrast is checked.
 * @param within Selector of the part to check, if the rest has been checked before.
 */
export async function axeFindings(page: Page, within = ':root'): Promise<string[]> {
  const inLight = await findings(page, within, {});
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await findings(page, within, { runOnly: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...inLight, ...inDark];
}

async function findings(page: Page, within: string, rules: object): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${AXE};0`);
  // Nothing to preload: no page has frames, videos or external style sheets.
  const options = { ...rules, resultTypes: ['violations'], preload: false, iframes: false };
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' | ')}`,
  );
}
