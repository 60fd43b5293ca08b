import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { openCrib, type OpenCrib } from '../../src/app/open-crib.ts'
import type { Caller } from '../../src/core/kernel/call.ts'
import { defineTool } from '../../src/core/define-tool.ts'
import type { Stores } from '../../src/features/stores.ts'
import { type AgentSpec, agentSchema } from '../../src/core/rules/rule-schemas.ts'
import { settingsFor } from '../../src/store/contract/records.ts'
import { openStores } from '../../src/features/open-stores.ts'

/** A tool that says which options it was given. */
export function optedTool(name: string, more: object = {}) {
  return defineTool({
    name,
    description: 'Says what it was given, for tests of who may use it.',
    effect: 'read',
    inputSchema: z.object({}),
    optionsSchema: z.object({ region: z.enum(['eu', 'us']).default('eu') }),
    execute: (_input, { options }) => ({ options }),
    ...more,
  })
}

export const operator: Caller = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
}

/** An agent with its defaults. */
export function specOf(slug: string, more: object = {}): AgentSpec {
  return agentSchema.parse({ slug, ...more })
}

/** A crib with four tools, a declared agent and a second tenant. */
export interface GovernedCrib {
  crib: OpenCrib
  store: Stores
  /** The tools that an agent sees, by name. */
  seenBy(agent: string): Promise<string[]>
  /** What the events of one type say, oldest first. */
  told(type: string): Promise<unknown[]>
  close(): Promise<void>
}

/** On the real embedded store: a change that waits for the store inside itself hangs there alone. */
export async function openGovernedCrib(): Promise<GovernedCrib> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'toolcrib-governance-'))
  const store = await openStores({ kind: 'pglite', dataDir }, settingsFor())
  const crib = await openCrib({
    cwd: '/',
    data: '/nowhere',
    store,
    env: {},
    config: {
      tools: [],
      agents: [{ slug: 'declared', tools: { allow: ['mail.*'], deny: ['mail.purge'] } }],
      profiles: { readers: { allow: ['mail.read', 'files.read'] } },
      tenants: [{ slug: 'acme' }],
    },
    tools: [
      optedTool('mail.read'),
      optedTool('mail.send', { effect: 'write', openWorld: true }),
      optedTool('mail.purge', { effect: 'destructive' }),
      optedTool('files.read', { aliases: ['disk.read'] }),
    ],
    onWarning: () => undefined,
  })
  return {
    crib,
    store,
    async seenBy(agent) {
      const { items } = await crib.api.listTools({ ...operator, runtime: 'chat' }, { agent })
      return items.map(({ name }) => name)
    },
    async told(type) {
      const { items } = await store.events.read('default', { limit: 500 })
      return items.filter((event) => event.type === type).map(({ data }) => data)
    },
    async close() {
      await crib.close()
      await store.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
