/** How one field of a form is shown. */
export interface FormField {
  /** The label above it; derived from its name by default. */
  label?: string
  /** The help below it; its description by default. */
  help?: string
  /** The placeholder while it is empty. */
  placeholder?: string
  /** Its editor. One that can't edit the value is ignored. */
  widget?:
    | 'text'
    | 'textarea'
    | 'secret'
    | 'file'
    | 'select'
    | 'segmented'
    | 'switch'
    | 'slider'
    | 'list'
    | 'json'
  /** Not shown. It needs a default, or must be optional. */
  hidden?: boolean
  /** For an object: its properties in this order. */
  order?: readonly string[]
}

/** The form that people fill in, where the schema alone is not enough. */
export interface FormInput {
  /** These properties come first, in this order. */
  order?: readonly string[]
  /** Groups of fields, after the others. */
  groups?: readonly {
    /** The heading of the group. */
    label: string
    /** A sentence below the heading. */
    description?: string
    /** The names of its properties. */
    fields: readonly string[]
    /** Collapsed until a person opens it, or something in it is invalid. */
    collapsed?: boolean
  }[]
  /** Single fields by their path: `customer.email`, `tasks[].name`, `labels.*`. */
  fields?: Readonly<Record<string, FormField>>
}

/**
 * The format of a value: `percent` is 12.5 for 12.5 %, `fraction` is 0.125, `duration` is in
 * milliseconds.
 */
type ValueFormat =
  | 'text'
  | 'number'
  | 'integer'
  | 'percent'
  | 'fraction'
  | 'currency'
  | 'year'
  | 'date'
  | 'datetime'
  | 'duration'
  | 'bytes'
  | 'link'
  | 'markdown'
  | 'code'

interface Writing {
  /**
   * The format: `percent` is 12.5 for 12.5 %, `fraction` is 0.125, `duration` is in milliseconds.
   */
  format?: ValueFormat
  /** The unit after the value, such as `years`. */
  unit?: string
  /** A three-letter code, such as `EUR`, for `format: 'currency'`. */
  currency?: string
  /** How many decimal places. */
  digits?: number
}

/** A column of a table, or a field of a summary. */
export interface ViewColumnInput extends Writing {
  /** The key in each row. */
  key: string
  /** Its heading; derived from the key by default. */
  label?: string
  /** The alignment of the values in the column. */
  align?: 'left' | 'right' | 'center'
  /** Not shown. */
  hidden?: boolean
  /** The meaning of single values, also shown by colour: `{ low: 'good', high: 'bad' }`. */
  tones?: Readonly<Record<string, 'good' | 'caution' | 'bad' | 'neutral'>>
}

/**
 * Keys beside a section that hold facts about it, and are drawn with it. A fact whose key has its own
 * name, such as `path`, is found without being named here.
 */
export interface SectionFieldsInput {
  /** Code: the path of the file; its name decides the language. */
  path?: string
  /** Code: the language, such as `python`, if there is no path. */
  language?: string
  /** Code: the number of the first line. Default: 1. */
  firstLine?: string
  /** Code: how many lines there are. */
  lines?: string
  /** Code: how many lines the whole file has. */
  totalLines?: string
  /** Terminal: what was written to stderr. */
  stderr?: string
  /** Terminal: the exit code. */
  exitCode?: string
  /** Terminal: the signal that ended the process. */
  signal?: string
  /** Terminal: whether the process ran out of time. */
  timedOut?: string
  /** Terminal: how long it ran, in milliseconds. */
  durationMs?: string
  /** Diff: the files that changed, if the text doesn't have all of them. */
  files?: string
  /** Page: its address. */
  url?: string
  /** Page: its title. */
  title?: string
  /** Page: the HTTP status. */
  status?: string
  /** Page: `markdown`, `text`, `html` or `raw`. */
  format?: string
  /** All four: whether the rest was cut off. */
  truncated?: string
}

/** How one part of the output is drawn. */
export interface ViewSectionInput {
  /** The part: a key, a JSON pointer (`/report/rows`), or `''` for the whole output. */
  path: string
  /** How it is drawn; by its shape by default. */
  kind?:
    | 'summary'
    | 'table'
    | 'chart'
    | 'radar'
    | 'ranking'
    | 'markdown'
    | 'text'
    | 'image'
    | 'audio'
    | 'json'
    | 'code'
    | 'terminal'
    | 'diff'
    | 'page'
  /** The heading above it. */
  title?: string
  /** A sentence below the heading. */
  description?: string
  /** Not shown. */
  hidden?: boolean
  /** The columns of a table, or the fields of a summary, in this order; others follow. */
  columns?: readonly ViewColumnInput[]
  /** Keys beside the part with facts about it: only those that have another name. */
  fields?: SectionFieldsInput
  /** How a chart is drawn. */
  chart?: Writing & {
    /** Lines, bars or a radar. */
    kind?: 'line' | 'bar' | 'radar'
    /** The key along the axis. */
    x?: string
    /** The keys to draw, up to six. */
    series?: readonly {
      /** The key of the values. */
      key: string
      /** The text in the legend. */
      label?: string
    }[]
    /** Stack the bars. */
    isStacked?: boolean
    /** The maximum of the axis. */
    max?: number
  }
  /** How a ranking is drawn. */
  ranking?: {
    /** The key of the figure to rank by. */
    by: string
    /** The key of the name. */
    label?: string
    /** The figure of a full bar. */
    max?: number
  }
}

/** How people see the output. */
export interface ViewInput {
  /** Parts of the output, in this order. */
  sections?: readonly ViewSectionInput[]
  /**
   * Whether parts that no section names are shown. They are always visible in the JSON. Default:
   * `show`.
   */
  rest?: 'show' | 'hide'
}
