import { quoteName } from '../../core/kernel/text/diff/quote-name.ts'
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
    `diff --git ${quoteName(`a/${from}`)} ${quoteName(`b/${filename}`)}`,
    ...(status === 'added' ? ['new file mode 100644'] : []),
    ...(status === 'removed' ? ['deleted file mode 100644'] : []),
    ...(isMove ? [`${verb} from ${quoteName(from)}`, `${verb} to ${quoteName(filename)}`] : []),
  ]
  if (patch) {
    lines.push(`--- ${status === 'added' ? '/dev/null' : quoteName(`a/${from}`)}`)
    lines.push(`+++ ${status === 'removed' ? '/dev/null' : quoteName(`b/${filename}`)}`, patch)
  }
  return `${lines.join('\n')}\n`
}
