import { z } from 'zod'
import { time } from '../../core/operations/fields.ts'

export const signalName = z.enum(['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP'])

/** A background process. */
export const processStatus = z
  .object({
    pid: z.int().meta({ description: 'Its number in this workspace' }),
    command: z.string(),
    cwd: z.string(),
    state: z.enum(['running', 'exited', 'killed']),
    exitCode: z.int().optional(),
    signal: z.string().optional().meta({ description: 'The signal that ended it' }),
    startedAt: time,
    endedAt: time.optional(),
    stdoutBytes: z.int().meta({ description: 'Written so far' }),
    stderrBytes: z.int(),
  })
  .meta({ id: 'ProcessStatus' })

/** A piece of the output of a process. */
export const processOutput = z
  .object({
    text: z.string(),
    next: z.int().meta({ description: 'Pass as `offset` to read on' }),
    dropped: z.int().meta({ description: 'Bytes before `offset` that are no longer kept' }),
    isEnd: z.boolean(),
  })
  .meta({ id: 'ProcessOutput' })
