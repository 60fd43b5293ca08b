import type { Api } from '../../api/client.ts'

type Effects = Pick<Api<'ToolDetail'>, 'effect' | 'openWorld' | 'idempotent'>

const words: Record<Effects['effect'], string> = {
  read: 'This only reads data.',
  write: 'This changes data.',
  destructive: 'This deletes data and can’t be undone.',
}

/** What the call would do. */
export function describeEffect(tool: Effects | undefined): string {
  if (tool === undefined) return 'You don’t have access to this tool, so its effect is not shown.'
  return tool.openWorld
    ? `${words[tool.effect]} It accesses services outside this server.`
    : words[tool.effect]
}
