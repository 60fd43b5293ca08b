import { createRequire } from 'node:module'
import type * as Undici from 'undici'

let loaded: typeof Undici | undefined

/**
 * The HTTP client, loaded by its first user: most cribs have no server behind HTTP, and it holds
 * megabytes. Not awaited, because agents are made where nothing can be waited for.
 */
export function undici(): typeof Undici {
  loaded ??= createRequire(import.meta.url)('undici') as typeof Undici
  return loaded
}
