import type { Zip, ZipDeflate } from 'fflate'
import type { WorkspaceFiles } from '../../../core/host/workspace-disk.ts'
import type { WorkspaceEntry } from '../../../core/kernel/context/workspace.ts'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'

/** Beyond this, a zip needs a form that not every program reads. */
const mostBytes = 4_000_000_000
const mostFiles = 65_000

/** A zip of all files of a workspace, made while it is read. Throws before its first byte. */
export async function zipWorkspace(
  files: WorkspaceFiles,
  { maxFiles }: { maxFiles: number },
): Promise<AsyncGenerator<Uint8Array>> {
  const { entries, isPartial } = await files.list('', { recursive: true, limit: maxFiles * 2 })
  const wanted = entries.filter(({ kind }) => kind === 'file' || kind === 'folder')
  const bytes = wanted.reduce((sum, entry) => sum + entry.bytes, 0)
  if (isPartial || bytes > mostBytes || wanted.length > mostFiles) throw tooLarge()
  const { Zip, ZipDeflate } = await import('fflate')
  return zipEntries(files, wanted, { Zip, ZipDeflate })
}

interface Makers {
  Zip: typeof Zip
  ZipDeflate: typeof ZipDeflate
}

async function* zipEntries(
  files: WorkspaceFiles,
  entries: readonly WorkspaceEntry[],
  { Zip, ZipDeflate }: Makers,
): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = []
  let failure: Error | undefined
  const zip = new Zip((error, piece) => {
    if (error === null) ready.push(piece)
    else failure = error
  })
  const take = () => {
    if (failure !== undefined) throw failure
    const taken = ready
    ready = []
    return taken
  }
  for (const entry of entries) {
    const isFolder = entry.kind === 'folder'
    const content = isFolder ? noContent() : await openNow(files, entry.path)
    if (content === undefined) continue
    const file = new ZipDeflate(archiveName(entry), { level: isFolder ? 0 : 3 })
    file.mtime = new Date(entry.modifiedAt)
    zip.add(file)
    for await (const page of content) {
      file.push(page)
      yield* take()
    }
    file.push(new Uint8Array(0), true)
    yield* take()
  }
  zip.end()
  yield* take()
}

async function* noContent(): AsyncGenerator<Uint8Array> {}

/** Undefined for a file that was deleted since it was listed, or is not readable. */
async function openNow(files: WorkspaceFiles, path: string) {
  try {
    return (await files.open(path)).content
  } catch (error) {
    if (isToolError(error)) return undefined
    throw error
  }
}

/** Programs on Windows take `\` for a separator and `C:` for a drive: no name leads anywhere. */
export function archiveName({ path, kind }: Pick<WorkspaceEntry, 'path' | 'kind'>): string {
  const safe = path
    .split('/')
    .map((part) => part.replaceAll(/[\\:]/g, '_').replace(/^\.\.$/, '_'))
    .join('/')
  return kind === 'folder' ? `${safe}/` : safe
}

function tooLarge(): ToolError {
  return new ToolError('quota_exceeded', 'The workspace is too large for a zip', {
    fix: `A zip holds at most ${mostBytes} bytes and ${mostFiles} files: download single files.`,
  })
}
