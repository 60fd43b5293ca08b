import type { Api } from '../../api/client.ts'
import { toUnknownTool } from '../approvals/unknown-tool.ts'

/** A question as a tool whose input is the answer, because the form renderer draws inputs of tools. */
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
