import { z } from 'zod'
import type { ProcessStatus } from '../../core/kernel/context/processes.ts'

export const pidField = z.int().min(1).describe('The number that process.start gave')

export const processFields = z.object({
  pid: z.int(),
  command: z.string(),
  cwd: z.string(),
  state: z.enum(['running', 'exited', 'killed']),
  exitCode: z.int().min(0).nullable(),
  signal: z.string().min(1).nullable(),
  startedAt: z.string(),
  endedAt: z.string().min(1).nullable(),
  stdoutBytes: z.int(),
  stderrBytes: z.int(),
})

/** Without what is not known: JSON has no undefined. */
export function toProcess(status: ProcessStatus): z.infer<typeof processFields> {
  const { exitCode, signal, endedAt, ...known } = status
  const { pid, command, cwd, state, startedAt, stdoutBytes, stderrBytes } = known
  return {
    pid,
    command,
    cwd,
    state,
    exitCode: exitCode ?? null,
    signal: signal ?? null,
    startedAt,
    endedAt: endedAt ?? null,
    stdoutBytes,
    stderrBytes,
  }
}
