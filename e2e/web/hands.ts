/** What somebody does with a pointer, by the names that they read. */
import type { Page } from 'playwright-core';

export async function press(page: Page, name: RegExp): Promise<void> {
  const target = inFront(page).getByRole('button', { name }).or(inFront(page).getByRole('link', { name })).first();
  // What may not be done is dashed, and pressed to read why: no reason to wait until it can be.
  await target.click({ force: (await target.getAttribute('aria-disabled')) === 'true' });
}

/** Puts a text in the place of what stands in a field. */
export const write = (page: Page, label: RegExp, text: string): Promise<void> =>
  inFront(page).getByLabel(label).first().fill(text);

/** Takes an option in a field that offers some. */
export async function pick(page: Page, label: RegExp, option: string): Promise<void> {
  await inFront(page).getByLabel(label).first().click();
  await page.getByRole('option', { name: option, exact: true }).click();
  // Beside the field: what it offers lies over what comes next, until somebody clicks elsewhere.
  await inFront(page).getByRole('heading').first().click();
}

/** What is in a dialog is meant where there is one. */
function inFront(page: Page) {
  const dialogs = '[role=dialog]:visible, [role=alertdialog]:visible';
  return page.locator(`${dialogs}, body:not(:has([role=dialog], [role=alertdialog]))`).last();
}
