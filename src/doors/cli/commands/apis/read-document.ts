import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ToolError } from '../../../../core/kernel/errors.ts'
import type { CommandContext } from '../../command.ts'

/** Larger documents do not fit into a request: they are uploaded first. */
const largestText = 500_000

/** A document of this machine, as a request names it. `-` is stdin. */
export async function readDocument(
  context: CommandContext,
  file: string,
): Promise<{ document: string } | { upload: string }> {
  const { environment } = context
  const bytes =
    file === '-'
      ? await buffer(environment.stdin)
      : await readFileOf(path.resolve(environment.cwd, file))
  if (bytes.length <= largestText) return { document: bytes.toString('utf8') }
  const { client } = await context.connect()
  const { id } = await client.read<{ id: string }>('/uploads', {
    method: 'POST',
    query: { name: file === '-' ? 'document' : path.basename(file) },
    bytes: {
      type: 'application/octet-stream',
      content: new Blob([new Uint8Array(bytes)]),
    },
  })
  return { upload: id }
}

async function readFileOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new ToolError('invalid_request', `${file} can not be read`, {
      cause: error,
      fix: 'Give the path of an OpenAPI document in JSON or YAML.',
    })
  }
}
