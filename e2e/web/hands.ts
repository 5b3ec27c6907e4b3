/** What somebody does with a pointer, or by the keyboard alone, by the names that they read. */
import type { Locator, Page } from 'playwright-core';

export interface Hands {
  press: (page: Page, name: RegExp) => Promise<void>;
  /** Puts a text in the place of what stands in a field. */
  write: (page: Page, label: RegExp, text: string) => Promise<void>;
  /** Takes an option in a field that offers some. */
  pick: (page: Page, label: RegExp, option: string) => Promise<void>;
}

const pressable = (page: Page, name: RegExp): Locator =>
  inFront(page)
    .getByRole('button', { name })
    .or(inFront(page).getByRole('link', { name }))
    .or(inFront(page).getByRole('menuitem', { name }))
    .or(inFront(page).getByRole('checkbox', { name }))
    .or(inFront(page).getByRole('switch', { name }))
    .first();

const field = (page: Page, label: RegExp): Locator => inFront(page).getByLabel(label).first();

export const pointer: Hands = {
  press: async (page, name) => {
    const target = pressable(page, name);
    // What may not be done is dashed, and pressed to read why: no reason to wait until it can be.
    await target.click({ force: (await target.getAttribute('aria-disabled')) === 'true' });
  },
  write: (page, label, text) => field(page, label).fill(text),
  pick: async (page, label, option) => {
    await field(page, label).click();
    await page.getByRole('option', { name: option, exact: true }).click();
    // Beside the field: what it offers lies over what comes next, until somebody clicks elsewhere.
    await inFront(page).getByRole('heading').first().click();
  },
};

export const keyboard: Hands = {
  press: async (page, name) => {
    const target = pressable(page, name);
    await reach(page, target);
    const isBox = (await target.getAttribute('type')) === 'checkbox';
    await page.keyboard.press(isBox ? 'Space' : 'Enter');
  },
  write: async (page, label, text) => {
    await reach(page, field(page, label));
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
  },
  pick: async (page, label, option) => {
    await reach(page, field(page, label));
    if ((await page.getByRole('option').count()) === 0) await page.keyboard.press('ArrowDown');
    const wanted = page.getByRole('option', { name: option, exact: true });
    await wanted.waitFor();
    const isChosen = async () => (await wanted.getAttribute('data-combobox-selected')) !== null;
    for (let step = 0; step < mostSteps && !(await isChosen()); step += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    // Of a field for several: what it offers stays open until it is left.
    await page.keyboard.press('Tab');
  },
};

export const { press, write, pick } = pointer;

const mostSteps = 250;

declare const document: { activeElement: { compareDocumentPosition: (other: unknown) => number } | null };
const hasFocus = (one: unknown) => one === document.activeElement;
/** 2: it stands before; one that contains it, such as the page itself, says 8 with it. */
const isBeforeFocus = (one: unknown) => (document.activeElement?.compareDocumentPosition(one) ?? 0) === 2;

/** Presses Tab, or Shift and Tab to what stands before, in menus the arrow, until it has the focus; refuses to go round for ever. */
export async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const isInMenu = (await target.getAttribute('role')) === 'menuitem';
  const key = isInMenu ? 'ArrowDown' : (await target.evaluate(isBeforeFocus)) ? 'Shift+Tab' : 'Tab';
  for (let step = 0; step < mostSteps; step += 1) {
    if (await target.evaluate(hasFocus)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${target} cannot be reached by the keyboard`);
}

/** What is in a dialog is meant where there is one. */
function inFront(page: Page): Locator {
  const dialogs = '[role=dialog]:visible, [role=alertdialog]:visible';
  return page.locator(`${dialogs}, body:not(:has([role=dialog], [role=alertdialog]))`).last();
}
