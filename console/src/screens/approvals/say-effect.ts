import type { Api } from '../../api/client.ts'

type Effects = Pick<Api<'ToolDetail'>, 'effect' | 'openWorld' | 'idempotent'>

const words: Record<Effects['effect'], string> = {
  read: 'It reads and changes nothing.',
  write: 'It changes something.',
  destructive: 'It deletes or overwrites; that can’t be taken back.',
}

/** What a yes brings about, in words. */
export function sayEffect(tool: Effects | undefined): string {
  if (tool === undefined) return 'You don’t see this tool, so what it does is not known here.'
  return tool.openWorld
    ? `${words[tool.effect]} It reaches outside of this crib.`
    : words[tool.effect]
}
