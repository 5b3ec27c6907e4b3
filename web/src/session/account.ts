/** The account that this tab speaks for. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => answer(api.GET('/account/details')),
  staleTime: 60_000,
});

export const useAccount = () => useQuery(accountQuery);
