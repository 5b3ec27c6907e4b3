/** What people call a browser, by what it says of itself; that itself where it is none that is known. */

/** The first that fits: most of them also claim to be those below. */
const browsers: readonly [name: string, says: RegExp][] = [
  ['Edge', /Edg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|Chromium|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari/],
];
const systems: readonly [name: string, says: RegExp][] = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
];

export function browserOf(userAgent: string): string {
  for (const [name, says] of browsers) {
    const version = says.exec(userAgent)?.[1];
    if (!version) continue;
    const system = systems.find(([, isIn]) => isIn.test(userAgent))?.[0];
    return [name, version, ...(system ? ['on', system] : [])].join(' ');
  }
  return userAgent || '–';
}
