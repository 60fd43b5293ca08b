export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'note'
  text: string
  before?: number
  after?: number
}

export interface DiffHunk {
  /** The function or heading around the hunk, as the diff names it. */
  place: string
  lines: DiffLine[]
}

export interface DiffFile {
  path: string
  /** Its path before, if it was renamed or copied. */
  from?: string
  change: 'changed' | 'added' | 'deleted' | 'renamed' | 'binary'
  added: number
  removed: number
  hunks: DiffHunk[]
}

/** The files of a unified diff; empty if the text is not a diff. */
export function parseDiff(text: string): DiffFile[] {
  const reader = new DiffReader()
  for (const line of text.split('\n')) reader.read(line.endsWith('\r') ? line.slice(0, -1) : line)
  return reader.files.filter(
    ({ hunks, change, from }) => hunks.length > 0 || change !== 'changed' || from !== undefined,
  )
}

const hunkHead = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/

/** Reads line by line. Inside a hunk its counts decide: a removed `-- x` does not start a file. */
class DiffReader {
  readonly files: DiffFile[] = []
  #file: DiffFile | undefined
  #hunk: DiffHunk | undefined
  #before = 0
  #after = 0
  #left = { before: 0, after: 0 }

  read(line: string): void {
    if (this.#hunk !== undefined && (this.#left.before > 0 || this.#left.after > 0)) {
      if (this.#readInHunk(line)) return
      this.#left = { before: 0, after: 0 }
    }
    if (line.startsWith('\\') && this.#hunk !== undefined) {
      this.#hunk.lines.push({ kind: 'note', text: line.slice(1).trim() })
      return
    }
    const head = hunkHead.exec(line)
    if (head !== null && this.#file !== undefined) this.#startHunk(this.#file, head)
    else this.#readHead(line)
  }

  #startHunk(file: DiffFile, [, before, beforeCount, after, afterCount, place]: string[]): void {
    this.#before = Number(before)
    this.#after = Number(after)
    this.#left = { before: Number(beforeCount ?? 1), after: Number(afterCount ?? 1) }
    this.#hunk = { place: place ?? '', lines: [] }
    file.hunks.push(this.#hunk)
  }

  #readInHunk(line: string): boolean {
    const lines = this.#hunk?.lines ?? []
    const text = line.slice(1)
    switch (line.charAt(0)) {
      case '+':
        lines.push({ kind: 'added', text, after: this.#after++ })
        this.#left.after -= 1
        if (this.#file !== undefined) this.#file.added += 1
        return true
      case '-':
        lines.push({ kind: 'removed', text, before: this.#before++ })
        this.#left.before -= 1
        if (this.#file !== undefined) this.#file.removed += 1
        return true
      // Some programs leave the blank before an empty line out.
      case '':
      case ' ':
        lines.push({ kind: 'same', text, before: this.#before++, after: this.#after++ })
        this.#left.before -= 1
        this.#left.after -= 1
        return true
      case '\\':
        lines.push({ kind: 'note', text: text.trim() })
        return true
      default:
        return false
    }
  }

  #readHead(line: string): void {
    if (line.startsWith('diff --git ')) return this.#startFile(pathsOfGit(line))
    if (line.startsWith('--- ')) return this.#readBefore(toPath(line.slice(4)))
    const file = this.#file
    if (file === undefined) return
    if (line.startsWith('+++ ')) readAfter(file, toPath(line.slice(4)))
    else if (line.startsWith('new file')) file.change = 'added'
    else if (line.startsWith('deleted file')) file.change = 'deleted'
    else if (/^(?:rename|copy) from /.test(line)) {
      file.from = unquote(line.replace(/^\w+ from /, ''))
      file.change = 'renamed'
    } else if (/^(?:rename|copy) to /.test(line)) file.path = unquote(line.replace(/^\w+ to /, ''))
    else if (/^(?:Binary files |GIT binary patch)/.test(line)) file.change = 'binary'
  }

  /** Without git, `---` is where a file begins. */
  #readBefore(path: string | undefined): void {
    if (this.#file === undefined || this.#file.hunks.length > 0) this.#startFile(path ?? '')
    if (this.#file === undefined) return
    if (path === undefined) this.#file.change = 'added'
    else if (this.#file.path === '') this.#file.path = path
  }

  #startFile(path: string): void {
    this.#file = { path, change: 'changed', added: 0, removed: 0, hunks: [] }
    this.#hunk = undefined
    this.files.push(this.#file)
  }
}

function readAfter(file: DiffFile, path: string | undefined): void {
  if (path === undefined) file.change = 'deleted'
  else file.path = path
}

/** `diff --git a/x b/x`; undefined of a rename is filled in by the lines that follow. */
function pathsOfGit(line: string): string {
  const rest = line.slice('diff --git '.length)
  const middle = rest.indexOf(' b/')
  return unquote(middle < 0 ? rest : rest.slice(middle + 3))
}

/** `a/src/x.ts\t2026-01-01`: undefined for `/dev/null`. */
function toPath(said: string): string | undefined {
  const path = unquote(said.split('\t', 1)[0] ?? '')
  if (path === '/dev/null') return undefined
  return path.replace(/^[ab]\//, '')
}

function unquote(path: string): string {
  return path.startsWith('"') && path.endsWith('"') ? path.slice(1, -1) : path
}
