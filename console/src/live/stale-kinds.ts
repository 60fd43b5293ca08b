import type { QueryClient } from '@tanstack/react-query'
import { liveEvents } from './live-events.ts'

/** The queries that an event makes stale, by the prefix of its type; the first match wins. */
const staleBy: readonly (readonly [prefix: string, kinds: readonly string[]])[] = [
  ['call.output', []],
  ['call.cancelled', ['calls', 'call', 'usage', 'approvals']],
  ['call.', ['calls', 'call', 'usage']],
  ['approval.', ['approvals', 'approval-rules', 'calls', 'call', 'conversations']],
  ['tool.file_', ['tools', 'tool', 'tool-files']],
  ['tool.', ['tools', 'tool', 'explain', 'mcp-servers']],
  ['secret.', ['secrets', 'tools', 'tool', 'explain']],
  ['policy.', ['policies', 'tools', 'tool', 'explain', 'agents']],
  ['agent.', ['agents', 'explain']],
  ['grant.', ['agents', 'explain']],
  ['skill.', ['skills', 'agents']],
  ['mcp.server.', ['mcp-servers', 'tools', 'tool']],
  ['schedule.', ['schedules']],
  ['member.', ['members', 'invitations', 'sign-ins']],
  ['tenant.', ['tenants']],
  ['key.', ['keys']],
  ['turn.', ['conversations', 'runs']],
  ['conversation.', ['conversations']],
  ['limit.', ['limits', 'usage']],
]

/** At once for the first of a burst, then at most so often: a busy crib must not keep a tab asking. */
const pauseMs = 1000

/** Makes what is on the screen follow the log. Returns the way to stop. */
export function keepFresh(queryClient: QueryClient): () => void {
  const waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastAt = 0
  const refresh = () => {
    timer = undefined
    lastAt = Date.now()
    for (const kind of waiting) void queryClient.invalidateQueries({ queryKey: [kind] })
    waiting.clear()
  }
  const unsubscribe = liveEvents.subscribe(({ type }) => {
    const kinds = staleBy.find(([prefix]) => type.startsWith(prefix))?.[1] ?? []
    for (const kind of kinds) waiting.add(kind)
    if (waiting.size === 0 || timer !== undefined) return
    timer = setTimeout(refresh, Math.max(30, pauseMs - (Date.now() - lastAt)))
  })
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}
