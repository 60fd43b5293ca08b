import { useMemo } from 'react'
import type { Api } from '../../../api/client.ts'
import { ToolInput, useToolInput } from '../../../form/tool-input.tsx'
import type { ToolInputState } from '../../../form/tool-input.tsx'
import { textOf } from '../spec/spec-draft.ts'
import type { Draft } from '../spec/spec-draft.ts'

/** The form of a document that is being edited, as people will see it. */
export function useLiveForm(document: Draft): { tool: Api<'ToolDetail'>; state: ToolInputState } {
  const { inputSchema, examples, form } = document
  const name = textOf(document['name'])
  const title = textOf(document['title'])
  const tool = useMemo(
    () => toTool({ name, title, inputSchema, examples, form }),
    [name, title, inputSchema, examples, form],
  )
  return { tool, state: useToolInput({ tool, keepDraft: false }) }
}

interface LiveFacts {
  name: string
  title: string
  inputSchema: unknown
  examples: unknown
  form: unknown
}

/** Only what a form looks at. */
function toTool({ name, title, inputSchema, examples, form }: LiveFacts): Api<'ToolDetail'> {
  const isSchema = typeof inputSchema === 'object' && inputSchema !== null
  return {
    name,
    title: title === '' ? name : title,
    inputSchema: isSchema ? inputSchema : { type: 'object' },
    examples: Array.isArray(examples) ? examples : [],
    ...(form !== undefined && { form }),
  } as Api<'ToolDetail'>
}

export function LiveForm({ tool, state }: { tool: Api<'ToolDetail'>; state: ToolInputState }) {
  return <ToolInput tool={tool} state={state} hasHistory={false} />
}
