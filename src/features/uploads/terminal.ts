import type { z } from 'zod'
import type { TerminalField, TerminalRecord } from '../../core/operations/command-spec.ts'
import type { upload } from './schemas.ts'

type Shown = z.output<typeof upload>

/** One line for each upload. */
export const uploadColumns: readonly TerminalField<Shown>[] = [
  { title: 'id', text: ({ id }) => id, tone: () => 'id' },
  { title: 'name', text: ({ name }) => name, shrinkTo: 16 },
  { title: 'type', text: ({ mediaType }) => mediaType, shrinkTo: 10 },
  { title: 'bytes', text: ({ bytes }) => String(bytes), align: 'right' },
  { title: 'uploaded', text: ({ createdAt }, { moment }) => moment(createdAt) },
]

/** Everything about one. */
export const uploadFacts: TerminalRecord<Shown> = {
  title: ({ name }) => name,
  fields: [
    { title: 'uri', text: ({ uri }) => uri },
    { title: 'type', text: ({ mediaType }) => mediaType },
    { title: 'bytes', text: ({ bytes }) => String(bytes) },
    { title: 'sha256', text: ({ sha256 }) => sha256 },
    { title: 'by', text: ({ principal: { kind, id } }) => `${kind} ${id}` },
    { title: 'uploaded', text: ({ createdAt }, { moment }) => moment(createdAt) },
    { title: 'kept until', text: ({ keptUntil }, { moment }) => `${moment(keptUntil)}, if unused` },
  ],
}
