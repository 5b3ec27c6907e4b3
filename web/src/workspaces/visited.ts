/** The workspaces visited last in this browser, for the palette. */
const key = (organization: string) => `terrane.visited.${organization}`;
const most = 6;

export function visitedWorkspaces(organization: string): string[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(key(organization)) ?? '[]');
    return Array.isArray(names) ? names.filter(name => typeof name === 'string').slice(0, most) : [];
  } catch {
    return [];
  }
}

export function rememberWorkspace(organization: string, name: string): void {
  const names = [name, ...visitedWorkspaces(organization).filter(other => other !== name)].slice(0, most);
  localStorage.setItem(key(organization), JSON.stringify(names));
}
