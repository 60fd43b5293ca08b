import { ToolError } from '../../../core/kernel/errors.ts'
import type { Finding } from '../../../core/kernel/finding.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import type { SourcePreview, ToolSourceView } from '../../../features/authoring/schemas.ts'
import type { HttpClient } from '../client/http-client.ts'

/** The path of a tool in the API. */
export function toolPath(name: string): string {
  return `/tools/${encodeURIComponent(name)}`
}

/** The tool as its authors see it; undefined if nobody has one of this name. */
export async function findSource(
  client: HttpClient,
  name: string,
): Promise<ToolSourceView | undefined> {
  try {
    return await client.read<ToolSourceView>(`${toolPath(name)}/source`)
  } catch (error) {
    if (error instanceof ToolError && error.code === 'tool_not_found') return undefined
    throw error
  }
}

/** All problems of a document. Nothing is kept. */
export async function checkDocument(
  client: HttpClient,
  document: JsonValue,
): Promise<readonly Finding[]> {
  const body = { document }
  return (await client.read<SourcePreview>('/tools/preview-source', { method: 'POST', body }))
    .findings
}
