import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Api } from '../../api/client.ts'
import { CopyText } from '../../ui/copy.tsx'
import { Tag } from '../../ui/tag.tsx'
import { formatPlace } from '../tools/tool-files.ts'
import { MendLink } from '../tools/tool-needs.tsx'
import styles from './tool.module.css'

interface ToolNoticesProps {
  tool: Api<'ToolDetail'>
  isGone: boolean
  missing: string | undefined
}

/** Problems that prevent a run, and warnings to read first. */
export function ToolNotices({ tool, isGone, missing }: ToolNoticesProps) {
  return (
    <>
      {isGone && (
        <Notice title="This tool is no longer available">
          It was removed, or you lost access to it. Your input is kept, so you can run it when the
          tool is available again.
        </Notice>
      )}
      {!isGone && tool.state !== 'ready' && (
        <Notice title={toSentence(tool.reason ?? 'It can’t run now')}>
          {tool.fix !== undefined && <span dir="auto">{toSentence(tool.fix)} </span>}
          <MendLink tool={tool} />
        </Notice>
      )}
      {missing !== undefined && (
        <Notice title="This call can’t be shown here">
          {missing} doesn’t exist, belongs to another tool, or isn’t visible to you.
        </Notice>
      )}
      {tool.lastWorking !== undefined && (
        <Notice title="Serving the last working version">
          <LoadProblem problem={tool.lastWorking.problem} />
        </Notice>
      )}
      {tool.warnings.map((warning) => (
        <Notice key={warning} title="Definition warning">
          <span dir="auto">{warning}</span>
        </Notice>
      ))}
    </>
  )
}

function LoadProblem({ problem }: { problem: Api<'ToolFileProblem'> | undefined }) {
  if (problem === undefined) return 'Its file no longer loads.'
  return (
    <span dir="auto">
      <CopyText text={formatPlace(problem)} /> does not load: {problem.message}
    </span>
  )
}

/** What model providers would refuse or ignore in the input schema. */
export function Portability({ findings }: { findings: Api<'ToolDetail'>['portability'] }) {
  if (findings.length === 0) return null
  return (
    <Alert
      className={styles.notice}
      variant="default"
      icon={<IconInfoCircle size={18} stroke={1.6} />}
      title="Some models will reject this schema"
    >
      <ul className={styles.findings}>
        {findings.map(({ provider, path, message }) => (
          <li key={provider + path + message}>
            <b>{provider}</b> <code>{path || '/'}</code> {message}
          </li>
        ))}
      </ul>
    </Alert>
  )
}

/** The number of warnings, on the tab. */
export function FindingCount({ findings }: { findings: Api<'ToolDetail'>['portability'] }) {
  if (findings.length === 0) return null
  return (
    <>
      {' '}
      <Tag tone="ask">
        {findings.length}
        <span className="visually-hidden"> warnings</span>
      </Tag>
    </>
  )
}

function Notice({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Alert
      className={styles.notice}
      data-tone="ask"
      variant="default"
      icon={<IconAlertTriangle size={18} stroke={1.6} />}
      title={title}
    >
      {children}
    </Alert>
  )
}

function toSentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
