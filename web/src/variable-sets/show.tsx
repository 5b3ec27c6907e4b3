/** /<org>/variable-sets/<id>: its variables, what it applies to, and its settings. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, type Changed, documentOf } from '../api/client.ts';
import { organizationQuery } from '../organizations/organizations.ts';
import { paths } from '../paths.ts';
import { sets as text } from '../texts/account.ts';
import { Act } from '../ui/act.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Card, PageHead } from '../ui/parts.tsx';
import { RecordForm } from '../ui/record-form.tsx';
import { readAgain } from '../ui/saving.tsx';
import { Places } from './places.tsx';
import { changed, setQuery } from './sets.ts';
import { SetVariables } from './variables.tsx';

export function VariableSetScreen() {
  const { organization, set: id } = useParams({ strict: false }) as { organization: string; set: string };
  const query = useQuery(setQuery(id));
  const { data: found } = useQuery(organizationQuery(organization));
  const mayChange = found?.data.attributes.permissions['can-update'] ?? false;
  const [isLeaving, setLeaving] = useState(false);
  const navigate = useNavigate();
  const at = { params: { path: { variable_set_id: id } } };
  const remove = async () => {
    await answer(api.DELETE('/varsets/{variable_set_id}', at));
    await navigate({ to: paths.variableSets(organization) });
    await changed();
  };
  return (
    <Loaded query={query}>
      {document => {
        const { attributes } = document.data;
        return (
          <>
            <PageHead title={attributes.name} />
            <div className="stack">
              <SetVariables id={id} mayChange={mayChange} />
              {!attributes.global && (
                <>
                  <Places organization={organization} id={id} kind="workspaces" mayChange={mayChange} />
                  <Places organization={organization} id={id} kind="projects" mayChange={mayChange} />
                </>
              )}
              <Card title={text.settings}>
                <RecordForm
                  values={attributes}
                  read={() => readAgain(setQuery(id))}
                  save={async (given: Changed<'varsets'>, meant) => {
                    await answer(
                      api.PATCH('/varsets/{variable_set_id}', {
                        ...at,
                        ...meant,
                        body: documentOf('varsets', given),
                      }),
                    );
                    await changed();
                  }}
                  mayChange={mayChange}
                  whyNot={text.whyNot}
                  fields={[
                    { key: 'name', label: text.name, kind: 'text' },
                    { key: 'description', label: text.description, kind: 'lines' },
                    { key: 'global', label: text.global, kind: 'switch' },
                    { key: 'priority', label: text.priority, kind: 'switch' },
                  ]}
                >
                  <div>
                    <Act
                      variant="danger-outline"
                      allowed={mayChange}
                      missing={{
                        act: 'delete this variable set',
                        permission: 'can-update',
                        organization,
                        wish: { type: 'organizations', id: organization, action: 'manage-variable-sets' },
                      }}
                      onClick={() => setLeaving(true)}
                    >
                      {text.delete}
                    </Act>
                  </div>
                </RecordForm>
              </Card>
            </div>
            <Dialog
              danger
              title={text.deleteTitle(attributes.name)}
              opened={isLeaving}
              onClose={() => setLeaving(false)}
              submit={text.deleteSubmit}
              onSubmit={remove}
            >
              <p>{text.deleteDetail}</p>
            </Dialog>
          </>
        );
      }}
    </Loaded>
  );
}
