import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { TerminalView } from '../../output/lazy-drawings.ts'
import { formatBytes } from '../../ui/format/format-bytes.ts'
import { Loading } from '../../ui/loading.tsx'
import { Failed } from '../../ui/states.tsx'
import type { WorkspaceProcess } from './process-queries.ts'
import { useProcessOutput } from './use-process-output.ts'

interface ProcessOutputProps {
  id: string
  process: WorkspaceProcess
}

/** The live output of a process. */
export function ProcessOutputView({ id, process }: ProcessOutputProps) {
  const isRunning = process.state === 'running'
  const [isFollowing, setFollowing] = useState(true)
  const output = useProcessOutput({ id, pid: process.pid }, isRunning && isFollowing)
  if (output.error !== undefined && output.stdout === '' && output.stderr === '') {
    return <Failed error={output.error} retry={output.retry} />
  }
  return (
    <Suspense fallback={<Loading rows={3} height={20} />}>
      <TerminalView
        text={output.stdout}
        stderr={output.stderr}
        label={`Output of process ${process.pid}`}
        isLive={isRunning && isFollowing}
        facts={<Facts dropped={output.dropped} isFollowing={isRunning && isFollowing} />}
        actions={
          isRunning && (
            <Button variant="subtle" size="compact-xs" onClick={() => setFollowing(!isFollowing)}>
              {isFollowing ? 'Stop following' : 'Follow'}
            </Button>
          )
        }
      />
    </Suspense>
  )
}

function Facts({ dropped, isFollowing }: { dropped: number; isFollowing: boolean }) {
  return (
    <span>
      {isFollowing ? 'Output, live' : 'Output'}
      {dropped > 0 && ` · ${formatBytes(dropped)} of earlier output are no longer kept`}
    </span>
  )
}
