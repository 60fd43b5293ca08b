import type { Api } from '../api/client.ts'
import type { JsonValue } from '../api/json.ts'
import { JsonTree } from './json-tree.tsx'

interface OutputViewProps {
  value: JsonValue
  /** How the definition of the tool wants it shown. */
  tool?: Pick<Api<'ToolDetail'>, 'sections' | 'view' | 'outputSchema'>
  /** It is still running: more may come. */
  isPartial?: boolean
}

/** What a tool gave, drawn as its definition says and otherwise by its shape. */
export function OutputView({ value }: OutputViewProps) {
  return <JsonTree value={value} label="Output" />
}
