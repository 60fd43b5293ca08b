/**
 * The facts beside a section, by its type: each is another key of the output, which is drawn with the
 * section and not by itself.
 */
export const sectionFields = {
  code: ['path', 'language', 'firstLine', 'lines', 'totalLines', 'truncated'],
  terminal: ['stderr', 'exitCode', 'signal', 'timedOut', 'durationMs', 'truncated'],
  diff: ['files', 'truncated'],
  page: ['url', 'title', 'status', 'format', 'truncated'],
} as const

export type SectionField = (typeof sectionFields)[keyof typeof sectionFields][number]

/** The keys of the output by the facts that they hold. */
export type SectionFields = Partial<Record<SectionField, string>>

/** The facts that a section of this type can have. */
export function fieldsOf(type: string | undefined): readonly SectionField[] {
  return Object.hasOwn(sectionFields, type ?? '')
    ? sectionFields[type as keyof typeof sectionFields]
    : []
}
