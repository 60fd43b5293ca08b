import { fileURLToPath } from 'node:url'
import type { CallResult } from '../../src/core/kernel/call.ts'
import type { CallerClient } from '../../src/core/kernel/context/caller-client.ts'
import type { ConfigInput } from '../../src/core/typing/config-input.ts'
import { openCrib, type OpenCrib } from '../../src/app/open-crib.ts'
import { ownerOf } from '../../src/app/owner.ts'
import type { OpenStores } from '../../src/features/open-stores.ts'
import { openTestStore } from '../../src/testing/open-test-store.ts'

export type ServerInput = NonNullable<ConfigInput['mcpServers']>[string]

export const hostilePath = fileURLToPath(
  new URL('../mcp/upstream/hostile-server.ts', import.meta.url),
)

/** The server that behaves badly, with these habits. */
export function hostile(habits = '', more: Partial<ServerInput> = {}): ServerInput {
  const { env, ...rest } = more
  return {
    command: process.execPath,
    args: [hostilePath],
    env: { HOSTILE: habits, ...env },
    ...rest,
  }
}

export interface GatewayCrib extends OpenCrib {
  store: OpenStores
  call(tool: string, input?: unknown, more?: CallMore): Promise<CallResult>
  /** Names of the tools whose names begin so, with their states. */
  tools(prefix: string): Promise<Record<string, string>>
}

export interface CallMore {
  tenant?: string
  client?: CallerClient
  signal?: AbortSignal
  timeoutMs?: number
  onOutput?: (output: unknown) => void
}

export interface GatewayCribOptions {
  store?: OpenStores
  env?: Record<string, string>
  /** Where warnings go. */
  warnings?: string[]
  config?: ConfigInput
}

/** A crib whose configuration has these servers. */
export async function openGatewayCrib(
  mcpServers: Record<string, ServerInput>,
  { store: given, env = {}, warnings = [], config = {} }: GatewayCribOptions = {},
): Promise<GatewayCrib> {
  const store = given ?? (await openTestStore())
  const crib = await openCrib({
    cwd: process.cwd(),
    data: '/nonexistent',
    config: { ...config, mcpServers },
    env: { PATH: process.env['PATH'], HOME: '/tmp', ...env },
    store,
    onWarning: (message) => void warnings.push(message),
  })
  return {
    ...crib,
    store,
    async close() {
      await crib.close()
      if (given === undefined) await store.close()
    },
    call: (tool, input = {}, { tenant, ...more } = {}) =>
      crib.api.call({ tool, input, caller: ownerOf(tenant), ...more }),
    async tools(prefix) {
      const { items } = await crib.api.listTools(ownerOf(), { limit: 1000 })
      const own = items.filter(({ name }) => name.startsWith(prefix))
      return Object.fromEntries(own.map(({ name, state }) => [name, state]))
    },
  }
}

/** Waits until it is true; a busy machine takes its time. */
export async function until(isTrue: () => unknown, withinMs = 20_000): Promise<void> {
  const end = Date.now() + withinMs
  while (!(await isTrue())) {
    if (Date.now() > end)
      throw new Error(`It did not come true: ${isTrue.toString().slice(0, 200)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** What a call answered, as text. */
export function textOf({ output, error }: CallResult): string {
  const content = (output as { $content?: { text?: string }[] } | undefined)?.$content
  return content?.map(({ text = '' }) => text).join('\n') ?? error?.message ?? ''
}
