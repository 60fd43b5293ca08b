import type { Processes } from '../../../core/kernel/context/processes.ts'
import { git } from '../run-git.ts'

/** How the two sides of a merge disagree about a file. */
export const conflictKinds = [
  'changed by both',
  'added by both',
  'deleted by both',
  'deleted here',
  'deleted there',
  'added here',
  'added there',
] as const

export interface FileConflict {
  path: string
  change: (typeof conflictKinds)[number]
}

/** By the versions that there are: 1 is the common ancestor, 2 ours, 3 theirs. */
const kinds: Readonly<Record<string, FileConflict['change']>> = {
  '123': 'changed by both',
  '23': 'added by both',
  '1': 'deleted by both',
  '13': 'deleted here',
  '12': 'deleted there',
  '2': 'added here',
  '3': 'added there',
}

/** The files of a merge that are not resolved yet. */
export async function readConflicts(
  processes: Processes,
  cwd: string | null,
): Promise<FileConflict[]> {
  const args = ['ls-files', '--unmerged', '--full-name', '-z', '--', ':/']
  const env = { GIT_LITERAL_PATHSPECS: '0' }
  return parseUnmerged(await git(processes, { cwd, args, env }))
}

/** Reads `git ls-files --unmerged -z`, whose entries are `<mode> <object> <stage>\t<path>`. */
export function parseUnmerged(text: string): FileConflict[] {
  const stages = new Map<string, string>()
  for (const entry of text.split('\0').slice(0, -1)) {
    const [facts, path] = splitOnce(entry, '\t')
    stages.set(path, `${stages.get(path) ?? ''}${facts.slice(-1)}`)
  }
  return [...stages].map(([path, found]) => ({
    path,
    change: kinds[found] ?? 'changed by both',
  }))
}

function splitOnce(text: string, by: string): [string, string] {
  const at = text.indexOf(by)
  return [text.slice(0, at), text.slice(at + by.length)]
}
