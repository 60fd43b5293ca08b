import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { HttpClient } from '../client/http-client.ts'
import type { CliEnvironment } from '../environment.ts'
import { toMediaType } from './media-types.ts'

/** A file on disk, read while it is sent, and not held in memory. */
export interface FileToSend {
  name: string
  type: string
  content: Blob
}

/** Opens a file to send. `what` begins the error of one that can't be read. */
export async function openAsFile(
  path: string,
  { cwd }: Pick<CliEnvironment, 'cwd'>,
  { what, fix }: { what: string; fix: string },
): Promise<FileToSend> {
  const file = resolve(cwd, path)
  try {
    if (!(await stat(file)).isFile()) throw new Error(`${file} is not a file`)
    return { name: basename(file), type: toMediaType(file), content: await openAsBlob(file) }
  } catch (error) {
    throw new ToolError('invalid_request', `${what}: ${file} could not be read.`, {
      fix,
      cause: error,
    })
  }
}

/** Uploads a file for calls. */
export function uploadFile(
  client: HttpClient,
  { name, type, content }: FileToSend,
): Promise<{ uri: string }> {
  return client.read('/uploads', { method: 'POST', query: { name }, bytes: { type, content } })
}
