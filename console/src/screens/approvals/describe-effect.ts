import type { Api } from '../../api/client.ts'
import { formatDuration } from '../../ui/format/format-duration.ts'

type Effects = Pick<Api<'ToolDetail'>, 'effect' | 'openWorld' | 'idempotent' | 'undo'>

const words: Record<Effects['effect'], string> = {
  read: 'This only reads data.',
  write: 'This changes data.',
  destructive: 'This deletes data and can’t be undone.',
}

/** The changes that the call would make. */
export function describeEffect(tool: Effects | undefined): string {
  if (tool === undefined) return 'You don’t have access to this tool, so its effect is not shown.'
  const effect = describeOwn(tool)
  return tool.openWorld ? `${effect} It accesses services outside this server.` : effect
}

function describeOwn({ effect, undo }: Effects): string {
  if (undo === undefined) return words[effect]
  const what = effect === 'destructive' ? 'This deletes data' : 'This changes data'
  return `${what}. It can be undone for ${formatDuration(undo.withinMs)}.`
}
