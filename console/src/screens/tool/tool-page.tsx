import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { drafts } from '../../form/drafts.ts'
import { useToolInput } from '../../form/tool-input.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading } from '../../ui/loading.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { usePreload } from '../../ui/use-preload.ts'
import { keptTools } from '../tools/kept-tools.ts'
import { InputPanel } from './input-panel.tsx'
import { loadResults } from './late-results.ts'
import { OutputTab } from './output-tab.tsx'
import { useCallInAddress } from './shown-call.ts'
import { ToolBadges, ToolFacts, ToolPin } from './tool-head.tsx'
import { FindingCount, ToolNotices } from './tool-notices.tsx'
import { toolRuns, useToolRun } from './tool-runs.ts'
import { useInSight } from './use-in-sight.ts'
import { useRunTool } from './use-run-tool.ts'
import styles from './tool.module.css'

const OtherTab = lazyPart(async () => (await import('./other-tab.tsx')).OtherTab)

interface ToolPageProps {
  tool: Api<'ToolDetail'>
  /** It was removed while the page was open. */
  isGone: boolean
  initial: JsonValue | undefined
  /** The call that the address names, where it could not be read. */
  missing: string | undefined
}

/** Input at the left, what comes of it at the right. */
export function ToolPage({ tool, isGone, initial, missing }: ToolPageProps) {
  const { name, title, view } = tool
  usePreload(OtherTab.load)
  usePreload(useCallback(() => loadResults(view), [view]))
  const { tab = 'output' } = useSearch({ from: '/tools/$name' })
  const show = useShowTab()
  const run = useToolRun(name)
  // What was given with the address fills the form once; then it is the reader's.
  const [given] = useState(initial)
  const input = useToolInput({ tool, ...useBeginning(name, given), beside: run?.callId })
  const [token, setToken] = useState<string>()
  const results = useRef<HTMLDivElement>(null)
  const bringIntoSight = useInSight(results)
  const runTool = useRunTool({
    tool,
    input,
    isGone,
    onStart: () => {
      show('output')
      bringIntoSight()
    },
  })
  useEffect(() => keptTools.visit({ name, title }), [name, title])
  useOwnAddress(given !== undefined, input.value)
  const { set } = input
  useCallInAddress(name, set)
  const fill = useCallback(
    (value: JsonValue) => {
      set(value)
      document.getElementById('tool-input')?.scrollIntoView({ block: 'start' })
    },
    [set],
  )
  const snippets = { tool, input, run, token, onToken: setToken }
  return (
    <Page
      title={title}
      badges={<ToolBadges tool={tool} />}
      description={<ToolFacts tool={tool} />}
      actions={<ToolPin tool={tool} />}
    >
      <ToolNotices tool={tool} isGone={isGone} missing={missing} />
      <div className={styles.columns}>
        <InputPanel tool={tool} input={input} run={run} runTool={runTool} isGone={isGone} />
        <div
          className={styles.results}
          ref={results}
          {...(run !== undefined && { 'data-run': '' })}
        >
          <Tabs value={tab} onChange={(next) => show(next ?? 'output')}>
            <Tabs.List className={styles.tabs}>
              {tabs.map(({ value, label }) => (
                <Tabs.Tab key={value} value={value}>
                  {label}
                  {value === 'schema' && <FindingCount findings={tool.portability} />}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="output">
              <OutputTab tool={tool} run={run} input={input} fill={fill} snippets={snippets} />
            </Tabs.Panel>
            {tabs.slice(1).map(({ value }) => (
              <Tabs.Panel key={value} value={value}>
                <Suspense fallback={<Loading rows={4} />}>
                  <OtherTab tab={value} tool={tool} fill={fill} snippets={snippets} />
                </Suspense>
              </Tabs.Panel>
            ))}
          </Tabs>
        </div>
      </div>
    </Page>
  )
}

const tabs = [
  { value: 'output', label: 'Output' },
  { value: 'history', label: 'History' },
  { value: 'code', label: 'Use from code' },
  { value: 'schema', label: 'Schema' },
  { value: 'access', label: 'Access' },
]

/** Tabs are in the address; changing one leaves the reader where they are on the page. */
function useShowTab(): (tab: string) => void {
  const navigate = useNavigate({ from: '/tools/$name' })
  return (next) =>
    void navigate({
      search: (before) => ({ ...before, tab: next === 'output' ? undefined : next }),
      replace: true,
      resetScroll: false,
    })
}

/** Beside a result stands the input that made it, or what was typed over it since. */
function useBeginning(name: string, given: JsonValue | undefined) {
  const { call, from } = useSearch({ from: '/tools/$name' })
  const [beginning] = useState(() => {
    if (given !== undefined) return { initial: given }
    const run = toolRuns.of(name)
    return run === undefined ? {} : { value: drafts.read(name, call ?? from) ?? run.input }
  })
  return beginning
}

/** Once the form was changed, a reload must bring back what was typed and not what filled it. */
function useOwnAddress(isGiven: boolean, value: JsonValue): void {
  const navigate = useNavigate({ from: '/tools/$name' })
  const [first] = useState(value)
  const isChanged = isGiven && value !== first && JSON.stringify(first) !== JSON.stringify(value)
  useEffect(() => {
    if (!isChanged) return
    void navigate({
      search: ({ tab, call }) => ({
        ...(tab !== undefined && { tab }),
        ...(call !== undefined && { call }),
      }),
      replace: true,
      resetScroll: false,
    })
  }, [isChanged, navigate])
}
