import { z } from 'zod'

/** Settings by which an operator limits the commands of an agent. */
export const commandOptions = z.object({
  shell: z
    .boolean()
    .default(true)
    .describe('Commands are lines for bash; otherwise one of the programs, without a shell'),
  programs: z
    .array(z.string().regex(/^[\w.+-]+$/))
    .max(200)
    .default([])
    .describe('The only programs that may be run, by name; no shell runs then'),
})
