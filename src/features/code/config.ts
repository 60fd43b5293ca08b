import { z } from 'zod'

/** Limits of programs that nobody trusts. */
export const codeSchema = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe('Run programs at all: those of code.run, and of tools that are written as code'),
    programs: z
      .int()
      .min(1)
      .max(256)
      .default(4)
      .describe(
        'Programs that run at once on this node, of one tenant at most half of them; others wait. Each has a thread',
      ),
    runMs: z
      .int()
      .min(100)
      .max(600_000)
      .default(10_000)
      .describe('How long a program may compute, without the time it waits for calls'),
    memoryMb: z.int().min(4).max(1024).default(64).describe('Memory of one program'),
    calls: z
      .int()
      .min(1)
      .max(10_000)
      .default(1000)
      .describe('Calls of tools that one program may make'),
  })
  .prefault({})
  .describe('Programs in JavaScript that call tools')

export type CodeConfig = z.output<typeof codeSchema>
