import { setTimeout as sleep } from 'node:timers/promises'
import { ToolError } from '../../../../core/kernel/errors.ts'
import type { McpConnection } from '../../../../features/mcp-servers/schemas.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { openBrowser } from '../../open-browser.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { pathOf, serverOf } from './mcp-servers.ts'

const lookEveryMs = 1000

/** `toolcrib mcp login <server>`: shows where to sign in, and waits until somebody has. */
export async function logIn(context: CommandContext): Promise<number> {
  const { screen, options, environment } = context
  const { client } = await context.connect()
  const before = await readMine(context)
  const path = `${pathOf(context)}/authorize`
  const { url, expiresAt } = await client.read<{ url: string; expiresAt: string }>(path, {
    method: 'POST',
  })
  if (screen.isJson) screen.json({ url, expiresAt })
  else screen.out(`Open this in your browser:\n\n  ${toSafeLine(url)}\n`)
  if (options.flag('open')) openBrowser(url, environment.env)
  if (options.flag('no-wait')) return exit.ok
  const leaving = new AbortController()
  const stopListening = environment.onSignal(() => leaving.abort())
  try {
    const mine = await waitFor(context, { before, until: Date.parse(expiresAt), leaving })
    if (screen.isJson) screen.json(mine)
    else screen.out(`${screen.style('green', '✓')} you are signed in to ${serverOf(context)}`)
    return exit.ok
  } finally {
    stopListening()
  }
}

async function waitFor(
  context: CommandContext,
  { before, until, leaving }: { before?: McpConnection; until: number; leaving: AbortController },
): Promise<McpConnection> {
  while (Date.now() < until && !leaving.signal.aborted) {
    await sleep(lookEveryMs, undefined, { signal: leaving.signal }).catch(() => undefined)
    const mine = await readMine(context)
    if (mine !== undefined && mine.updatedAt !== before?.updatedAt) return mine
  }
  throw new ToolError('sign_in_failed', 'Nobody signed in', {
    fix: `Try again: toolcrib mcp login ${serverOf(context)}`,
  })
}

async function readMine(context: CommandContext): Promise<McpConnection | undefined> {
  return (await read(context)).find(({ isMine }) => isMine)
}

async function read(context: CommandContext): Promise<McpConnection[]> {
  const { client } = await context.connect()
  return (await client.read<{ items: McpConnection[] }>(`${pathOf(context)}/connections`)).items
}
