import { Progress, Tabs } from '@mantine/core'
import { Suspense } from 'react'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { CallResult } from '../../output/call/call-result.tsx'
import { InputView } from '../../input/input-view.tsx'
import { toSafeLine, toSafeText } from '../../output/values/safe-text.ts'
import { OutputView } from '../../output/output-view.tsx'
import { Code } from '../../ui/code.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { usePreload } from '../../ui/use-preload.ts'
import type { CallLog } from './call-log.ts'
import { isSettled } from './use-call.ts'
import { useSessionWorkspace } from '../../workspace/use-session-workspace.ts'
import styles from './call.module.css'

const RawEvents = lazyPart(async () => (await import('./raw-events.tsx')).RawEvents)
const WorkspaceView = lazyPart(
  async () => (await import('../../workspace/workspace-view.tsx')).WorkspaceView,
)
const DecisionTab = lazyPart(async () => (await import('./decision-tab.tsx')).DecisionTab)

export const callTabs = ['output', 'input', 'files', 'events', 'decision'] as const
export type CallTab = (typeof callTabs)[number]

interface CallTabsProps {
  call: Api<'CallRecord'>
  tool: Api<'ToolDetail'> | undefined
  log: CallLog
  tab: CallTab
  onTab: (tab: CallTab) => void
}

/** The output, input, events and decision of a call. */
export function CallTabs({ call, tool, log, tab, onTab }: CallTabsProps) {
  usePreload(RawEvents.load)
  usePreload(DecisionTab.load)
  const workspace = useSessionWorkspace(call.sessionId)
  const shown = tab === 'files' && workspace === undefined ? 'output' : tab
  return (
    <Tabs
      value={shown}
      onChange={(next) => onTab(callTabs.find((one) => one === next) ?? 'output')}
    >
      <Tabs.List>
        <Tabs.Tab value="output">Output</Tabs.Tab>
        <Tabs.Tab value="input">Input</Tabs.Tab>
        {workspace !== undefined && <Tabs.Tab value="files">Files</Tabs.Tab>}
        <Tabs.Tab value="events">Raw events</Tabs.Tab>
        <Tabs.Tab value="decision">Decision</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="output" pt="md">
        <OutputTab call={call} tool={tool} log={log} />
      </Tabs.Panel>
      <Tabs.Panel value="input" pt="md">
        <InputTab input={call.input as JsonValue | undefined} tool={tool} />
      </Tabs.Panel>
      {workspace !== undefined && (
        <Tabs.Panel value="files" pt="md">
          <Suspense fallback={<Loading rows={4} />}>
            <WorkspaceView key={workspace.id} workspace={workspace} />
          </Suspense>
        </Tabs.Panel>
      )}
      <Tabs.Panel value="events" pt="md">
        <Suspense fallback={<Loading rows={4} />}>
          <RawEvents log={log} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="decision" pt="md">
        <Suspense fallback={<Loading rows={4} />}>
          <DecisionTab call={call} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  )
}

function OutputTab({ call, tool, log }: Pick<CallTabsProps, 'call' | 'tool' | 'log'>) {
  if (isSettled(call.status)) {
    return <CallResult call={call} tool={tool} />
  }
  return <RunningOutput log={log} tool={tool} status={call.status} />
}

const expectations: Readonly<Record<string, string>> = {
  queued: 'Queued. It starts as soon as there is capacity.',
  running: 'Running. Output appears here.',
  waiting: 'Waiting. Output appears here once it continues.',
}

interface RunningOutputProps {
  log: CallLog
  tool: Api<'ToolDetail'> | undefined
  status: string
}

/** The progress, text and partial output of a running call. */
export function RunningOutput({ log, tool, status }: RunningOutputProps) {
  const { progress, text, partial } = log
  const { done, total, message } = progress ?? {}
  const isCounted = done !== undefined && total !== undefined && total > 0
  return (
    <div className={styles.running}>
      <output className={styles.progress}>
        <span dir="auto">{toSafeLine(message ?? expectations[status] ?? '')}</span>
        {isCounted && (
          <span className={styles.counted}>
            {done} of {total}
          </span>
        )}
      </output>
      {isCounted && (
        <Progress
          value={Math.min(100, (done / total) * 100)}
          aria-label="Progress"
          transitionDuration={120}
        />
      )}
      {text !== '' && <Code text={toSafeText(text)} label="Text so far" />}
      {partial !== undefined && (
        <OutputView value={partial} isPartial {...(tool !== undefined && { tool })} />
      )}
    </div>
  )
}

function InputTab({ input, tool }: { input: JsonValue | undefined; tool: CallTabsProps['tool'] }) {
  const value = input ?? null
  return (
    <InputView
      title="Input"
      tool={tool}
      value={value}
      actions={<CopyButton text={JSON.stringify(value, null, 2)} label="Copy input" />}
    />
  )
}
