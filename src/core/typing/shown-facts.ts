/** How one field of a form is filled in. */
export interface FormField {
  /** What stands above it; made from its name unless given. */
  label?: string
  /** What stands below it; its description unless given. */
  help?: string
  /** What stands in it while it is empty. */
  placeholder?: string
  /** What it is filled in with. One that can't hold the value is ignored. */
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
  /** Of an object: its properties in this order. */
  order?: readonly string[]
}

/** The form that people fill in, where the schema alone does not say it well. */
export interface FormInput {
  /** These properties come first, in this order. */
  order?: readonly string[]
  /** Fields that stand together, behind the others. */
  groups?: readonly {
    /** The heading of the group. */
    label: string
    /** A sentence below the heading. */
    description?: string
    /** The names of its properties. */
    fields: readonly string[]
    /** Closed until somebody opens it, or something in it is wrong. */
    collapsed?: boolean
  }[]
  /** Single fields by their path: `customer.email`, `tasks[].name`, `labels.*`. */
  fields?: Readonly<Record<string, FormField>>
}

/** How a value is written: `percent` is 12.5 for 12.5 %, `fraction` is 0.125, `duration` is in milliseconds. */
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
  /** How it is written: `percent` is 12.5 for 12.5 %, `fraction` is 0.125, `duration` is in milliseconds. */
  format?: ValueFormat
  /** What stands behind the value, such as `years`. */
  unit?: string
  /** A code of three letters, such as `EUR`, for `format: 'currency'`. */
  currency?: string
  /** How many digits behind the point. */
  digits?: number
}

/** A column of a table, or a field of a summary. */
export interface ViewColumnInput extends Writing {
  /** The key of the rows. */
  key: string
  /** Its heading; made from the key unless given. */
  label?: string
  /** Where the value stands in its column. */
  align?: 'left' | 'right' | 'center'
  /** Not shown. */
  hidden?: boolean
  /** What single values mean, also by colour: `{ low: 'good', high: 'bad' }`. */
  tones?: Readonly<Record<string, 'good' | 'caution' | 'bad' | 'neutral'>>
}

/** How one part of the output is drawn. */
export interface ViewSectionInput {
  /** Which part: a key, a JSON pointer (`/report/rows`), or `''` for the whole output. */
  path: string
  /** What it is drawn as; by its shape unless given. */
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
  /** The heading above it. */
  title?: string
  /** A sentence below the heading. */
  description?: string
  /** Not shown. */
  hidden?: boolean
  /** The columns of a table, or the fields of a summary, in this order; others follow. */
  columns?: readonly ViewColumnInput[]
  /** How a chart is drawn. */
  chart?: Writing & {
    /** Lines, bars or a radar. */
    kind?: 'line' | 'bar' | 'radar'
    /** The key along the axis. */
    x?: string
    /** The keys that are drawn, up to six. */
    series?: readonly {
      /** The key of the values. */
      key: string
      /** What the legend says. */
      label?: string
    }[]
    /** Bars on top of each other. */
    isStacked?: boolean
    /** The end of the axis. */
    max?: number
  }
  /** How a ranking is drawn. */
  ranking?: {
    /** The key of the figure that ranks. */
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
  /** Whether what no section names is shown. It hides nothing from whoever opens the JSON. Default: `show`. */
  rest?: 'show' | 'hide'
}
