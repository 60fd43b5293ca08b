import type { z } from 'zod'
import type { TerminalField, TerminalRecord } from '../../core/operations/command-spec.ts'
import type { workspace, workspaceEntry } from './schemas.ts'

type Workspace = z.output<typeof workspace>
type Entry = z.output<typeof workspaceEntry>

/** One line for each workspace. */
export const workspaceColumns: readonly TerminalField<Workspace>[] = [
  { title: 'id', text: ({ id }) => id, tone: () => 'id' },
  { title: 'session', text: ({ sessionId }) => sessionId, shrinkTo: 12 },
  { title: 'for', text: toUser, shrinkTo: 10 },
  { title: 'mode', text: ({ mode }) => mode },
  { title: 'files', text: ({ files }) => String(files), align: 'right' },
  { title: 'size', text: ({ bytes }) => toSize(bytes), align: 'right' },
  { title: 'used', text: ({ usedAt }, { moment }) => moment(usedAt) },
]

/** Everything about one. */
export const workspaceFacts: TerminalRecord<Workspace> = {
  title: ({ id }) => id,
  fields: [
    { title: 'session', text: ({ sessionId }) => sessionId },
    { title: 'for', text: toUser },
    { title: 'mode', text: ({ mode }) => mode },
    { title: 'files', text: ({ files, maxFiles }) => `${files} of at most ${maxFiles}` },
    {
      title: 'size',
      text: ({ bytes, maxBytes }) => `${toSize(bytes)} of at most ${toSize(maxBytes)}`,
    },
    { title: 'created', text: ({ createdAt }, { moment }) => moment(createdAt) },
    { title: 'used', text: ({ usedAt }, { moment }) => moment(usedAt) },
    { title: 'removed', text: ({ expiresAt }, { moment }) => `${moment(expiresAt)}, if unused` },
  ],
}

/** Files and folders as `ls` shows them. */
export const entryColumns: readonly TerminalField<Entry>[] = [
  {
    title: 'path',
    text: ({ path, kind }) => (kind === 'folder' ? `${path}/` : path),
    shrinkTo: 20,
  },
  { title: 'kind', text: ({ kind }) => kind },
  {
    title: 'size',
    text: ({ kind, bytes }) => (kind === 'folder' ? '' : toSize(bytes)),
    align: 'right',
  },
  { title: 'changed', text: ({ modifiedAt }, { moment }) => moment(modifiedAt) },
]

/** The agent, or else the person or key. */
function toUser({ agent, principal: { kind, id } }: Workspace): string {
  return agent === undefined ? `${kind} ${id}` : `agent ${agent}`
}

function toSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  const units = bytes < 1e6 ? ([1e3, 'KB'] as const) : ([1e6, 'MB'] as const)
  const [unit, name] = units
  return `${(bytes / unit).toFixed(bytes < 10 * unit ? 1 : 0)} ${name}`
}
