import { Button, Kbd } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import type { Api } from '../../api/client.ts'
import { ToolInput } from '../../form/tool-input.tsx'
import type { ToolInputState } from '../../form/tool-input.tsx'
import { modKey } from '../../shell/mod-key.ts'
import { sayFailed } from '../../ui/say.ts'
import { loadResults } from './late-results.ts'
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

/** The form, and under it, always in sight, what runs it. */
export function InputPanel({ tool, input, run, runTool, isGone }: InputPanelProps) {
  const isBusy = isUnderWay(run)
  const isOff = isGone || tool.state !== 'ready'
  return (
    <section className={styles.input} id="tool-input" aria-label="Run the tool">
      <div className={styles.form}>
        <ToolInput tool={tool} state={input} />
      </div>
      {/* Whoever comes near the button will want a result. */}
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
            onClick={() => void toolRuns.cancel(tool.name).catch(sayFailed)}
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
            {tool.approval === 'always' ? 'Ask to run' : 'Run'}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} stroke={1.6} />}
          onClick={() => input.reset()}
        >
          Reset
        </Button>
        <span className={styles.hint}>
          <Kbd size="xs">{modKey} ↵</Kbd> runs it
        </span>
      </div>
    </section>
  )
}
