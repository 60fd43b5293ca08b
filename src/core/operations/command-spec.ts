/** How the terminal writes values. */
export interface TerminalWords {
  /** A moment in the future: `in 12 min`, `tomorrow 09:00`. */
  soon(time: string): string
  /** A time by the clock of this machine. */
  moment(time: string): string
  /** How long until then: `30m`, `5h`, `expired`. */
  left(time: string): string
}

/** The options that were given. */
export type AskedFor = Readonly<Record<string, unknown>>

/** How something is coloured: `good` green, `warn` yellow, `bad` red, `quiet` dim, `id` cyan. */
export type TerminalTone = 'good' | 'warn' | 'bad' | 'quiet' | 'id'

/** One column of a list, or one line of a record. */
export interface TerminalField<Item> {
  title: string
  /** For a column whose title depends on the given options. */
  titleFor?(asked: AskedFor): string
  /** The text to show; a record omits empty fields. */
  text(item: Item, words: TerminalWords): string | undefined
  align?: 'right'
  /** May be truncated to this width on a narrow terminal. */
  shrinkTo?: number
  tone?(item: Item): TerminalTone | undefined
}

/** A table of items that belong to a record. */
export interface TerminalTable<Item> {
  columns: readonly Pick<TerminalField<Item>, 'title' | 'align' | 'shrinkTo'>[]
  rows(item: Item, words: TerminalWords): readonly (readonly string[])[]
  /** After a blank line. */
  isApart?: true
  /** Shown instead of an empty table. */
  empty: string
  /** The sentence below a table that does not show everything. */
  more?(item: Item): string | undefined
}

/** A record: its title, then its fields line by line, then its table. */
export interface TerminalRecord<Item> {
  title?(item: Item): string
  fields: readonly TerminalField<Item>[]
  table?: TerminalTable<Item>
}

/** The description and format of an option. */
export interface CommandOption {
  value?: string
  /** For help, where the description of the field does not fit. */
  summary?: string
  choices?: readonly string[]
  /** Its name on the command line, also as a word: `--permission` for `permissions`. */
  flag?: string
  /** The value to send when it is not given. */
  default?: string
  /** For a list: the text that means an empty one. */
  emptyAs?: string
  /** The text that stands for null, which clears the field. */
  nullAs?: string
  /**
   * How its text becomes a value: `until` takes a day or a duration from now, `since` a time or a
   * duration before now, `seconds` a duration.
   */
  reads?: 'until' | 'since' | 'seconds'
}

/** An option without a value that sets a field to one value: `--suspend`. */
export interface CommandSwitch {
  field: string
  value: unknown
  summary: string
}

/**
 * How the command line offers an operation: `toolcrib <noun> <verb> WORDS --options`. Options come
 * from the query and the body; the fields of an object inside it are options of their own. Without
 * a `list`, a `record` and a `says`, the fields of the answer are shown.
 */
export interface CommandSpec<Output = never> {
  /** Empty for a command that has no verbs: `toolcrib usage`. */
  verb: string
  /** Input fields given as positional words, in order. */
  words?: readonly string[]
  /** The body of a command for one specific change: `pause`. */
  sets?: Readonly<Record<string, unknown>>
  /** Body fields that are options in addition to those the command `sets`. */
  takes?: readonly string[]
  /** Fields that are not options of this command. */
  without?: readonly string[]
  options?: Readonly<Record<string, CommandOption>>
  switches?: Readonly<Record<string, CommandSwitch>>
  /** An option that takes fields of the body as JSON; other options win over it. */
  rest?: { flag: string; summary: string }
  /** Fields or switches of which at least one must be given; `any` for any option at all. */
  needsOneOf?: readonly string[] | 'any'
  /** The question before a change that cannot be undone; `--yes` answers it. */
  asks?(word: string): string
  list?: readonly TerminalField<ItemOf<Output>>[]
  /** Lists one page of this many items. Without it, a list is read to its end. */
  pageSize?: number
  /** Shown instead of an empty list. */
  empty?: string | ((asked: AskedFor, output: Output) => string)
  /** Shown below a page when there are more items. */
  more?: string
  record?: TerminalRecord<Output>
  /** Warnings below a list or a record. */
  remarks?(output: Output): readonly string[]
  /** The sentence shown after a change. */
  says?(output: Output, words: TerminalWords): string
  /** The only text on stdout, for scripts; the sentence then goes to stderr. */
  prints?(output: Output): string
  /** The verb for an operation without an answer: `removed`; default `deleted`. */
  done?: string
  /** The mark before the sentence: ✓ unless set. */
  outcome?(output: Output): 'failed' | 'unknown' | undefined
  /** True where the command exits with 1. */
  isBad?(output: Output): boolean
  /** What to do next, after an arrow; after `prints`, remarks. */
  next?(output: Output): string | readonly string[] | undefined
  /** A remark where no server runs, because nothing happens until one does. */
  whenLocal?: string
}

type ItemOf<Output> = Output extends { items: readonly (infer Item)[] } ? Item : never
