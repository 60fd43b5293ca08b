import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import { toProblem } from '../../../api/problem.ts'
import { notifyFailure } from '../../../ui/notify.ts'

/** Stops the turn on the server, with its pending calls. The stream then reports the end. */
export function useStop(turnId: string | undefined) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      if (turnId === undefined) return
      await read(api.POST('/api/v1/runs/{id}/cancel', { params: { path: { id: turnId } } }))
    },
    onError: (error) => {
      // The turn had already ended.
      if (toProblem(error).code !== 'already_settled') notifyFailure(error)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['conversations'] }),
  })
}
