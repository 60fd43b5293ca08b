import type { Api } from '../../api/client.ts'
import { CopyText } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatPlace, useToolFileProblems } from './tool-files.ts'
import styles from './tools.module.css'

/** Tool files that fail to load: where, why, and which version is served in the meantime. */
export function BrokenFiles() {
  const problems = useToolFileProblems()
  if (problems.length === 0) return null
  return (
    <div className={styles.broken}>
      <Notice
        tone="deny"
        title={
          problems.length === 1
            ? 'A tool file failed to load'
            : `${problems.length} tool files failed to load`
        }
        isNews
      >
        <ul>
          {problems.map((problem) => (
            <BrokenFile key={problem.file} problem={problem} />
          ))}
        </ul>
      </Notice>
    </div>
  )
}

function BrokenFile({ problem }: { problem: Api<'ToolFileProblem'> }) {
  const { message, tools } = problem
  return (
    <li>
      <CopyText text={formatPlace(problem)} />
      <p dir="auto">{message}</p>
      <p>
        {tools.length === 0
          ? 'Its tools are not available until it is fixed.'
          : `Serving the last working version of ${tools.join(', ')}.`}
      </p>
    </li>
  )
}
