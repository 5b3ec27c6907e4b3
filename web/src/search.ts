/** The part of an address after the question mark, as people write it: names, values, and a list as a repeated name. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const search: Record<string, string | string[]> = {};
  const parameters = new URLSearchParams(text);
  for (const key of new Set(parameters.keys())) {
    const values = parameters.getAll(key);
    search[key] = values.length === 1 ? values[0]! : values;
  }
  return search;
}

export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (value === undefined || value === null || value === '' || key === 'dropped') continue;
    for (const part of Array.isArray(value) ? value : [value]) parameters.append(key, String(part));
  }
  // What people read in an address is not escaped where it need not be.
  const text = parameters.toString().replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%2F', '/');
  return text ? `?${text}` : '';
}
