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
import { loadResults } from './lazy-results.ts'
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
  /** The tool was removed while the page was open. */
  isGone: boolean
  initial: JsonValue | undefined
  /** The error of loading the call named in the address. */
  missing: string | undefined
}

/** The form on the left, the result on the right. */
export function ToolPage({ tool, isGone, initial, missing }: ToolPageProps) {
  const { name, title, view } = tool
  usePreload(OtherTab.load)
  usePreload(useCallback(() => loadResults(view), [view]))
  const { tab = 'output' } = useSearch({ from: '/tools/$name' })
  const show = useShowTab()
  const run = useToolRun(name)
  // The address fills the form once; after that it belongs to the person.
  const [given] = useState(initial)
  const input = useToolInput({ tool, ...useBeginning(name, given), beside: run?.callId })
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
          <ResultTabs {...{ tool, run, input, fill }} tab={tab} onTab={show} />
        </div>
      </div>
    </Page>
  )
}

interface ResultTabsProps {
  tool: Api<'ToolDetail'>
  run: ReturnType<typeof useToolRun>
  input: ReturnType<typeof useToolInput>
  fill: (value: JsonValue) => void
  tab: string
  onTab: (tab: string) => void
}

function ResultTabs({ tool, run, input, fill, tab, onTab }: ResultTabsProps) {
  const [token, setToken] = useState<string>()
  const snippets = { tool, input, run, token, onToken: setToken }
  return (
    <Tabs value={tab} onChange={(next) => onTab(next ?? 'output')}>
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
  )
}

const tabs = [
  { value: 'output', label: 'Output' },
  { value: 'history', label: 'History' },
  { value: 'code', label: 'Use from code' },
  { value: 'schema', label: 'Schema' },
  { value: 'access', label: 'Access' },
]

/** Tabs are in the address; switching one keeps the scroll position. */
function useShowTab(): (tab: string) => void {
  const navigate = useNavigate({ from: '/tools/$name' })
  return (next) =>
    void navigate({
      search: (before) => ({ ...before, tab: next === 'output' ? undefined : next }),
      replace: true,
      resetScroll: false,
    })
}

/** Shows the input of the result, or what was typed since. */
function useBeginning(name: string, given: JsonValue | undefined) {
  const { call, from } = useSearch({ from: '/tools/$name' })
  const [beginning] = useState(() => {
    if (given !== undefined) return { initial: given }
    const run = toolRuns.of(name)
    return run === undefined ? {} : { value: drafts.read(name, call ?? from) ?? run.input }
  })
  return beginning
}

/** After the form changes, a reload must restore the typed text and not the address's input. */
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
