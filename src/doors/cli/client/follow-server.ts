import { setTimeout as sleep } from 'node:timers/promises'
import type { FetchLike } from '../environment.ts'

export interface ServerAddress {
  url: string
  key: string
}

/** A server answers shortly before it has written its key. */
const lookAgainMs = 100
const looks = 30

/**
 * A fetch that follows the server of a data folder across restarts: the new one has another key,
 * and perhaps another port. It repeats only requests that are safe to repeat: those refused because
 * of the key, those whose connection was refused, and reads.
 */
export function followServer(
  fetch: FetchLike,
  first: ServerAddress,
  findAgain: () => Promise<ServerAddress | undefined>,
): FetchLike {
  let current = first
  const send = (url: string, init: RequestInit | undefined) => {
    const given = Object.fromEntries(new Headers(init?.headers))
    const headers = { ...given, authorization: `Bearer ${current.key}` }
    return fetch(current.url + url.slice(first.url.length), { ...init, headers })
  }
  async function find(times: number): Promise<ServerAddress | undefined> {
    const found = await findAgain()
    if (found !== undefined || times <= 1) return found
    await sleep(lookAgainMs)
    return find(times - 1)
  }
  /** Has the server moved since this request? Another request may have found it already. */
  async function moved(used: ServerAddress, times = 1): Promise<boolean> {
    if (used !== current) return true
    const found = await find(times)
    if (found === undefined || (found.url === used.url && found.key === used.key)) return false
    current = found
    return true
  }
  return async (url, init) => {
    const used = current
    try {
      const response = await send(url, init)
      return response.status === 401 && (await moved(used, looks))
        ? await send(url, init)
        : response
    } catch (error) {
      const mayRepeat = (init?.method ?? 'GET') === 'GET' || isRefused(error)
      if (mayRepeat && init?.signal?.aborted !== true && (await moved(used))) return send(url, init)
      throw error
    }
  }
}

/**
 * Nothing listens there any more; a connection that breaks later may have delivered the request.
 */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && (cause as NodeJS.ErrnoException).code === 'ECONNREFUSED'
}
