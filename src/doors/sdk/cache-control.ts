import type { Tool } from 'ai'

/** How long Anthropic keeps what it has read up to here. */
export interface CacheControl {
  type: 'ephemeral'
  ttl?: '5m' | '1h'
}

/** Marks one tool as the end of what is worth caching: for a sorted list, its last. */
export function withCacheControl(
  tools: Record<string, Tool>,
  name: string | undefined,
  control: true | CacheControl,
): void {
  const tool = name === undefined ? undefined : tools[name]
  if (name === undefined || tool === undefined) return
  const cacheControl = control === true ? { type: 'ephemeral' } : { ...control }
  tools[name] = { ...tool, providerOptions: { anthropic: { cacheControl } } }
}
