import type { Api } from '../api/client.ts'
import type { JsonValue } from '../api/json.ts'
import { StatusTag } from '../ui/meaning.tsx'
import { OutputView } from './output-view.tsx'

interface CallResultProps {
  /** A settled or waiting call, or the result of one. */
  call: Api<'CallResult'>
  tool?: Api<'ToolDetail'>
}

/** How a call ended: its output (also when it is too large to be sent whole), its error with the way out, or what it waits for. */
export function CallResult({ call, tool }: CallResultProps) {
  if (call.status !== 'completed') return <StatusTag status={call.status} />
  return <OutputView value={(call.output ?? null) as JsonValue} tool={tool} />
}
