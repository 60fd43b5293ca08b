/** Words for values, as the terminal writes them. */
export interface TerminalWords {
  /** A coming moment: `in 12 min`, `tomorrow 09:00`. */
  soon(time: string): string
  /** A moment on the clock of this machine. */
  moment(time: string): string
}

/** How something is coloured: `good` green, `bad` red, `quiet` dim, `id` cyan. */
export type TerminalTone = 'good' | 'bad' | 'quiet' | 'id'

/** One column of a list, or one line of a record. */
export interface TerminalField<Item> {
  title: string
  /** What is shown; a record leaves out what is empty. */
  text(item: Item, words: TerminalWords): string | undefined
  align?: 'right'
  /** May be cut down to this width on a narrow terminal. */
  shrinkTo?: number
  tone?(item: Item): TerminalTone | undefined
}

/** A table of what belongs to a record. */
export interface TerminalTable<Item> {
  columns: readonly Pick<TerminalField<Item>, 'title' | 'align' | 'shrinkTo'>[]
  rows(item: Item, words: TerminalWords): readonly (readonly string[])[]
  /** Shown instead of an empty table. */
  empty: string
  /** The sentence below a table that does not show everything. */
  more?(item: Item): string | undefined
}

/** A record: its title, then its fields line by line, then its table. */
export interface TerminalRecord<Item> {
  title(item: Item): string
  fields: readonly TerminalField<Item>[]
  table?: TerminalTable<Item>
}

/** How an option is described and read. */
export interface CommandOption {
  value?: string
  summary: string
  /** Its name on the command line, where it differs from the field: `--permission` for `permissions`. */
  flag?: string
  /** What is sent when it is not given. */
  default?: string
  /** Of a list: the word that stands for an empty one. */
  emptyAs?: string
}

/** An option without a value that stands for one value of a field: `--suspend`. */
export interface CommandSwitch {
  field: string
  value: unknown
  summary: string
}

/**
 * How the command line offers an operation: `toolcrib <noun> <verb> WORDS --options`. Options come
 * from the query and the body; the fields of an object inside it are options of their own.
 */
export interface CommandSpec<Output = never> {
  verb: string
  /** Fields of the input that are given as words, in order. */
  words?: readonly string[]
  /** The body of a command that stands for one change: `pause`. */
  sets?: Readonly<Record<string, unknown>>
  /** Fields of the body that are options beside what the command `sets`. */
  takes?: readonly string[]
  /** Fields that are no options of this command. */
  without?: readonly string[]
  /** What help says of an option, where the description of the field does not fit. */
  options?: Readonly<Record<string, CommandOption>>
  switches?: Readonly<Record<string, CommandSwitch>>
  /** Fields or switches of which at least one must be given. */
  needsOneOf?: readonly string[]
  list?: readonly TerminalField<ItemOf<Output>>[]
  /** Shown instead of an empty list. */
  empty?: string
  record?: TerminalRecord<Output>
  /** The sentence after a change. */
  says?(output: Output, words: TerminalWords): string
  /** The only text on stdout, for scripts; the sentence then goes to stderr. */
  prints?(output: Output): string
  /** What happened to something that has no answer: `removed`; `deleted` unless set. */
  done?: string
  /** True for an answer that is no success, though it was given. */
  failed?(output: Output): boolean
  /** What leads on from here, after an arrow. */
  next?(output: Output): string | undefined
  /** A remark where no server runs, so that nothing will come of it before one does. */
  whenLocal?: string
}

type ItemOf<Output> = Output extends { items: readonly (infer Item)[] } ? Item : never
