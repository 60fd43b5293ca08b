import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { AccessTab } from './access-tab.tsx'
import { CodeTab } from './code/code-tab.tsx'
import type { SnippetProps } from './code/code-tab.tsx'
import { HistoryTab } from './history-tab.tsx'
import { SchemaTab } from './schema-tab.tsx'

export interface OtherTabProps {
  tab: string
  tool: Api<'ToolDetail'>
  fill: (input: JsonValue) => void
  snippets: SnippetProps
}

/** The tabs beside the output; loaded after the page. */
export function OtherTab({ tab, tool, fill, snippets }: OtherTabProps) {
  if (tab === 'history') return <HistoryTab tool={tool.name} fill={fill} />
  if (tab === 'code') return <CodeTab {...snippets} />
  return tab === 'schema' ? <SchemaTab tool={tool} /> : <AccessTab tool={tool} />
}
