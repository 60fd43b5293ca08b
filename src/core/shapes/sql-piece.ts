/** Part of a statement: its text, cut where values belong. There is one text more than values. */
export interface SqlPiece {
  readonly texts: readonly string[]
  readonly values: readonly string[]
}

/** SQL from pieces. Values can’t get into its text, because a string is not a piece. */
export function sql(texts: TemplateStringsArray, ...inner: readonly SqlPiece[]): SqlPiece {
  return inner.reduce(
    (before, piece, index) => {
      return append(append(before, piece), rawSql(texts[index + 1] ?? ''))
    },
    rawSql(texts[0] ?? ''),
  )
}

/** SQL as a programmer wrote it. */
export function rawSql(text: string): SqlPiece {
  return { texts: [text], values: [] }
}

/** A value. It is sent as text whatever its type, so that no driver guesses. */
export function sqlValue(value: string): SqlPiece {
  return { texts: ['cast(', ' as text)'], values: [value] }
}

/** All in parentheses; `empty` if there are none. */
export function joinSql(pieces: readonly SqlPiece[], by: string, empty: string): SqlPiece {
  const [first, ...others] = pieces
  if (first === undefined) return rawSql(empty)
  const joined = others.reduce((before, piece) => append(append(before, rawSql(by)), piece), first)
  return sql`(${joined})`
}

/** The text with `$1`, `$2` … and the values for them. */
export function toStatement(
  { texts, values }: SqlPiece,
  first = 1,
): { text: string; values: string[] } {
  const numbered = texts.map((text, index) => (index === 0 ? text : `$${first + index - 1}${text}`))
  return { text: numbered.join(''), values: [...values] }
}

function append(left: SqlPiece, right: SqlPiece): SqlPiece {
  const border = `${left.texts.at(-1) ?? ''}${right.texts[0] ?? ''}`
  return {
    texts: [...left.texts.slice(0, -1), border, ...right.texts.slice(1)],
    values: [...left.values, ...right.values],
  }
}
