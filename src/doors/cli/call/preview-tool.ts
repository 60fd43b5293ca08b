import type { PreviewChange, ToolPreview } from '../../../core/kernel/trial/tool-preview.ts'
import type { CommandContext } from '../command.ts'
import type { HttpClient } from '../client/http-client.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine, toSafeText } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { usageError } from '../parse-options.ts'
import type { CallOrder } from './run-call.ts'

/** `call --preview`: shows what the call would do instead of making it. */
export async function previewTool(
  client: HttpClient,
  { tool, body, isAsync }: CallOrder,
  { screen }: Pick<CommandContext, 'screen'>,
): Promise<number> {
  if (isAsync) {
    throw usageError('--preview cannot be queued.', 'Leave out --async, --delay and --priority.')
  }
  const { input, agent, sessionId, timeoutMs } = body
  const preview = await client.read<ToolPreview>(`/tools/${encodeURIComponent(tool)}/preview`, {
    method: 'POST',
    body: { input, agent, sessionId, timeoutMs },
  })
  if (screen.isJson) screen.json(preview)
  else for (const line of toPreviewLines(preview, screen)) screen.out(line)
  return exit.ok
}

/** A preview for people: its summary, a line or a diff for each change, and its warnings. */
export function toPreviewLines(preview: ToolPreview, screen: Pick<Screen, 'style'>): string[] {
  const { summary, changes, count, warnings = [] } = preview
  const left = (count ?? changes.length) - changes.length
  return [
    toSafeLine(summary),
    ...changes.flatMap((change) => toChangeLines(change, screen)),
    ...(left > 0 ? [`… and ${left} more`] : []),
    ...warnings.map((warning) => `${screen.style('yellow', '!')} ${toSafeLine(warning)}`),
  ]
}

function toChangeLines(
  { target, before, after, diff }: PreviewChange,
  { style }: Pick<Screen, 'style'>,
): string[] {
  const head = style('bold', toSafeLine(target))
  if (diff !== undefined) {
    return [
      head,
      ...toSafeText(diff)
        .trimEnd()
        .split('\n')
        .map((line) => `  ${line}`),
    ]
  }
  return [
    head,
    ...(before === undefined ? [] : [style('red', `  - ${toSafeLine(toText(before))}`)]),
    ...(after === undefined ? [] : [style('green', `  + ${toSafeLine(toText(after))}`)]),
  ]
}

function toText(value: NonNullable<PreviewChange['after']> | null): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
