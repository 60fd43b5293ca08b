import { z } from 'zod'
import { sandboxDriverNames } from '../../core/host/sandbox.ts'
import { time } from '../../core/operations/fields.ts'

const check = z
  .object({
    name: z.string(),
    title: z.string().meta({ description: 'The promise of the sandbox that was tried' }),
    isOk: z.boolean(),
    detail: z
      .string()
      .optional()
      .meta({ description: 'The thing that an attempt to get out has reached' }),
  })
  .meta({ id: 'SandboxCheck' })

/** The sandbox of the server that answers. */
export const sandboxState = z
  .object({
    driver: z.enum(sandboxDriverNames),
    state: z.enum(['verified', 'unavailable', 'unsandboxed']).meta({
      description:
        'unavailable: tools that run programs are off. unsandboxed: they run as the user of the server',
    }),
    limits: z.enum(['enforced', 'best-effort', 'none']).meta({
      description:
        'enforced: on memory and processes of a command together. best-effort: on each process by itself',
    }),
    reason: z.string().optional().meta({ description: 'Why it is unavailable' }),
    fix: z.string().optional().meta({ description: 'What to do about it' }),
    checks: z.array(check).readonly(),
    checkedAt: time,
    durationMs: z.number(),
  })
  .meta({ id: 'SandboxState' })
