import { resolve } from 'node:path'
import { isToolError } from '../../../../core/kernel/errors.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { type ClientServer, readClientServers } from '../../mcp/read-client-servers.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { usageError } from '../../parse-options.ts'

interface Outcome {
  name: string
  result: 'added' | 'kept' | 'failed'
  message?: string
  fix?: string
}

/** `toolcrib mcp import <file>`: the MCP servers that a client is configured with. */
export async function importServers(context: CommandContext): Promise<number> {
  const { environment, screen, words } = context
  const [, file] = words
  if (file === undefined) {
    throw usageError('mcp import needs a file.', 'Write: toolcrib mcp import ~/.cursor/mcp.json')
  }
  const servers = await readClientServers(resolve(environment.cwd, file))
  const outcomes: Outcome[] = []
  for (const server of servers) outcomes.push(await add(context, server))
  if (screen.isJson) screen.json({ servers: outcomes })
  else for (const outcome of outcomes) show(context, outcome)
  return outcomes.some(({ result }) => result === 'failed') ? exit.failed : exit.ok
}

async function add({ connect }: CommandContext, { name, spec }: ClientServer): Promise<Outcome> {
  const { client } = await connect()
  try {
    await client.read('/mcp-servers', { method: 'POST', body: { name, ...spec } })
    return { name, result: 'added' }
  } catch (error) {
    if (!isToolError(error)) throw error
    const isThere = error.code === 'conflict' || error.code === 'name_taken'
    const { message, fix } = error
    return { name, result: isThere ? 'kept' : 'failed', message, ...(fix !== undefined && { fix }) }
  }
}

function show({ screen }: CommandContext, { name, result, message = '', fix }: Outcome): void {
  const shown = toSafeLine(name)
  if (result === 'added') screen.out(`${screen.style('green', '+')} ${shown}`)
  else if (result === 'kept') screen.out(screen.style('dim', `= ${shown} exists already`))
  else {
    screen.out(`${screen.style('red', '✗')} ${shown}: ${toSafeLine(message)}`)
    if (fix !== undefined) screen.out(`  → ${toSafeLine(fix)}`)
  }
}
