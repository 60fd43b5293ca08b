import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useDeferredValue, useEffect, useEffectEvent, useState } from 'react'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { withoutSecrets } from '../../form/model/clean.ts'
import { isSameInput } from '../../form/model/same-input.ts'
import type { ToolInputState } from '../../form/tool-input.tsx'
import { Panel } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useOpenCalls } from './open-calls.ts'
import { runLabel } from './input-panel.tsx'
import { toolRuns } from './tool-runs.ts'

interface NothingYetProps {
  tool: Api<'ToolDetail'>
  input: ToolInputState
  fill: (input: JsonValue) => void
}

/** Before the first run: instructions, and the calls in progress. Your own is shown at once. */
export function NothingYet({ tool, input, fill }: NothingYetProps) {
  const { own, other } = useOpenCalls(tool.name)
  const [first] = useState(input.value)
  const show = useEffectEvent((call: Api<'CallRecord'>) => {
    toolRuns.show(tool.name, call)
    const isUntouched = !input.hasDraft && isSameInput(first, input.value)
    if (isUntouched) input.set(withoutSecrets(input.store.model, (call.input ?? {}) as JsonValue))
  })
  useEffect(() => {
    if (own !== undefined) show(own)
  }, [own])
  const value = useDeferredValue(input.value)
  const [example] = tool.examples
  const isReady = tool.state === 'ready'
  const filledWith = tool.examples.find((one) => isSameInput((one.input ?? {}) as JsonValue, value))
  return (
    <Panel>
      <Empty
        title={isReady ? 'Ready to run' : 'Can’t run now'}
        icon={<IconPlayerPlay size={24} stroke={1.5} aria-hidden="true" />}
        actions={
          <>
            {example !== undefined && filledWith === undefined && (
              <Button variant="default" onClick={() => fill(example.input as JsonValue)}>
                Fill in “{example.label}”
              </Button>
            )}
            {other !== undefined && (
              <Button variant="default" onClick={() => toolRuns.show(tool.name, other)}>
                Show the {other.status} call
              </Button>
            )}
          </>
        }
      >
        {isReady
          ? describeNext(runLabel(tool), filledWith?.label, input.store.fits())
          : 'Solve the problem shown above first.'}
      </Empty>
    </Panel>
  )
}

function describeNext(button: string, example: string | undefined, isComplete: boolean): string {
  if (example !== undefined) {
    return `The form contains the example “${example}”. Press ${button} to see the result here.`
  }
  return isComplete
    ? `Press ${button} to see the result here.`
    : `Fill in the form and press ${button}. The result appears here.`
}
