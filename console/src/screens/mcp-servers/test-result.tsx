import type { Api } from '../../api/client.ts'
import { Code } from '../../ui/code.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatDuration } from '../../ui/time.tsx'
import styles from './mcp-servers.module.css'

interface TestResultProps {
  result: Api<'McpServerTest'>
}

/** The result of a connection test: the server's tools, or the problem and its fix. */
export function TestResult({ result }: TestResultProps) {
  return result.ok ? <Answers result={result} /> : <Wrong result={result} />
}

function Answers({ result: { durationMs, protocol, about, tools, isLive } }: TestResultProps) {
  return (
    <Notice
      tone="allow"

      title={`Connected: ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'} in ${formatDuration(durationMs)}`}
    >
      {[
        about?.title ?? about?.name,
        about?.version,
        protocol && `protocol ${protocol.version}`,
        isLive && 'tested on the running process',
      ]
        .filter(Boolean)
        .join(' · ')}
      {tools.length > 0 && (
        <p className={styles.names}>{tools.map(({ name }) => name).join(', ')}</p>
      )}
    </Notice>
  )
}

function Wrong({ result: { problem, errorOutput = '' } }: TestResultProps) {
  return (
    <Notice tone="deny" title={problem?.message ?? 'The server does not respond'}>
      {problem?.fix}
      {errorOutput !== '' && <Code text={errorOutput} label="Last output of the program" />}
    </Notice>
  )
}
