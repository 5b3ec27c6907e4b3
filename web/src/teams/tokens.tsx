/** …/teams/<id>/tokens: what speaks for the team. */
import { answer, api, documentOf } from '../api/client.ts';
import { tokens as text } from '../texts/people.ts';
import { TokenList } from '../tokens/token-list.tsx';
import { useTeam } from './layout.tsx';

export function TeamTokensScreen() {
  const { id, query } = useTeam();
  const mayChange = query.data?.data.attributes.permissions['can-update-api-token'];
  const at = { params: { path: { team_id: id } } };
  return (
    <TokenList
      title={text.team}
      detail={text.teamDetail}
      queryKey={['team', id]}
      read={async () => (await answer(api.GET('/teams/{team_id}/authentication-tokens', at))).data}
      create={
        mayChange &&
        (async attributes =>
          (
            await answer(
              api.POST('/teams/{team_id}/authentication-tokens', {
                ...at,
                body: documentOf('authentication-tokens', attributes),
              }),
            )
          ).data)
      }
    />
  );
}
