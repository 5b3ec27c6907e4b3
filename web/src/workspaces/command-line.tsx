/** How a command line comes to work in a workspace: it is let in, and its configuration names the place. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { commandLine as text } from '../texts/workspace.ts';
import { CodeBlock } from '../ui/copy.tsx';
import { asCloudBlock } from './new-draft.ts';

export function CommandLine({ organization, name }: { organization: string; name: string }) {
  const { protocol, host } = window.location;
  return (
    <ol className="command-line">
      <li>{protocol === 'https:' ? <LogIn host={host} /> : <PlainHttp />}</li>
      <li>
        <p>{text.add}</p>
        <CodeBlock text={asCloudBlock(organization, { name }, host)} label={text.block} />
      </li>
    </ol>
  );
}

function LogIn({ host }: { host: string }) {
  return (
    <>
      <p>{text.login}</p>
      <CodeBlock text={`terraform login ${host}`} label={text.loginBlock} />
    </>
  );
}

/** Command lines look for what a server offers by https alone, so that it has to be named to them. */
function PlainHttp() {
  const { origin, host } = window.location;
  const { data } = useQuery({
    queryKey: ['discovery'],
    queryFn: async () => (await (await fetch('/.well-known/terraform.json')).json()) as Record<string, unknown>,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const services = Object.entries(data ?? {}).filter(([, path]) => typeof path === 'string');
  const lines = [
    `host "${host}" {`,
    '  services = {',
    ...services.map(([service, path]) => `    "${service}" = "${origin}${path}"`),
    '  }',
    '}',
    `credentials "${host}" {`,
    `  token = "${text.tokenHere}"`,
    '}',
  ];
  return (
    <>
      <p>
        {text.plain}{' '}
        <Link className="link" to={paths.account('tokens')}>
          {text.makeToken}
        </Link>
      </p>
      <CodeBlock text={lines.join('\n')} label={text.plainBlock} />
    </>
  );
}
