import { setTimeout as sleep } from 'node:timers/promises'
import type { FetchLike } from '../environment.ts'

export interface ServerAddress {
  url: string
  key: string
}

/** A server answers a moment before it has left word of its key. */
const lookAgainMs = 100
const looks = 30

/**
 * A fetch that goes on with the server of a data folder across its restart: the new one has another
 * key, and perhaps another port. Only what was surely not carried out is sent again: a request that
 * the new server refused for its key, or a read that reached nobody.
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
  async function moved(times = 1): Promise<boolean> {
    const found = await find(times)
    if (found === undefined || (found.url === current.url && found.key === current.key))
      return false
    current = found
    return true
  }
  return async (url, init) => {
    try {
      const response = await send(url, init)
      return response.status === 401 && (await moved(looks)) ? await send(url, init) : response
    } catch (error) {
      const isRead = (init?.method ?? 'GET') === 'GET'
      if (isRead && init?.signal?.aborted !== true && (await moved())) return send(url, init)
      throw error
    }
  }
}
