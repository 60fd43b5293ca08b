import { ToolError } from '../../../core/errors.ts'
import type { ServerTool } from '../../../core/gateway/tool-pin.ts'
import type { CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { usageError } from '../parse-options.ts'
import { confirm } from './confirm.ts'
import { pathOf, serverOf } from './mcp-servers.ts'
import { showDifferences, showMcpTools } from './show-mcp.ts'

/** `toolcrib mcp tools <server>`. */
export async function listServerTools(context: CommandContext): Promise<number> {
  const { screen } = context
  const items = await readTools(context)
  if (screen.isJson) screen.json({ items })
  else if (items.length > 0) showMcpTools(screen, items)
  else screen.out(`No tools are known. → toolcrib mcp test ${serverOf(context)}`)
  return exit.ok
}

/** `toolcrib mcp accept|reject <server> <tool>`: what is shown is what is decided on. */
export function decideTool(decision: 'accept' | 'reject') {
  return async (context: CommandContext): Promise<number> => {
    const { screen, options } = context
    const name = toolOf(context, decision)
    const seen = options.text('hash') ?? (await look(context, { name, decision }))
    if (seen === undefined) return exit.failed
    const { client } = await context.connect()
    const path = `${pathOf(context)}/tools/${encodeURIComponent(name)}/${decision}`
    const tool = await client.read<ServerTool>(path, { method: 'POST', body: { hash: seen } })
    if (screen.isJson) screen.json(tool)
    else screen.out(`${screen.style('green', '✓')} ${toSafeLine(name)} is ${tool.state}`)
    return exit.ok
  }
}

/** Shows the tool and asks. The hash of what was shown, or undefined for a no. */
async function look(
  context: CommandContext,
  { name, decision }: { name: string; decision: string },
): Promise<string | undefined> {
  const tool = (await readTools(context)).find((one) => one.name === name)
  if (tool?.hash === undefined) {
    throw new ToolError('not_found', `${serverOf(context)} has no tool ${name}`, {
      fix: `toolcrib mcp tools ${serverOf(context)} lists them.`,
    })
  }
  const { screen } = context
  if (!screen.isJson) {
    screen.out(`${toSafeLine(name)} is ${tool.state}${tool.reason ? `: ${tool.reason}` : ''}`)
    showDifferences(screen, tool)
  }
  return (await confirm(context, `${decision === 'accept' ? 'Accept' : 'Reject'} it?`))
    ? tool.hash
    : undefined
}

async function readTools(context: CommandContext): Promise<ServerTool[]> {
  const { client } = await context.connect()
  return (await client.read<{ items: ServerTool[] }>(`${pathOf(context)}/tools`)).items
}

function toolOf({ words: [, , tool] }: CommandContext, decision: string): string {
  if (tool !== undefined) return tool
  throw usageError('Which tool?', `Write: toolcrib mcp ${decision} <server> <tool>`)
}
