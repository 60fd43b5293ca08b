import { useEffect, useEffectEvent } from 'react'
import type { Api } from '../../api/client.ts'
import type { ToolInputState } from '../../form/tool-input.tsx'
import { firstSteps } from '../first-steps/first-steps-store.ts'
import { isUnderWay } from './run-state.ts'
import type { RunState } from './run-state.ts'
import { toolRuns } from './tool-runs.ts'

interface RunToolOptions {
  tool: Api<'ToolDetail'>
  input: ToolInputState
  isGone: boolean
  onStart: () => void
}

/** Runs the tool with the form's input, by button or keyboard. */
export function useRunTool({ tool, input, isGone, onStart }: RunToolOptions): () => void {
  const runTool = async () => {
    const isOff = isGone || tool.state !== 'ready' || isUnderWay(toolRuns.of(tool.name))
    if (isOff || !input.check()) return
    const ended = toolRuns.start(tool.name, input.value)
    onStart()
    const run = await ended
    if (run !== undefined) takeIn(run, input)
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isRun = event.key === 'Enter' && (event.metaKey || event.ctrlKey) && !event.repeat
    if (!isRun || event.defaultPrevented || isInDialog(event.target)) return
    event.preventDefault()
    void runTool()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
  return () => void runTool()
}

/** The outcome, as far as the form needs it. */
function takeIn(run: RunState, input: ToolInputState): void {
  input.setServerIssues(run.problem?.issues ?? run.result?.error?.issues?.map(toIssue) ?? [])
  if (run.phase === 'settled') input.dropDraft()
  if (run.result?.status === 'completed') firstSteps.mark('run')
}

function toIssue({ path, message }: Api<'Issue'>) {
  return { pointer: path, message }
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null
}
