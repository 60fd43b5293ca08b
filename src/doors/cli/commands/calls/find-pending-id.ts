import { ToolError } from '../../../../core/kernel/errors.ts'
import type { HttpClient } from '../../client/http-client.ts'
import { usageError } from '../../parse-options.ts'

/** The kind of thing to find: an approval, a question. */
export interface PendingNoun {
  one: string
  /** Of the ids. */
  prefix: string
  path: string
  /** The command that lists them. */
  command: string
}

interface Pending {
  id: string
  callId: string
}

/** A short id is looked up among the newest pending ones. */
const newest = 200

/** Finds one by its id, the beginning or end of it, or the id of its call. */
export async function findPendingId(
  client: HttpClient,
  given: string | undefined,
  noun: PendingNoun,
): Promise<string> {
  const fix = `toolcrib ${noun.command} lists their ids.`
  if (given === undefined) throw usageError(`Which ${noun.one}?`, fix)
  if (new RegExp(`^${noun.prefix}_[0-9a-f]{32}$`).test(given)) return given
  const { items } = await client.read<{ items: Pending[] }>(noun.path, {
    query: { status: 'pending', limit: newest },
  })
  const part = given.replace(/^…|…$/g, '')
  const fits = items.filter(
    ({ id, callId }) => id.startsWith(part) || id.endsWith(part) || callId === given,
  )
  const [only] = fits
  // Fewer digits are ambiguous: an empty variable in a script would match any pending one.
  const isEnough = new RegExp(`^(?:(?:${noun.prefix}|call)_)?[0-9a-f]{4,32}$`).test(part)
  if (only !== undefined && !isEnough)
    throw usageError(
      `${JSON.stringify(given)} is too short for an id.`,
      'Write at least four digits.',
    )
  if (only !== undefined && fits.length === 1) return only.id
  if (fits.length > 1)
    throw usageError(`${fits.length} ${noun.one}s match ${given}.`, 'Write more of the id.')
  throw new ToolError('not_found', `No pending ${noun.one} matches ${given}.`, { fix })
}
