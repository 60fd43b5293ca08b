import { createWriteStream } from 'node:fs'
import { link, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ToolError } from '../../core/kernel/errors.ts'
import type { DownloadTarget, WrittenDownload } from '../../doors/cli/environment.ts'

/** Writes what a server sends into a new file. It has another name until it is complete. */
export async function writeDownload(
  response: Response,
  { to, cwd, name }: DownloadTarget,
): Promise<WrittenDownload> {
  const place = resolve(cwd, to ?? '.')
  const isFolder = (await stat(place).catch(() => undefined))?.isDirectory() === true
  const file = isFolder ? join(place, basename(name)) : place
  const draft = join(dirname(file), `.${basename(file)}.part`)
  try {
    await pipeline(Readable.from(response.body ?? []), createWriteStream(draft))
    // A link fails if the name is taken; renaming would overwrite the file.
    await link(draft, file)
  } catch (error) {
    await response.body?.cancel().catch(() => undefined)
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new ToolError('conflict', `${file} exists already`, {
      fix: 'Name another file with --to, or remove that one.',
    })
  } finally {
    await rm(draft, { force: true })
  }
  return { file, bytes: (await stat(file)).size }
}
