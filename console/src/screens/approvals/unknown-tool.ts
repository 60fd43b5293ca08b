import type { Api } from '../../api/client.ts'

/** Stands in for a tool this person can't see: it accepts any JSON and may have any effect. */
export function toUnknownTool(name: string): Api<'ToolDetail'> {
  return {
    name,
    wireName: name,
    title: name,
    description: '',
    effect: 'destructive',
    pack: '',
    source: 'code',
    state: 'ready',
    idempotent: false,
    openWorld: true,
    inputSchema: {},
    examples: [],
    secrets: [],
    env: [],
    approval: 'always',
    tenants: [],
    runtimes: [],
    execution: 'inline',
    isolation: 'inline',
    timeoutMs: 0,
    maxOutputBytes: 0,
    retries: 0,
    cost: 0,
    sections: [],
    collaborative: false,
    aliases: [],
    fields: [],
    portability: [],
    warnings: [],
  }
}
