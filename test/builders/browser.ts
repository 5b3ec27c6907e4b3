/** A browser as far as redirects and cookies go: at the application without a network, at every other site by it. */
import type { TestApp } from '../app.ts';

export interface Browser {
  /** Goes where it is sent until there is a page, or an address that is not to be gone to. Returns that address. */
  follow: (address: string, isEnough?: (address: string) => boolean) => Promise<{ location: string; status: number }>;
  /** What it would send to the application, in the place of a token; null where nobody is signed in. */
  session: () => string | null;
  /** What it keeps of the application under a name. */
  cookie: (name: string) => string | undefined;
}

const most = 12;

/** `site` is the address at which other sites know the application; without an application it is asked there. */
export function browserOf(application: TestApp | null, site: string): Browser {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: URL) => {
    const jar = jars.get(url.origin) ?? new Map<string, string>();
    jars.set(url.origin, jar);
    return jar;
  };
  const visit = async (url: URL) => {
    const jar = jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = cookie ? { cookie } : {};
    const app = url.origin === new URL(site).origin ? application?.app : undefined;
    const isOurs = app !== undefined;
    const answer = isOurs
      ? await app.inject({ method: 'GET', url: url.pathname + url.search, headers })
      : await fetch(url, { headers, redirect: 'manual' });
    const given = isOurs
      ? [(answer.headers as Record<string, string | string[]>)['set-cookie'] ?? []].flat()
      : (answer.headers as Headers).getSetCookie();
    for (const one of given) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(one)) jar.delete(name);
      else jar.set(name, value);
    }
    const location = isOurs
      ? (answer.headers as Record<string, string>)['location']
      : (answer.headers as Headers).get('location');
    return { status: 'statusCode' in answer ? answer.statusCode : answer.status, location };
  };
  return {
    follow: async (address, isEnough = at => at.startsWith('/app/')) => {
      for (let at = new URL(address), step = 0; step < most; step += 1) {
        const { status, location } = await visit(at);
        if (!location) return { location: at.href, status };
        if (isEnough(location)) return { location, status };
        at = new URL(location, at);
      }
      throw new Error(`${address} leads nowhere.`);
    },
    cookie: name => jars.get(new URL(site).origin)?.get(name),
    session: () => {
      const secret = jars.get(new URL(site).origin)?.get('terrane-session');
      return secret ? `session ${secret}` : null;
    },
  };
}
