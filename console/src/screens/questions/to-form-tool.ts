import type { Api } from '../../api/client.ts'
import { toUnknownTool } from '../approvals/unknown-tool.ts'

/** The form renderer draws inputs of tools: this stands in for one that takes the answer. */
export function toFormTool(
  id: string,
  schema: Api<'Question'>['schema'],
  form: Api<'Question'>['form'],
): Api<'ToolDetail'> {
  const inputSchema = (schema ?? {}) as Api<'ToolDetail'>['inputSchema']
  return {
    ...toUnknownTool(id),
    effect: 'write',
    inputSchema,
    ...(form !== undefined && { form }),
  }
}
