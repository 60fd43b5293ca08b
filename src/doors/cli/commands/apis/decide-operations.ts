import { ToolError } from '../../../../core/kernel/errors.ts'
import type { ApiTool, DecidedApiTool } from '../../../../features/apis/schemas.ts'
import type { CommandContext } from '../../command.ts'
import { confirm } from '../../confirm.ts'
import { exit } from '../../exit-codes.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { usageError } from '../../parse-options.ts'
import { showError } from '../../show-error.ts'
import { showDifferences } from '../mcp/show-mcp.ts'
import { apiOf, pathOf } from './manage-apis.ts'

type Verdict = 'accept' | 'reject'

/** `toolcrib apis accept|reject <api> <operation>`, or `--all`: what is shown is what is decided on. */
export function decideOperation(verdict: Verdict) {
  return async (context: CommandContext): Promise<number> => {
    const { words, options, screen } = context
    const [, , name] = words
    const isAll = options.flag('all')
    if (isAll === (name !== undefined)) {
      throw usageError(
        'Name an operation, or add --all.',
        `Write: toolcrib apis ${verdict} <api> <operation>`,
      )
    }
    const tools = await readTools(context)
    const chosen = isAll
      ? tools.filter(({ state }) => state === 'quarantined')
      : [findTool(context, tools, name ?? '')]
    if (chosen.length === 0) {
      if (!screen.isJson) screen.out(`No operation of ${apiOf(context)} is set aside.`)
      return exit.ok
    }
    const hash = options.text('hash')
    if (hash === undefined && !(await isConfirmed(context, chosen, verdict))) return exit.failed
    const decisions = chosen.map((tool) => ({ tool: tool.name, hash: hash ?? tool.hash, verdict }))
    return send(context, decisions)
  }
}

function findTool(context: CommandContext, tools: readonly ApiTool[], name: string): ApiTool {
  const found = tools.find((one) => one.name === name || one.tool === name)
  if (found !== undefined) return found
  throw new ToolError('not_found', `${apiOf(context)} has no operation ${name}`, {
    fix: `toolcrib apis tools ${apiOf(context)} lists them.`,
  })
}

async function isConfirmed(
  context: CommandContext,
  tools: readonly ApiTool[],
  verdict: Verdict,
): Promise<boolean> {
  const { screen } = context
  if (!screen.isJson) {
    for (const tool of tools) {
      screen.out(
        `${toSafeLine(tool.name)} is ${tool.state}${tool.reason ? `: ${tool.reason}` : ''}`,
      )
      showDifferences(screen, tool)
    }
  }
  const verb = verdict === 'accept' ? 'Accept' : 'Reject'
  return confirm(context, tools.length === 1 ? `${verb} it?` : `${verb} all ${tools.length}?`)
}

/** In one request, so that one that has changed again does not stop the others. */
async function send(
  context: CommandContext,
  decisions: readonly { tool: string; hash: string; verdict: Verdict }[],
): Promise<number> {
  const { screen, environment } = context
  const { client } = await context.connect()
  const path = `${pathOf(context)}/tools/decisions`
  const init = { method: 'POST', body: { decisions } } as const
  const { items } = await client.read<{ items: DecidedApiTool[] }>(path, init)
  if (screen.isJson) screen.json({ items })
  const codes = items.map(({ tool, state, problem }) => {
    if (problem !== undefined) {
      const { code, message, fix } = problem
      const error = new ToolError(code as ToolError['code'], message, { ...(fix && { fix }) })
      return showError(screen, error, environment.env)
    }
    if (!screen.isJson) {
      screen.out(`${screen.style('green', '✓')} ${toSafeLine(tool)} is ${state ?? 'gone'}`)
    }
    return exit.ok
  })
  return codes.find((code) => code !== exit.ok) ?? exit.ok
}

async function readTools(context: CommandContext): Promise<ApiTool[]> {
  const { client } = await context.connect()
  return (await client.read<{ items: ApiTool[] }>(`${pathOf(context)}/tools`)).items
}
