import type { ToolContract } from '../kernel/tool.ts'
import type { AgentPolicy, PolicyTool, Scope } from './scope.ts'

type ToolFacts = Partial<ToolContract> & Partial<Omit<PolicyTool, 'contract' | 'pack'>>

/** A plain tool that nothing hides, for policy tests. Its pack is the first part of its name. */
export function toolNamed(name: string, facts: ToolFacts = {}): PolicyTool {
  const { packOptIn = false, quarantine, isDown, ...contract } = facts
  return {
    contract: { ...plainContract, name, pack: name.split(/[.:]/)[0] ?? name, ...contract },
    packOptIn,
    ...(quarantine !== undefined && { quarantine }),
    ...(isDown !== undefined && { isDown }),
  }
}

/** A scope in which everything is visible: no agent, no levels. */
export function scopeWith(facts: Partial<Scope> = {}): Scope {
  return {
    tenant: 'acme',
    isKnownTenant: true,
    runtime: 'api',
    parents: [],
    levels: [],
    packs: {},
    permissions: [],
    secrets: new Set(),
    env: new Set(),
    profiles: {},
    groups: {},
    ...facts,
  }
}

/** An agent with these patterns granted manually, and no other rules. */
export function agentWith(
  allow: readonly string[],
  facts: Partial<AgentPolicy> & { deny?: readonly string[] } = {},
): AgentPolicy {
  const { deny = [], ...rest } = facts
  return {
    slug: 'support',
    grants: [
      ...allow.map((pattern) => ({ pattern, kind: 'allow' as const, sources: ['manual'] })),
      ...deny.map((pattern) => ({ pattern, kind: 'deny' as const, sources: ['manual'] })),
    ],
    settings: {},
    autonomy: 'standard',
    hooks: { confirm: [], log: [], silent: [] },
    toolMode: 'auto',
    memoryEnabled: true,
    knowledgeEnabled: true,
    ...rest,
  }
}

const plainContract: Omit<ToolContract, 'name' | 'pack'> = {
  title: 'A tool',
  description: 'A tool for tests.',
  icon: undefined,
  source: 'code',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  inputSchema: { type: 'object' },
  outputSchema: undefined,
  optionsSchema: undefined,
  examples: [],
  secrets: [],
  env: [],
  permission: undefined,
  approval: 'auto',
  tenants: [],
  runtimes: [],
  execution: 'inline',
  isolation: 'inline',
  timeoutMs: 30_000,
  completionMs: 86_400_000,
  concurrency: undefined,
  maxOutputBytes: 51_200,
  retries: 0,
  cost: 0,
  sections: [],
  form: undefined,
  view: undefined,
  collaborative: false,
  aliases: [],
}
