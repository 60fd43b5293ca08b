import type { z } from 'zod'
import type { changedFiles } from '../../../../features/workspaces/schemas.ts'
import type { CommandContext } from '../../command.ts'
import { toSafeLine, toSafeText } from '../../output/safe-text.ts'
import type { Format, Screen } from '../../output/screen.ts'

const marks: Readonly<Record<string, Format>> = { '+': 'green', '-': 'red', '@': 'cyan' }

/** Every changed file with its unified diff, as git prints it. */
export function showChanges(
  { screen }: Pick<CommandContext, 'screen'>,
  { items, isPartial }: z.output<typeof changedFiles>,
): void {
  if (items.length === 0) screen.out('No changes since the files were last accepted.')
  for (const { path, change, diff, bytes } of items) {
    screen.out(screen.style('bold', `${change} ${toSafeLine(path)}`))
    if (diff === undefined) screen.out(`${bytes} bytes, without a diff`)
    else showDiff(screen, diff)
  }
  if (isPartial) screen.err('! There are more changes: raise --limit.')
}

function showDiff(screen: Screen, diff: string): void {
  const lines = toSafeText(diff).replace(/\n$/, '').split('\n')
  for (const line of lines) {
    const mark = marks[line.charAt(0)]
    screen.out(mark === undefined ? line : screen.style(mark, line))
  }
}
