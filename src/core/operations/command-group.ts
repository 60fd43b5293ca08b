import type { CommandSpec } from './command-spec.ts'
import type { Operation } from './operation.ts'

/**
 * The commands of a feature: `toolcrib schedules …`. It refers to operations by name and type only,
 * so that the command line loads neither zod nor the code of the feature.
 */
export interface CommandGroup<Table = OperationNames> {
  name: string
  /** The singular noun: `schedule`. */
  one: string
  summary: string
  /** By operation, in the order of help: several where one operation makes several commands. */
  commands: CommandsOf<Table>
  /** Sentences that help shows after the options. */
  notes?: readonly string[]
  examples?: readonly string[]
}

type OperationNames = Readonly<Record<string, Operation>>

type CommandsOf<Table> = {
  readonly [name in keyof Table]?: Table[name] extends Operation<never, infer _, infer Output>
    ? CommandSpec<Output> | readonly CommandSpec<Output>[]
    : never
}
