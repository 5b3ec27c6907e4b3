/** What a repository leaves behind in an organization: a push that was told of, what followed, and the status of its commit. */
import { createHmac } from 'node:crypto';
import { workOffClaims } from '../../src/core/claims.ts';
import { repositoryEvents } from '../../src/runs/repository-events/work-off.ts';
import { keepReadme } from '../../src/workspaces/readmes/workspace-readme.ts';
import type { TestApp } from '../app.ts';
import { bodyOf, type TestOrganization } from '../builders/records.ts';
import { move, run } from '../builders/run.ts';

/** `ids` names a connection to a host, and a workspace that is linked through it to `acme/<marker>`. */
export async function addRepository(
  app: TestApp,
  home: TestOrganization,
  marker: string,
  ids: { oauthClient: string; agents: string },
): Promise<void> {
  const { token } = home.owner;
  const { data } = await app.post(`oauth-clients/${ids.oauthClient}/actions/rotate-webhook-secret`, token);
  await app.patch(`workspaces/${ids.agents}`, token, bodyOf('workspaces', { 'queue-all-runs': true }));
  const sha = 'c'.repeat(40);
  const raw = JSON.stringify({
    ref: 'refs/heads/main',
    before: 'b'.repeat(40),
    after: sha,
    repository: { full_name: `acme/${marker}`, default_branch: 'main' },
    head_commit: { id: sha, message: `Commit of ${marker}`, url: 'https://github.com/acme' },
    commits: [],
  });
  const signature = createHmac('sha256', data.attributes.secret).update(raw).digest('hex');
  const headers = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signature}` };
  const taken = await app.call('POST', `/webhooks/vcs/${ids.oauthClient}`, { raw, headers });
  if (taken.status !== 202) throw new Error(`A push was answered ${taken.status}: ${taken.text}`);
  await workOffClaims(repositoryEvents(() => ({ store: app.store, config: app.config })));
  await addCommitStatus(app, home, marker, ids.agents, sha);
  await app.store.transaction(sql => keepReadme(sql, ids.agents, `# The net of ${marker}`));
}

/** As if the content had been fetched, and its run had begun. */
async function addCommitStatus(app: TestApp, home: TestOrganization, marker: string, workspaceId: string, sha: string) {
  const given = { message: `Pull request of ${marker}`, plan_only: true };
  const id = await run(app, home, workspaceId, given, { source: 'tfe-configuration-version' });
  const sql = app.store.read;
  await sql`
    update configuration_versions
    set auto_queue_runs = true, ingress_attributes = ${sql.json({ identifier: `acme/${marker}`, 'commit-sha': sha })}::jsonb
    from runs
    where runs.id = ${id} and configuration_versions.id = runs.configuration_version_id`;
  await move(app, id, 'planning', 'planned_and_finished');
}
