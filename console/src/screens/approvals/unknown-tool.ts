import type { Api } from '../../api/client.ts'

/** A tool of which this person may know nothing: any JSON will do as its input, and it may do anything. */
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
