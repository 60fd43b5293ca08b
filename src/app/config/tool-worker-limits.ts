import { z } from 'zod'

/** The part of `limits` that is about tools with isolation: worker. */
export const toolWorkerLimits = {
  toolWorkers: z
    .int()
    .min(1)
    .max(64)
    .default(4)
    .describe('How many calls of tools with isolation: worker run at once on this node'),
  toolWorkerMemoryMb: z
    .int()
    .min(16)
    .max(16_384)
    .default(256)
    .describe('Memory of one such worker, in megabytes; a tool that needs more is ended'),
}
