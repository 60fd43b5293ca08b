import { z } from 'zod'

/** Bounds of the MCP door that an operator may change. */
export const mcpDoorSchema = z.strictObject({
  taskAfterMs: z
    .int()
    .min(100)
    .max(3_600_000)
    .default(10_000)
    .describe('A call that runs longer becomes a task, for clients that have tasks'),
  waitMs: z
    .int()
    .min(0)
    .max(3_600_000)
    .default(50_000)
    .describe('How long a call that waits is waited for, where the client has no tasks'),
  askMs: z
    .int()
    .min(1000)
    .max(3_600_000)
    .default(600_000)
    .describe('How long a client may take to answer what a tool asks'),
  sessions: z
    .int()
    .min(1)
    .max(100_000)
    .default(1000)
    .describe('Sessions of clients of the older eras, open at once; a tenth of them for one key'),
  sessionIdleMs: z
    .int()
    .min(1000)
    .max(86_400_000)
    .default(1_800_000)
    .describe('A session that is not used for so long ends'),
})

/** The bounds as the door has them. */
export function toMcpLimits({ sessions, ...times }: z.output<typeof mcpDoorSchema>) {
  const maxSessionsPerCaller = Math.max(1, Math.floor(sessions / 10))
  return { ...times, maxSessions: sessions, maxSessionsPerCaller }
}
