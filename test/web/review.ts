import type { Page } from 'playwright-core';

/** Gives the reason that the review of changes asks for, and applies them. @param shown Texts that the review must have */
export async function applyReviewed(page: Page, ...shown: readonly string[]): Promise<void> {
  const review = page.getByRole('dialog').filter({ has: page.locator('.change-list') });
  for (const text of shown) await review.getByRole('row', { name: text }).waitFor();
  await review.getByLabel('Reason').fill('asked by a market maker');
  await review.getByRole('button', { name: 'Apply changes' }).click();
}
