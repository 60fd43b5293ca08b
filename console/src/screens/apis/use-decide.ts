import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { refreshApis } from './api-queries.ts'
import type { ApiTool, DecidedApiTool } from './api-queries.ts'

type Verdict = 'accept' | 'reject'

/** Accepts or rejects the shown versions of operations. */
export function useDecide(name: string, tools: readonly ApiTool[]) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (verdict: Verdict) => decideOn(name, tools, verdict),
    onSuccess: (left, verdict) => {
      const count = tools.length - left.length
      const what = tools.length === 1 ? tools[0]?.name : `${count} operations`
      if (count > 0) notifySuccess(`${what} ${verdict === 'accept' ? 'accepted' : 'rejected'}`)
      if (left.length > 0) notifyFailure(toProblem(left))
    },
    onError: notifyFailure,
    onSettled: () => refreshApis(queryClient),
  })
}

/** Per request: more would take too long without feedback. */
const decidedAtOnce = 500

/** Returns the operations that changed again and were skipped. */
async function decideOn(
  name: string,
  tools: readonly ApiTool[],
  verdict: Verdict,
): Promise<DecidedApiTool[]> {
  const left: DecidedApiTool[] = []
  for (let from = 0; from < tools.length; from += decidedAtOnce) {
    const decisions = tools
      .slice(from, from + decidedAtOnce)
      .map(({ name: tool, hash }) => ({ tool, hash, verdict }))
    const init = { params: { path: { name } }, body: { decisions } }
    const { items } = await read(api.POST('/api/v1/apis/{name}/tools/decisions', init))
    left.push(...items.filter(({ problem }) => problem !== undefined))
  }
  return left
}

/** The error of the first skipped operation. */
function toProblem(left: readonly DecidedApiTool[]): ApiProblem {
  const [first] = left
  const others = left.length > 1 ? ` (and ${left.length - 1} more)` : ''
  const { code = 'conflict', fix } = first?.problem ?? {}
  const message = `${first?.problem?.message ?? 'Not all were changed'}${others}`
  return new ApiProblem({ code, message, status: 409, ...(fix && { fix }) })
}
