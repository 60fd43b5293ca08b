import type { Connection } from './client/find-server.ts'
import type { CliEnvironment, ServerOptions } from './environment.ts'
import type { Screen } from './output/screen.ts'

export interface OptionSpec {
  type: 'string' | 'boolean'
  multiple?: boolean
  short?: string
  /** The placeholder for the value in help: `N`, `FILE`. */
  value?: string
  summary: string
  /** An empty value clears what it sets. */
  mayBeEmpty?: boolean
  choices?: readonly string[]
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** Option values as typed, by name and kind. */
export interface OptionValues {
  text(name: string): string | undefined
  texts(name: string): readonly string[]
  flag(name: string): boolean
}

/** Everything a command needs to do its work. */
export interface CommandContext {
  environment: CliEnvironment
  screen: Screen
  /** Words that are not options. */
  words: readonly string[]
  options: OptionValues
  server: ServerOptions
  /** Finds the server or opens the store; closed when the command ends. */
  connect(): Promise<Connection>
}

/** One command: facts for help and completion, and one function that gives the exit code. */
export interface Command {
  summary: string
  /** After `toolcrib`: `keys create --name NAME`. */
  usage: readonly string[]
  options: OptionSpecs
  /** How many words it takes; too many is an error before anything runs. */
  maxWords: number
  /** With these words, `--url` is the command's own; the server to talk to is `--server`. */
  ownsUrl?(words: readonly string[]): boolean
  /**
   * Only reads: always, with these first words ('' for none), or with these words. No data folder is
   * created for it.
   */
  reads?: true | readonly string[] | ((words: readonly string[]) => boolean)
  /** Requires an existing data folder. */
  needsData?: true
  /** Completion of the first word. */
  firstWord?: 'tools' | readonly string[]
  /** The options of each verb; without it, the summary of an option names its verbs. */
  optionsOf?: Readonly<Record<string, OptionSpecs>>
  /** Sentences that help shows after the options. */
  notes?: readonly string[]
  examples?: readonly string[]
  run(context: CommandContext): Promise<number>
}

/** A command that parses its own words: `call` knows its flags only after reading the tool. */
export interface RawCommand {
  summary: string
  usage: readonly string[]
  options: OptionSpecs
  firstWord?: 'tools' | readonly string[]
  notes?: readonly string[]
  examples?: readonly string[]
  runRaw(context: RawContext): Promise<number>
}

export interface RawContext {
  environment: CliEnvironment
  screen: Screen
  args: readonly string[]
}
