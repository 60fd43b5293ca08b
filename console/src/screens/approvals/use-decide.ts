import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { Approval } from './use-approvals.ts'

/** Sends a decision on one approval, from the inbox or from a card in a chat. */
export function useDecide({ id }: Pick<Approval, 'id'>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Api<'DecisionRequest'>) =>
      read(api.POST('/api/v1/approvals/{id}/decision', { params: { path: { id } }, body })),
    onSuccess: (decided) => settle(queryClient, decided),
    // Decided by someone else, edited or expired: the screen is out of date.
    onError: () => void queryClient.invalidateQueries({ queryKey: ['approvals'] }),
  })
}

interface Page {
  items: Approval[]
  next?: string
}

/** Shows the decision immediately and refetches everything else. */
function settle(queryClient: QueryClient, decided: Approval): void {
  queryClient.setQueryData(['approvals', 'one', decided.id], decided)
  queryClient.setQueryData<InfiniteData<Page>>(
    ['approvals', 'list', 'pending'],
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, items: page.items.flatMap(replaced) })),
      },
  )
  for (const kind of ['approvals', 'approval-rules', 'conversations', 'calls', 'call']) {
    void queryClient.invalidateQueries({ queryKey: [kind] })
  }
  function replaced(one: Approval): Approval[] {
    if (one.id !== decided.id) return [one]
    return decided.status === 'pending' ? [decided] : []
  }
}
