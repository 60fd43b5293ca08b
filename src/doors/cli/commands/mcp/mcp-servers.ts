import type { McpServer, McpServerTest } from '../../../../features/mcp-servers/schemas.ts'
import { serverFacts } from '../../../../features/mcp-servers/terminal.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { showRecord } from '../../operations/show-answer.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import type { Screen } from '../../output/screen.ts'
import { usageError } from '../../parse-options.ts'
import { toServerChange, toServerSpec } from './mcp-server-spec.ts'
import { showMcpTools } from './show-mcp.ts'

/** `toolcrib mcp add <server> …`. */
export async function addServer(context: CommandContext): Promise<number> {
  const name = serverOf(context)
  const spec = toServerSpec(context)
  const { client } = await context.connect()
  const body = { name, ...spec }
  const added = await client.read<McpServer>('/mcp-servers', { method: 'POST', body })
  const { screen } = context
  if (screen.isJson) {
    screen.json(added)
    return exit.ok
  }
  screen.out(`${screen.style('green', '✓')} ${toSafeLine(name)} is added`)
  if (added.oauth !== undefined) screen.out(`→ toolcrib mcp login ${name}`)
  else screen.out(`→ toolcrib mcp test ${name}`)
  return exit.ok
}

/** `toolcrib mcp edit <server> …`: omitted options change nothing. */
export async function editServer(context: CommandContext): Promise<number> {
  const path = pathOf(context)
  const { oauth, ...change } = toServerChange(context)
  if (oauth === undefined && Object.keys(change).length === 0) {
    throw usageError('There is nothing to change.', 'Write toolcrib mcp edit <server> --timeout 2m')
  }
  const { client } = await context.connect()
  const before = await client.read<McpServer>(path)
  const body = {
    ...change,
    ...(change['url'] !== undefined && before.command !== undefined && { command: null, args: [] }),
    ...(change['command'] !== undefined && before.url !== undefined && { url: null, oauth: null }),
    ...(oauth !== undefined && { oauth: { ...before.oauth, ...oauth } }),
  }
  return show(context, await client.read<McpServer>(path, { method: 'PATCH', body }))
}

/** `toolcrib mcp test <server>`: tests a configured server, or one described as for `add`. */
export async function testServer(context: CommandContext): Promise<number> {
  const { words, options, screen } = context
  const isNew = words.length > 2 || options.text('url') !== undefined
  const body = isNew ? { server: toServerSpec(context) } : undefined
  const { client } = await context.connect()
  const path = `${pathOf(context)}/test`
  const result = await client.read<McpServerTest>(path, { method: 'POST', body })
  if (screen.isJson) screen.json(result)
  else showTest(screen, result)
  return result.ok ? exit.ok : exit.failed
}

function showTest(screen: Screen, result: McpServerTest): void {
  const { ok, problem, tools, protocol, durationMs, errorOutput, isLive } = result
  if (ok) {
    const spoke = protocol === undefined ? '' : `, ${protocol.version}`
    screen.out(`${screen.style('green', '✓')} ${tools.length} tools in ${durationMs} ms${spoke}`)
    if (isLive === true) screen.out('Tested the running server; no second process was started.')
    if (tools.length > 0) showMcpTools(screen, tools)
    return
  }
  screen.out(`${screen.style('red', '✗')} ${toSafeLine(problem?.message ?? 'it failed')}`)
  if (problem?.fix !== undefined) screen.out(`→ ${toSafeLine(problem.fix)}`)
  // The cause is often printed before the stack trace.
  for (const line of errorOutput?.trimEnd().split('\n').slice(-25) ?? []) {
    screen.out(screen.style('dim', `  ${toSafeLine(line)}`))
  }
}

function show({ screen }: CommandContext, server: McpServer): number {
  if (screen.isJson) screen.json(server)
  else showRecord(screen, { record: serverFacts }, server)
  return exit.ok
}

/** The API path of the server in the second word. */
export function pathOf(context: CommandContext): string {
  return `/mcp-servers/${encodeURIComponent(serverOf(context))}`
}

export function serverOf({ words: [action = '', name] }: CommandContext): string {
  if (name !== undefined) return name
  throw usageError('Which MCP server?', `Write: toolcrib mcp ${action} <server>`)
}
