import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { toDurationMs } from '../../core/kernel/duration.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Tool } from '../../core/kernel/tool.ts'

const longestMs = 366 * 86_400_000

interface WaitInput {
  for: string | null
  until: string | null
}

const waitTool = defineTool({
  name: 'flow.wait',
  title: 'Wait',
  description:
    'Wait for some time or until a moment, then continue. Use it between steps of a composition: the wait is stored, takes no server time, and survives restarts. Give either for or until.',
  icon: 'clock',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  inputSchema: z.object({
    for: z.string().max(40).nullable().describe('How long: 30s, 10m, 1h30m, 7d'),
    until: z.string().max(40).nullable().describe('The moment, such as 2027-01-31T09:00:00Z'),
  }),
  outputSchema: z.object({ waitedUntil: z.string() }),
  examples: [{ label: 'Ten minutes', input: { for: '10m', until: null } }],

  execute(input) {
    // A start at once means that the moment has passed; a malformed one is still refused.
    toMoment(input, Date.now())
    return { waitedUntil: new Date().toISOString() }
  },
})

/** Starts late, so that nothing runs while it waits. */
export const wait: Tool = Object.freeze({
  ...waitTool,
  startAt: (input: unknown, now: number) => {
    const moment = toMoment(input as WaitInput, now)
    return moment > now ? moment : undefined
  },
})

function toMoment({ for: duration, until }: WaitInput, now: number): number {
  if ((duration === null) === (until === null)) {
    throw new ToolError('invalid_input', 'flow.wait takes either for or until')
  }
  const ms = duration === null ? Date.parse(until ?? '') - now : toDurationMs(duration)
  if (ms === undefined || Number.isNaN(ms)) {
    throw new ToolError('invalid_input', `${duration ?? until} is not a time`, {
      fix: 'Write a duration such as 10m or 7d, or a moment such as 2027-01-31T09:00:00Z.',
    })
  }
  if (ms > longestMs) throw new ToolError('invalid_input', 'flow.wait waits at most 366 days')
  return now + ms
}
