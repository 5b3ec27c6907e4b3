/** …/teams/<id>/settings: name, visibility, tokens, and the end of it. */
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, type Changed } from '../api/client.ts';
import { paths } from '../paths.ts';
import { teams as text } from '../texts/teams.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Card } from '../ui/parts.tsx';
import { RecordForm } from '../ui/record-form.tsx';
import { readAgain } from '../ui/saving.tsx';
import { TypedName } from '../ui/typed-name.tsx';
import { useTeam } from './layout.tsx';
import { teamQuery, teamsChanged, updateTeam } from './teams.ts';

export function TeamSettingsScreen() {
  const { organization, id, query } = useTeam();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  if (!query.data) return null;
  const { attributes } = query.data.data;
  const { permissions } = attributes;
  const remove = async () => {
    await answer(api.DELETE('/teams/{team_id}', { params: { path: { team_id: id } } }));
    await navigate({ to: paths.teams(organization) });
    void teamsChanged();
  };
  return (
    <Card title={text.tabs.settings}>
      <RecordForm
        values={attributes}
        read={() => readAgain(teamQuery(id))}
        save={(changes: Changed<'teams'>, meant) => updateTeam(id, changes, meant)}
        mayChange={permissions['can-update-visibility'] ?? false}
        whyNot={text.noChange}
        fields={[
          { key: 'name', label: text.name, hint: text.nameHint, kind: 'text' },
          {
            key: 'visibility',
            label: text.visibility,
            hint: text.visibilityHints[attributes.visibility],
            kind: 'choice',
            options: [
              { value: 'secret', label: text.secret },
              { value: 'organization', label: text.visible },
            ],
          },
          { key: 'allow-member-token-management', label: text.allowTokens, kind: 'switch' },
          { key: 'sso-team-id', label: text.ssoId, hint: text.ssoHint, kind: 'text', isNullable: true, isMono: true },
        ]}
      >
        {permissions['can-destroy'] && attributes.name !== 'owners' && (
          <div>
            <Button variant="danger-outline" onClick={() => setOpen(true)}>
              {text.delete}
            </Button>
          </div>
        )}
      </RecordForm>
      <Dialog
        danger
        title={text.deleteTitle(attributes.name)}
        opened={isOpen}
        onClose={() => setOpen(false)}
        submit={text.deleteSubmit}
        submitDisabled={typed !== attributes.name}
        onSubmit={remove}
      >
        <p>{text.deleteEnds(attributes['users-count'])}</p>
        <TypedName name={attributes.name} value={typed} onChange={setTyped} />
      </Dialog>
    </Card>
  );
}
