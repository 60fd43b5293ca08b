import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../api/client.ts'
import type { Api } from '../api/client.ts'
import type { JsonValue } from '../api/json.ts'
import { toProblem } from '../api/problem.ts'
import { StatusTag } from '../ui/status-tags.tsx'
import { TimeAgo } from '../ui/time.tsx'
import { summarizeInputs } from './model/labels/summarize-inputs.ts'
import styles from './form.module.css'

interface FillMenuProps {
  tool: Pick<Api<'ToolDetail'>, 'name' | 'examples'>
  hasHistory: boolean
  isDisabled: boolean
  fill(input: JsonValue): void
}

/** Ready inputs: the examples of the definition, and what was sent before. */
export function FillMenu({ tool, hasHistory, isDisabled, fill }: FillMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const hasExamples = tool.examples.length > 0
  // Without examples the earlier calls decide whether there is anything to offer.
  const calls = useEarlier(tool.name, hasHistory && (isOpen || !hasExamples))
  const hasEarlier = distinct(calls.data?.items ?? []).length > 0
  if (!hasExamples && !hasEarlier) return null
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-start" width={360}>
      <Menu.Target>
        <Button
          variant="default"
          size="compact-sm"
          h={30}
          disabled={isDisabled}
          rightSection={<IconChevronDown size={14} stroke={1.6} />}
        >
          Fill from
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {tool.examples.length > 0 && <Menu.Label>Examples</Menu.Label>}
        {tool.examples.map(({ label, input }) => (
          <Menu.Item key={label} onClick={() => fill((input ?? {}) as JsonValue)}>
            <span dir="auto">{label}</span>
          </Menu.Item>
        ))}
        {hasHistory && <Earlier calls={calls} fill={fill} />}
      </Menu.Dropdown>
    </Menu>
  )
}

function useEarlier(tool: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['calls', 'inputs', tool],
    queryFn: () => read(api.GET('/api/v1/calls', { params: { query: { tool, limit: 20 } } })),
    enabled: isWanted,
  })
}

interface EarlierProps {
  calls: ReturnType<typeof useEarlier>
  fill(input: JsonValue): void
}

function Earlier({ calls, fill }: EarlierProps) {
  const items = distinct(calls.data?.items ?? [])
  const said = summarizeInputs(items.map(({ input }) => input as JsonValue))
  return (
    <>
      <Menu.Label>Earlier inputs</Menu.Label>
      {calls.isError && <p className={styles.menuNote}>{toProblem(calls.error).message}</p>}
      {calls.isPending && <p className={styles.menuNote}>Loading…</p>}
      {calls.isSuccess && items.length === 0 && (
        <p className={styles.menuNote}>None yet. Inputs of calls appear here.</p>
      )}
      {items.map(({ callId, input, status, requestedAt }, index) => (
        <Menu.Item key={callId} onClick={() => fill(input as JsonValue)}>
          <span className={styles.earlier} dir="auto">
            {said[index]}
          </span>
          <span className={styles.earlierFacts}>
            <StatusTag status={status} />
            <TimeAgo at={requestedAt} />
          </span>
        </Menu.Item>
      ))}
    </>
  )
}

const maxEarlier = 8

/** Each input once, the newest first. */
function distinct(calls: readonly Api<'CallRecord'>[]): Api<'CallRecord'>[] {
  const seen = new Map<string, Api<'CallRecord'>>()
  for (const call of calls) {
    if (call.input === undefined || call.input === null) continue
    const text = JSON.stringify(call.input)
    if (!seen.has(text)) seen.set(text, call)
  }
  return [...seen.values()].slice(0, maxEarlier)
}
