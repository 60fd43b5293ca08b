import { queryClient } from '../../api/query-client.ts'
import { api, read } from '../../api/client.ts'
import { firstSteps } from './first-steps-store.ts'

/** The tool that a new installation opens on; it is part of the example that `npm start` runs. */
export const exampleTool = 'analysis.roi'

/**
 * The console opens on the tool library. On the first visit to a new installation it opens on the
 * example tool, filled in. An installation already in use shows no introduction.
 */
export async function findHome(): Promise<'example' | 'tools'> {
  if (firstSteps.read().state !== 'new') return 'tools'
  const isFresh = await isFreshCrib().catch(() => undefined)
  // The server did not answer: the next visit may be the first.
  if (isFresh === undefined) return 'tools'
  firstSteps.begin(isFresh)
  return isFresh ? 'example' : 'tools'
}

async function isFreshCrib(): Promise<boolean> {
  const path = { name: exampleTool }
  const [{ items }, { response }] = await Promise.all([
    read(api.GET('/api/v1/calls', { params: { query: { limit: 1 } } })),
    api.GET('/api/v1/tools/{name}', { params: { path } }).then((answer) => {
      if (answer.data !== undefined) queryClient.setQueryData(['tool', exampleTool], answer.data)
      return answer
    }),
  ])
  return items.length === 0 && response.ok
}
