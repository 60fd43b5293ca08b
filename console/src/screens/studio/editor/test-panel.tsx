import { Button, Group, Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import type { JsonValue } from '../../../api/json.ts'
import { toProblem } from '../../../api/problem.ts'
import type { ToolInputState } from '../../../form/tool-input.tsx'
import { OutputView } from '../../../output/output-view.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Refused } from '../../../ui/refused.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { LiveForm } from './live-form.tsx'
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
  const test = useMutation({
    mutationFn: async (input: JsonValue) => {
      await open.flush()
      return read(
        api.POST('/api/v1/tools/{name}/test', {
          params: { path: { name } },
          body: { input, draft: true, real: isReal },
        }),
      )
    },
    onError(error) {
      const { code, issues } = toProblem(error)
      if (code === 'invalid_input') form.state.setServerIssues(issues)
    },
  })
  const run = () => form.state.check() && test.mutate(form.state.value)
  return (
    <>
      <LiveForm {...form} />
      <Group justify="space-between" my="md">
        <Switch
          label="Run for real"
          description="Otherwise reads run, and effects are only previewed"
          checked={isReal}
          onChange={({ currentTarget }) => setReal(currentTarget.checked)}
        />
        <Button loading={test.isPending} disabled={hasErrors} onClick={run}>
          Test
        </Button>
      </Group>
      {hasErrors && <Notice tone="ask" title="Fix the errors to test it" />}
      {test.isError && <Refused error={test.error} />}
      {test.data !== undefined && <TestResult result={test.data} tool={form.tool} />}
    </>
  )
}

function TestResult({ result, tool }: { result: Api<'TestedTool'>; tool: Api<'ToolDetail'> }) {
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
