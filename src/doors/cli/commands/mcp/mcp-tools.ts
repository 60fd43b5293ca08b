import { ToolError } from '../../../../core/kernel/errors.ts'
import type { DecidedTool, ServerTool, ToolDecision } from '../../../../core/gateway/tool-pin.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { usageError } from '../../parse-options.ts'
import { showError } from '../../show-error.ts'
import { confirm } from '../../confirm.ts'
import { pathOf, serverOf } from './mcp-servers.ts'
import { showDifferences, showMcpTools } from './show-mcp.ts'

/** `toolcrib mcp tools <server>`. */
export function showTools(context: CommandContext, { items }: { items: ServerTool[] }): void {
  if (items.length > 0) showMcpTools(context.screen, items)
  else context.screen.out(`No tools are known. → toolcrib mcp test ${serverOf(context)}`)
}

/** `toolcrib mcp accept|reject <server> <tool>`, or `--all`: what is shown is what is decided on. */
export function decideTool(decision: Decision) {
  return async (context: CommandContext): Promise<number> => {
    const { options } = context
    if (options.flag('all')) return decideAll(context, decision)
    const name = toolOf(context, decision)
    const hash = options.text('hash') ?? (await look(context, { name, decision }))
    if (hash === undefined) return exit.failed
    await decide(context, { name, hash }, decision)
    return exit.ok
  }
}

type Decision = ToolDecision['verdict']

/** In one request, so that the first results are shown while the rest is still waiting. */
const decisionsAtOnce = 500

async function decide(
  context: CommandContext,
  { name, hash }: Pick<ServerTool, 'name' | 'hash'>,
  decision: Decision,
): Promise<void> {
  const { screen } = context
  const { client } = await context.connect()
  const path = `${pathOf(context)}/tools/${encodeURIComponent(name)}/${decision}`
  const tool = await client.read<ServerTool>(path, { method: 'POST', body: { hash } })
  if (screen.isJson) screen.json(tool)
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(name)} is ${tool.state}`)
}

/**
 * Decides all tools that are set aside, as they were shown. A tool that has changed again since
 * then is reported and skipped.
 */
async function decideAll(context: CommandContext, decision: Decision): Promise<number> {
  const { screen } = context
  if (context.words.length > 2) throw usageError('Name a tool, or add --all.')
  const aside = (await readTools(context)).filter(({ state }) => state === 'quarantined')
  if (aside.length === 0) {
    if (!screen.isJson) screen.out(`No tool of ${serverOf(context)} is set aside.`)
    return exit.ok
  }
  if (!screen.isJson) showMcpTools(screen, aside)
  const verb = decision === 'accept' ? 'Accept' : 'Reject'
  if (!(await confirm(context, `${verb} all ${aside.length}?`))) return exit.failed
  const decided: DecidedTool[] = []
  const codes: number[] = []
  for (let from = 0; from < aside.length; from += decisionsAtOnce) {
    const items = await decideSome(context, aside.slice(from, from + decisionsAtOnce), decision)
    decided.push(...items)
    codes.push(...items.map((item) => showDecided(context, item)))
  }
  if (screen.isJson) screen.json({ items: decided })
  return codes.find((code) => code !== exit.ok) ?? exit.ok
}

async function decideSome(
  context: CommandContext,
  tools: readonly ServerTool[],
  verdict: Decision,
): Promise<DecidedTool[]> {
  const { client } = await context.connect()
  const decisions = tools.map(({ name, hash = '' }) => ({ tool: name, hash, verdict }))
  const path = `${pathOf(context)}/tools/decisions`
  const init = { method: 'POST', body: { decisions } } as const
  return (await client.read<{ items: DecidedTool[] }>(path, init)).items
}

/** Returns the exit code for this result. */
function showDecided(
  { screen, environment }: CommandContext,
  { tool, state, problem }: DecidedTool,
): number {
  if (problem !== undefined) {
    const { code, message, fix } = problem
    return showError(screen, new ToolError(code, message, { ...(fix && { fix }) }), environment.env)
  }
  if (!screen.isJson) {
    screen.out(`${screen.style('green', '✓')} ${toSafeLine(tool)} is ${state ?? 'gone'}`)
  }
  return exit.ok
}

/**
 * Shows the tool and asks. Returns the hash of what was shown, or undefined if the answer is no.
 */
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
