/** Ways in which a file can differ, in plain words. */
export const changeKinds = [
  'added',
  'modified',
  'deleted',
  'renamed',
  'copied',
  'type changed',
  'untracked',
  'conflict',
] as const

export type ChangeKind = (typeof changeKinds)[number]

export interface FileStatus {
  path: string
  /** Its former path, for renamed and copied files. */
  from: string | null
  /** Its change in the next commit. */
  staged: ChangeKind | null
  /** Its change since it was staged. */
  unstaged: ChangeKind | null
}

export interface RepositoryState {
  branch: string | null
  commit: string | null
  upstream: string | null
  ahead: number | null
  behind: number | null
  changes: FileStatus[]
}

const kinds: Readonly<Record<string, ChangeKind>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type changed',
  U: 'conflict',
}

/** Reads `git status --porcelain=v2 --branch -z`. A last entry that was cut off is left out. */
export function parseStatus(text: string): RepositoryState {
  const state: RepositoryState = {
    branch: null,
    commit: null,
    upstream: null,
    ahead: null,
    behind: null,
    changes: [],
  }
  const entries = text.split('\0').slice(0, -1)
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index] ?? ''
    if (entry.startsWith('# ')) readHeader(entry.slice(2), state)
    else if (entry.startsWith('2 ')) {
      index += 1
      const from = entries[index]
      if (from !== undefined) state.changes.push(readChange(entry, from))
    } else if (/^[1u?] /.test(entry)) state.changes.push(readChange(entry, null))
  }
  return state
}

function readHeader(header: string, state: RepositoryState): void {
  const at = header.indexOf(' ')
  const name = header.slice(0, at)
  const value = header.slice(at + 1)
  if (name === 'branch.oid') state.commit = value === '(initial)' ? null : value
  else if (name === 'branch.head') state.branch = value === '(detached)' ? null : value
  else if (name === 'branch.upstream') state.upstream = value
  else if (name === 'branch.ab') {
    const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(value) ?? []
    state.ahead = ahead === undefined ? null : Number(ahead)
    state.behind = behind === undefined ? null : Number(behind)
  }
}

/** The number of fields before the path. */
const fieldsBefore: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 }

function readChange(entry: string, from: string | null): FileStatus {
  const [type = '', codes = ''] = entry.split(' ', 2)
  const path = afterFields(entry, fieldsBefore[type] ?? 1)
  if (type === '?') return { path, from, staged: null, unstaged: 'untracked' }
  if (type === 'u') return { path, from, staged: 'conflict', unstaged: 'conflict' }
  return {
    path,
    from,
    staged: kinds[codes[0] ?? ''] ?? null,
    unstaged: kinds[codes[1] ?? ''] ?? null,
  }
}

/** A path may contain spaces itself. */
function afterFields(entry: string, fields: number): string {
  let at = 0
  for (let field = 0; field < fields; field += 1) at = entry.indexOf(' ', at) + 1
  return entry.slice(at)
}
