import { z } from 'zod'
import type { ChangedFile } from './pull-request-facts.ts'
import { parseAnswer } from './read-issue.ts'

const fileAnswer = z.object({
  filename: z.string(),
  status: z.string(),
  additions: z.int(),
  deletions: z.int(),
  previous_filename: z.string().nullish(),
  /** Missing for binary and for large files, and for those that were only renamed. */
  patch: z.string().nullish(),
})
type FileAnswer = z.output<typeof fileAnswer>

/** The changed files of a page of GitHub's, and their hunks. */
export function toChangedFiles(value: unknown): { file: ChangedFile; diff: string }[] {
  return parseAnswer(z.array(fileAnswer), value).map((answer) => ({
    file: {
      path: answer.filename,
      previousPath: answer.previous_filename ?? null,
      status: answer.status,
      additions: answer.additions,
      deletions: answer.deletions,
      hasDiff: Boolean(answer.patch),
    },
    diff: toDiff(answer),
  }))
}

/** GitHub gives the hunks only. The lines before them are as git writes them. */
function toDiff({ filename, previous_filename: previous, status, patch }: FileAnswer): string {
  const from = previous ?? filename
  const isMove = status === 'renamed' || status === 'copied'
  const verb = status === 'copied' ? 'copy' : 'rename'
  const lines = [
    `diff --git ${quote(`a/${from}`)} ${quote(`b/${filename}`)}`,
    ...(status === 'added' ? ['new file mode 100644'] : []),
    ...(status === 'removed' ? ['deleted file mode 100644'] : []),
    ...(isMove ? [`${verb} from ${quote(from)}`, `${verb} to ${quote(filename)}`] : []),
  ]
  if (patch) {
    lines.push(`--- ${status === 'added' ? '/dev/null' : quote(`a/${from}`)}`)
    lines.push(`+++ ${status === 'removed' ? '/dev/null' : quote(`b/${filename}`)}`, patch)
  }
  return `${lines.join('\n')}\n`
}

const escapes: Readonly<Record<string, string>> = {
  '"': String.raw`\"`,
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}

/** As git quotes names: one with a line break must not look like a line of the diff. */
function quote(path: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what has to be quoted
  const special = /["\\\u0000-\u001F\u007F]/g
  if (!special.test(path)) return path
  const escape = (one: string) =>
    escapes[one] ?? `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`
  return `"${path.replaceAll(special, escape)}"`
}
