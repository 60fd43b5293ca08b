import type { Experimental_SandboxSession } from 'ai'
import path from 'node:path'
import { arrayBuffer } from 'node:stream/consumers'
import type { Caller } from '../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { CribApi } from '../../features/crib-api.ts'
import type { OpenWorkspaces } from '../../features/workspaces/open-workspaces.ts'
import type { SessionCalls } from './session-calls.ts'

type SessionFiles = Pick<
  Experimental_SandboxSession,
  | 'readFile'
  | 'readBinaryFile'
  | 'readTextFile'
  | 'writeFile'
  | 'writeBinaryFile'
  | 'writeTextFile'
  | 'stat'
  | 'listDirectory'
  | 'deleteFile'
>

export interface SessionFileParts {
  api: Pick<CribApi, 'readArtifact'>
  caller: Caller
  calls: SessionCalls
  workspaces: Pick<OpenWorkspaces, 'open'>
}

/** The most characters of one text for `file.write`. */
const mostChars = 4_000_000
const mostEntries = 20_000

/** The files of a session's workspace, read and changed by calls of the file tools. */
export function sessionFiles(parts: SessionFileParts): SessionFiles {
  return { ...reading(parts), ...looking(parts), ...changing(parts) }
}

type Reading = 'readFile' | 'readBinaryFile' | 'readTextFile'

function reading({ api, caller, calls }: SessionFileParts): Pick<SessionFiles, Reading> {
  async function read(file: string, signal?: AbortSignal): Promise<Uint8Array | null> {
    const input = { path: toPath(file), encoding: 'base64', offset: null, limit: null, tail: null }
    const found = await orNull(calls.call('file.read', input, signal))
    if (found === null) return null
    const { id, bytes } = found.output['artifact'] as { id: string; bytes: number }
    const range = { id: found.callId, artifact: id, offset: 0, limit: bytes }
    return (await api.readArtifact(caller, range)).chunk
  }

  return {
    readBinaryFile: ({ path: file, abortSignal }) => read(file, abortSignal),
    async readFile({ path: file, abortSignal }) {
      const bytes = await read(file, abortSignal)
      return bytes && new Blob([Buffer.from(bytes)]).stream()
    },
    async readTextFile({ path: file, encoding = 'utf-8', startLine, endLine, abortSignal }) {
      const bytes = await read(file, abortSignal)
      if (bytes === null) return null
      const text = new TextDecoder(encoding).decode(bytes)
      if (startLine === undefined && endLine === undefined) return text
      return text
        .split(/(?<=\n)/)
        .slice((startLine ?? 1) - 1, endLine)
        .join('')
    },
  }
}

type Looking = 'stat' | 'listDirectory'

function looking({ caller, calls, workspaces }: SessionFileParts): Pick<SessionFiles, Looking> {
  const files = async () => (await workspaces.open(caller)).files
  return {
    async stat({ path: file }) {
      await calls.assertAllowed('file.list')
      const entry = await orNull((await files()).stat(toPath(file)))
      return entry == null ? null : { type: toType(entry.kind, 'other'), size: entry.bytes }
    },
    async listDirectory({ path: file, abortSignal }) {
      const folder = toPath(file)
      const input = { path: folder, recursive: false, limit: null }
      // Recorded once; a tool lists too few entries for a program.
      if ((await orNull(calls.call('file.list', input, abortSignal))) === null) return null
      const { entries } = await (await files()).list(folder, { limit: mostEntries })
      return entries.map(({ path: place, kind }) => ({
        name: path.posix.basename(place),
        type: toType(kind, 'symlink'),
      }))
    },
  }
}

function changing({
  caller,
  calls,
  workspaces,
}: SessionFileParts): Omit<SessionFiles, Reading | Looking> {
  async function write(file: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    const text = toText(bytes)
    const place = toPath(file)
    if (text !== undefined && text.length <= mostChars) {
      await calls.call('file.write', { path: place, content: text, overwrite: true }, signal)
      return
    }
    // The tool takes text. The same rules decide; the workspace shows the change.
    await calls.assertAllowed('file.write')
    const { files: workspace } = await workspaces.open(caller)
    if ((await workspace.facts()).mode !== 'free') throw needsFree(place)
    signal?.throwIfAborted()
    await workspace.write(place, bytes, { overwrite: true })
  }

  return {
    async writeFile({ path: file, content, abortSignal }) {
      await write(file, new Uint8Array(await arrayBuffer(content)), abortSignal)
    },
    writeBinaryFile: ({ path: file, content, abortSignal }) => write(file, content, abortSignal),
    writeTextFile: async ({ path: file, content, encoding = 'utf-8', abortSignal }) =>
      write(file, encode(content, encoding), abortSignal),
    async deleteFile({ path: file, abortSignal }) {
      const input = { path: toPath(file), recursive: false }
      return (await orNull(calls.call('file.delete', input, abortSignal))) !== null
    },
  }
}

/** Relative to the workspace, which programs see at `/workspace`. */
function toPath(file: string): string {
  const inside = path.posix.relative('/workspace', path.posix.resolve('/workspace', file))
  return inside === '' ? '.' : inside
}

async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise
  } catch (error) {
    if (isToolError(error) && error.code === 'not_found') return null
    throw error
  }
}

/** Undefined for bytes that a text would not keep. */
function toText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function encode(text: string, encoding: string): Uint8Array {
  const name = encoding.toLowerCase().replace('iso-8859-1', 'latin1')
  if (Buffer.isEncoding(name)) return Buffer.from(text, name)
  throw new ToolError('invalid_input', `${encoding} is not an encoding for writing`, {
    fix: 'Use utf-8, utf-16le or latin1, or write bytes.',
  })
}

function toType<Link extends string>(kind: 'file' | 'folder' | 'link' | 'other', link: Link) {
  if (kind === 'folder') return 'directory' as const
  if (kind === 'link') return link
  return kind
}

function needsFree(file: string): ToolError {
  return new ToolError('denied', `${file} can't be written: the workspace is not free to change`, {
    fix: 'Set its mode to free, or write text, which can be approved as a call of file.write.',
  })
}
