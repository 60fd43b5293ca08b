import type { ToolDetail, ToolListing } from '../../../core/tools/tool-listing.ts'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import { nearestNames } from '../nearest-names.ts'
import type { HttpClient } from './http-client.ts'
import { readPacksOff } from './packs-off.ts'

/** Reads one tool; for an unknown name, the error lists the nearest ones. */
export async function readTool(
  client: HttpClient,
  name: string,
  agent: string | undefined,
): Promise<ToolDetail> {
  try {
    return await client.read<ToolDetail>(`/tools/${encodeURIComponent(name)}`, {
      query: { agent },
    })
  } catch (error) {
    if (!isToolError(error) || error.code !== 'tool_not_found') throw error
    throw await toNotFound(client, { name, agent, error })
  }
}

/** Names of all tools that this caller sees. */
export async function readToolNames(client: HttpClient, agent?: string): Promise<string[]> {
  const listings = await client.all<ToolListing>('/tools', { agent, limit: 1000 })
  return listings.map(({ name }) => name)
}

async function toNotFound(
  client: HttpClient,
  { name, agent, error }: { name: string; agent: string | undefined; error: ToolError },
): Promise<ToolError> {
  const [names, packsOff] = await Promise.all([
    readToolNames(client, agent).catch(() => []),
    readPacksOff(client),
  ])
  const near = nearestNames(name, names)
  const asAgent = agent === undefined ? '' : ` --agent ${agent}`
  const pack = name.split('.')[0] ?? name
  const off = packsOff.includes(pack)
    ? `The pack ${pack} is off: toolcrib policy set pack:${pack} --on. `
    : ''
  const guess = near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `
  const { refusalId } = error.details
  const why =
    typeof refusalId === 'string'
      ? `toolcrib explain ${refusalId} for why it is not there`
      : `toolcrib explain --tool ${name}${asAgent} for who sees it`
  return new ToolError('tool_not_found', error.message, {
    fix: `${off}${guess}See toolcrib tools${asAgent}, or ${why}.`,
    details: error.details,
    cause: error,
  })
}
