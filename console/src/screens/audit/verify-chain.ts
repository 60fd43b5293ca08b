import { api, read } from '../../api/client.ts'
import { withStretch } from './chain-result.ts'
import type { ChainResult } from './chain-result.ts'

interface VerifyOptions {
  /** A checkpoint saved elsewhere, as `segment:digest`. */
  anchor: string
  onProgress: (result: ChainResult) => void
  isStopped: () => boolean
}

/** Verifies the whole chain, one part at a time. */
export async function verifyChain(options: VerifyOptions): Promise<ChainResult> {
  let result: ChainResult = { segments: 0, events: 0, problems: [], unsealed: 0, isDone: false }
  let after = 0
  while (!options.isStopped()) {
    const query = { after, ...(options.anchor !== '' && { anchor: options.anchor }) }
    const check = await read(api.GET('/api/v1/audit/verify', { params: { query } }))
    result = withStretch(result, check)
    options.onProgress(result)
    if (check.next === undefined) return result
    after = check.next
  }
  return result
}
