/** What a narrow screen owes: everything that the wide one offers, and nothing beyond its edges. */
import type { Page } from 'playwright-core';

/** Shared by what is evaluated in the page. */
const looking = `
  const main = document.querySelector('main');
  const isSeen = one => one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !one.closest('.hidden-text, .skip');
  const nameOf = one =>
    (one.getAttribute('aria-label') || [...(one.labels ?? [])].map(label => label.textContent).join(' ') || one.textContent || one.placeholder || '')
      .replace(/\\s+/g, ' ').trim();
  const controls = [...main.querySelectorAll('a[href], button, input, select, textarea, summary, [role=tab], [role=switch]')].filter(isSeen);`;

/** The names of what can be pressed or written in, below the bars. What is about columns is left out: a list has none. */
export async function actsOf(page: Page): Promise<string[]> {
  return (await page.evaluate(`(() => {${looking}
    return [...new Set(controls.filter(one => !one.closest('thead')).map(nameOf))].filter(name => name !== 'Columns');
  })()`)) as string[];
}

/**
 * What stands beyond the edges of the window where nobody can bring it, or is cut by what stands round it. A text that ends
 * in three dots is not cut where the whole of it is told elsewhere; what is typed and code may be scrolled sideways.
 */
export async function cutIn(page: Page): Promise<string[]> {
  return (await page.evaluate(`(() => {${looking}
    const found = [];
    const tell = (what, one) => found.push(what + ': ' + one.tagName.toLowerCase() + '.' + one.className + ' ' + nameOf(one).slice(0, 60));
    const isScrolled = one => {
      for (let at = one.parentElement; at && at !== document.body; at = at.parentElement)
        if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return true;
      return false;
    };
    const extra = document.documentElement.scrollWidth - innerWidth;
    if (extra > 0) found.push('the page is ' + extra + ' px wider than the window');
    for (const one of controls) {
      const { left, right, width } = one.getBoundingClientRect();
      if (width > 0 && (left < -0.5 || right > innerWidth + 0.5) && !isScrolled(one)) tell('beyond the edge', one);
    }
    for (const one of main.querySelectorAll('*:not(input, textarea, .mantine-Switch-track)')) {
      if (!isSeen(one) || one.scrollWidth <= one.clientWidth + 1 || one.clientWidth === 0) continue;
      const { overflowX, textOverflow } = getComputedStyle(one);
      if (overflowX !== 'hidden' && overflowX !== 'clip') continue;
      if (textOverflow === 'ellipsis' && (one.title || one.closest('[title]') || one.querySelector('[title]') || one.matches('a, button'))) continue;
      tell('cut', one);
    }
    return found;
  })()`)) as string[];
}
