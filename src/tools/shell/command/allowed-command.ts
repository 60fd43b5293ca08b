import { z } from 'zod'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { ProcessRequest } from '../../../core/kernel/context/processes.ts'
import { splitCommand } from './split-command.ts'

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

/** A line for bash, or the arguments of a program that may be run. Throws `denied`. */
export function toAllowedCommand(
  line: string,
  { shell, programs }: z.infer<typeof commandOptions>,
): ProcessRequest['command'] {
  if (shell && programs.length === 0) return line
  const command = splitCommand(line)
  if (programs.includes(command[0])) return command
  const may = programs.length === 0 ? 'no programs' : `only ${programs.join(', ')}`
  throw new ToolError('denied', `This agent may run ${may}, not ${command[0]}`, {
    fix: 'An operator sets the programs in the settings of the tool for this agent.',
  })
}
