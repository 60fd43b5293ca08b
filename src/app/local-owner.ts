import { createHash, timingSafeEqual } from 'node:crypto'
import type { CribApi } from '../features/crib-api.ts'
import { createApiKeyToken } from '../features/keys/create-api-key-token.ts'
import { ownerOf } from './owner.ts'

/** The API with one more key: the owner's, which lives and dies with this process. */
export interface LocalOwner {
  api: CribApi
  key: string
}

/**
 * The key that `server.json` holds for commands on the same machine. It is in no database: after a
 * crash it opens nothing, and no one has to clean it up.
 */
export function createLocalOwner(api: CribApi): LocalOwner {
  const key = createApiKeyToken().token
  const expected = digest(key)
  const callers = new Map<string, ReturnType<typeof ownerOf>>()
  return {
    key,
    api: {
      ...api,
      authenticate(token, runtime) {
        if (!timingSafeEqual(digest(token), expected)) return api.authenticate(token, runtime)
        const caller = callers.get(runtime) ?? ownerOf(undefined, runtime)
        callers.set(runtime, caller)
        return Promise.resolve(caller)
      },
    },
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
