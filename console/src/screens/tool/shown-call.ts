import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { queryClient } from '../../api/query-client.ts'
import { notifyFailure } from '../../ui/notify.ts'
import { isSettled } from '../call/use-call.ts'
import { toolRuns, useToolRun } from './tool-runs.ts'

/** The call or example that the address names when a tool page opens. */
interface Opening {
  call: string | undefined
  /** A call whose input is run again. */
  from: string | undefined
  example: string | undefined
}

/** Whether the page has loaded what the address names. */
export function isOnPage(tool: string, { call, from, example }: Opening): boolean {
  const run = toolRuns.of(tool)
  if (from !== undefined) return false
  if (call !== undefined) return run?.callId === call
  return example === undefined || run === undefined
}

/** Shows the call named in the address. With `from`, only its input is used, unless it is still running. */
export async function bringOntoPage(
  tool: string,
  { call, from }: Opening,
): Promise<{ input?: JsonValue }> {
  const id = call ?? from
  // An example is filled in, so the result of another input is not shown beside it.
  toolRuns.clear(tool)
  if (id === undefined) return {}
  const record = await readCallOf(tool, id)
  if (call === undefined && !isSettled(record.status)) {
    return { input: (record.input ?? {}) as JsonValue }
  }
  toolRuns.show(tool, record)
  return {}
}

/** A call of this tool by id; calls of other tools are refused. */
async function readCallOf(tool: string, id: string): Promise<Api<'CallRecord'>> {
  const call = await queryClient.fetchQuery({
    queryKey: ['call', id, 'shown'],
    queryFn: () => read(api.GET('/api/v1/calls/{id}', { params: { path: { id } } })),
  })
  if (call.tool !== tool) throw new Error(`The call ${id} belongs to ${call.tool}.`)
  return call
}

/**
 * Keeps the shown call and the address in sync: a run goes into the address, and a call in the address
 * (after Back or a link) is shown with its input.
 */
export function useCallInAddress(tool: string, fill: (input: JsonValue) => void): void {
  const { call } = useSearch({ from: '/tools/$name' })
  const navigate = useNavigate({ from: '/tools/$name' })
  const shown = useToolRun(tool)?.callId
  const agreed = useRef(call)
  const open = useEffectEvent(async (id: string) => {
    try {
      const record = await readCallOf(tool, id)
      if (agreed.current !== id) return
      toolRuns.show(tool, record)
      fill((record.input ?? {}) as JsonValue)
    } catch (error) {
      notifyFailure(error)
    }
  })
  useEffect(() => {
    if (call === shown) {
      agreed.current = call
    } else if (call !== undefined && call !== agreed.current) {
      agreed.current = call
      void open(call)
    } else if (shown !== undefined) {
      agreed.current = shown
      void navigate({
        search: ({ tab }) => ({ ...(tab !== undefined && { tab }), call: shown }),
        replace: true,
        resetScroll: false,
      })
    }
  }, [call, shown, navigate])
}
