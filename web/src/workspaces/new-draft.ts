/** What somebody has typed into the form, and the same as a request, as Terraform and as a cloud block. */
import type { BodyOf } from '../api/client.ts';
import { bindingOf } from './workspaces.ts';

export interface Draft {
  name: string;
  description: string;
  projectId: string | null;
  projectName: string | null;
  tags: string;
  mode: 'inherit' | 'remote' | 'agent' | 'local';
  agentPoolId: string | null;
  version: string;
  directory: string;
  autoApply: boolean;
}

export const emptyDraft: Draft = {
  name: '',
  description: '',
  projectId: null,
  projectName: null,
  tags: '',
  mode: 'inherit',
  agentPoolId: null,
  version: '',
  directory: '',
  autoApply: false,
};

export const bindingsOf = (tags: string) =>
  tags
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(bindingOf);

/** Only what was said; everything else the server decides. */
type Body = BodyOf<'/organizations/{organization_name}/workspaces', 'post'>;

export function bodyOf(draft: Draft): { data: Body } {
  const bindings = bindingsOf(draft.tags);
  const relationships = {
    ...(draft.projectId && { project: { data: { type: 'projects' as const, id: draft.projectId } } }),
    ...(bindings.length > 0 && {
      'tag-bindings': { data: bindings.map(attributes => ({ type: 'tag-bindings' as const, attributes })) },
    }),
  };
  return {
    data: {
      type: 'workspaces',
      attributes: {
        name: draft.name,
        ...(draft.description && { description: draft.description }),
        ...(draft.mode !== 'inherit' && { 'execution-mode': draft.mode }),
        ...(draft.mode === 'agent' && draft.agentPoolId && { 'agent-pool-id': draft.agentPoolId }),
        ...(draft.version && { 'engine-version': draft.version }),
        ...(draft.directory && { 'working-directory': draft.directory }),
        ...(draft.autoApply && { 'auto-apply': true }),
      },
      ...(Object.keys(relationships).length > 0 && { relationships }),
    },
  };
}

export function asRequest(organization: string, draft: Draft): string {
  const body = JSON.stringify(bodyOf(draft), null, 2).replaceAll("'", "'\\''");
  return [
    `curl "$TERRANE/api/v2/organizations/${organization}/workspaces" \\`,
    `  -H "Authorization: Bearer $TOKEN" \\`,
    `  -H "Content-Type: application/vnd.api+json" \\`,
    `  -d '${body}'`,
  ].join('\n');
}

export function asTerraform(organization: string, draft: Draft): string {
  const quote = (text: string) => JSON.stringify(text).replaceAll('${', '$${').replaceAll('%{', '%%{');
  const bindings = bindingsOf(draft.tags);
  const lines: [string, string][] = [
    ['name', quote(draft.name)],
    ['organization', quote(organization)],
  ];
  if (draft.projectId) lines.push(['project_id', quote(draft.projectId)]);
  if (draft.description) lines.push(['description', quote(draft.description)]);
  if (draft.version) lines.push(['terraform_version', quote(draft.version)]);
  if (draft.directory) lines.push(['working_directory', quote(draft.directory)]);
  if (draft.autoApply) lines.push(['auto_apply', 'true']);
  const width = Math.max(...lines.map(([key]) => key.length));
  const resource = (draft.name || 'this').replaceAll('-', '_');
  const body = lines.map(([key, value]) => `  ${key.padEnd(width)} = ${value}`);
  if (bindings.length > 0)
    body.push('  tags = {', ...bindings.map(({ key, value }) => `    ${quote(key)} = ${quote(value)}`), '  }');
  const text = [`resource "tfe_workspace" "${resource}" {`, ...body, '}'];
  if (draft.mode !== 'inherit')
    text.push(
      '',
      `resource "tfe_workspace_settings" "${resource}" {`,
      `  workspace_id   = tfe_workspace.${resource}.id`,
      `  execution_mode = ${quote(draft.mode)}`,
      ...(draft.mode === 'agent' && draft.agentPoolId ? [`  agent_pool_id  = ${quote(draft.agentPoolId)}`] : []),
      '}',
    );
  return text.join('\n');
}

export function asCloudBlock(organization: string, { name }: Pick<Draft, 'name'>, host: string): string {
  return [
    'terraform {',
    '  cloud {',
    `    hostname     = "${host}"`,
    `    organization = "${organization}"`,
    `    workspaces { name = "${name}" }`,
    '  }',
    '}',
  ].join('\n');
}
