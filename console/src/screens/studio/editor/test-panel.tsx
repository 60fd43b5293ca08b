import { Button, Group, Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import type { JsonValue } from '../../../api/json.ts'
import { toProblem } from '../../../api/problem.ts'
import type { ToolInputState } from '../../../form/tool-input.tsx'
import { OutputView } from '../../../output/output-view.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Refused } from '../../../ui/refused.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { isSettled } from '../../call/use-call.ts'
import { LiveForm } from './live-form.tsx'
import { RealRun } from './real-run.tsx'
import type { EditedDocument } from './use-document.ts'

interface TestPanelProps {
  name: string
  form: { tool: Api<'ToolDetail'>; state: ToolInputState }
  open: EditedDocument
}

/** The form as people will see it, and a run of the draft. Only a real run has effects. */
export function TestPanel({ name, form, open }: TestPanelProps) {
  const [isReal, setReal] = useState(false)
  const hasErrors = open.findings.some(({ severity }) => severity === 'error')
  const stop = useRef(new AbortController())
  const test = useMutation({
    mutationFn: async (input: JsonValue) => {
      stop.current = new AbortController()
      await open.flush()
      return read(
        api.POST('/api/v1/tools/{name}/test', {
          params: { path: { name }, header: isReal ? { Prefer: 'respond-async' } : {} },
          body: { input, draft: true, real: isReal },
          signal: stop.current.signal,
        }),
      )
    },
    onError(error) {
      const { code, issues } = toProblem(error)
      if (code === 'invalid_input') form.state.setServerIssues(issues)
    },
  })
  const run = () => form.state.check() && test.mutate(form.state.value)
  const cancel = () => {
    stop.current.abort()
    test.reset()
  }
  return (
    <>
      <LiveForm {...form} />
      <Group justify="space-between" my="md">
        <Switch
          label="Run for real"
          description="Each effect asks you first. Otherwise reads run, and effects are only previewed"
          checked={isReal}
          onChange={({ currentTarget }) => setReal(currentTarget.checked)}
        />
        <Group gap={8}>
          {test.isPending && (
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          )}
          <Button loading={test.isPending} disabled={hasErrors} onClick={run}>
            Test
          </Button>
        </Group>
      </Group>
      {hasErrors && <Notice tone="ask" title="Fix the errors to test it" />}
      {test.isError && <Refused error={test.error} />}
      {test.data !== undefined && <Tested result={test.data} tool={form.tool} />}
    </>
  )
}

interface TestedProps {
  result: Api<'TestedTool'>
  tool: Api<'ToolDetail'>
}

/** A real call may still run. */
function Tested({ result, tool }: TestedProps) {
  const { callId, status } = result
  if (callId === undefined || isSettled(status)) return <TestResult result={result} tool={tool} />
  return <RealRun key={callId} callId={callId} tool={tool} />
}

function TestResult({ result, tool }: TestedProps) {
  const { callId, status, output, error, effects } = result
  const isGood = status === 'completed'
  return (
    <div aria-live="polite">
      <Group gap={8} mb={8}>
        <Tag tone={isGood ? 'allow' : status === 'waiting' ? 'ask' : 'deny'}>{status}</Tag>
        {callId !== undefined && (
          <Link to="/calls/$id" params={{ id: callId }}>
            Open the call
          </Link>
        )}
      </Group>
      {error !== undefined && (
        <Notice tone="deny" title={error.message}>
          {error.fix}
        </Notice>
      )}
      {effects.length > 0 && (
        <Notice tone="ask" title="Not done in this test">
          <ul>
            {effects.map(({ tool: name, summary, problem }, index) => (
              <li key={index}>
                <code>{name}</code> {summary ?? problem}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {output !== undefined && <OutputView value={output as JsonValue} tool={tool} />}
    </div>
  )
}
