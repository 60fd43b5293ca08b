import { Button, Kbd } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop, IconPlus, IconRefresh } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Api } from '../../api/client.ts'
import { ToolInput } from '../../form/tool-input.tsx'
import type { ToolInputState } from '../../form/tool-input.tsx'
import { modKey } from '../../ui/mod-key.ts'
import { notifyFailure } from '../../ui/notify.ts'
import { loadResults } from './lazy-results.ts'
import { PreviewButton } from '../../preview/preview-button.tsx'
import { isUnderWay } from './run-state.ts'
import type { RunState } from './run-state.ts'
import { toolRuns } from './tool-runs.ts'
import styles from './tool.module.css'

interface InputPanelProps {
  tool: Api<'ToolDetail'>
  input: ToolInputState
  run: RunState | undefined
  runTool: () => void
  isGone: boolean
}

/** The form, and the Run button, which always stays visible. */
export function InputPanel({ tool, input, run, runTool, isGone }: InputPanelProps) {
  const isBusy = isUnderWay(run)
  const isOff = isGone || tool.state !== 'ready'
  return (
    <section className={styles.input} id="tool-input" aria-label="Run the tool">
      <div className={styles.form}>
        <ToolInput tool={tool} state={input} />
      </div>
      {/* Hovering over the button preloads the result view. */}
      <div
        className={styles.bar}
        onPointerEnter={() => void loadResults(tool.view)}
        onFocus={() => void loadResults(tool.view)}
      >
        {isBusy && run?.callId !== undefined ? (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} stroke={1.6} />}
            loading={run.isCancelling === true}
            onClick={() => void toolRuns.cancel(tool.name).catch(notifyFailure)}
          >
            Cancel
          </Button>
        ) : (
          <Button
            leftSection={<IconPlayerPlay size={16} stroke={1.6} />}
            {...(tool.effect === 'destructive' && { color: 'red' })}
            loading={isBusy}
            disabled={isOff}
            onClick={runTool}
          >
            {runLabel(tool)}
          </Button>
        )}
        {!isBusy && <PreviewButton tool={tool} input={input} isDisabled={isOff} />}
        {isBusy && run?.callId !== undefined ? (
          <LeaveButton tool={tool.name} />
        ) : (
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.6} />}
            onClick={() => input.reset()}
          >
            Reset
          </Button>
        )}
        <span className={styles.hint}>
          Run <Kbd size="xs">{modKey}+↵</Kbd>
        </span>
      </div>
    </section>
  )
}

/** Calls that take long or need approval do not block the next run. */
function LeaveButton({ tool }: { tool: string }) {
  const navigate = useNavigate({ from: '/tools/$name' })
  return (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} stroke={1.6} />}
      onClick={() => {
        toolRuns.leave(tool)
        void navigate({ search: {}, replace: true, resetScroll: false })
      }}
    >
      New run
    </Button>
  )
}

/** The text of the button that runs a tool. */
export function runLabel({ approval }: Pick<Api<'ToolDetail'>, 'approval'>): string {
  return approval === 'always' ? 'Request approval' : 'Run'
}
