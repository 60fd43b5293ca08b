import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { queryClient } from '../../api/query-client.ts'
import { notifyFailure } from '../../ui/notify.ts'
import { isSettled } from '../call/use-call.ts'
import { toolRuns, useToolRun } from './tool-runs.ts'

/** What the address says when the page of a tool is opened. */
interface Opening {
  call: string | undefined
  /** A call whose input is to be run again. */
  from: string | undefined
  example: string | undefined
}

/** Whether the page has what the address names, or needs nothing for it. */
export function isOnPage(tool: string, { call, from, example }: Opening): boolean {
  const run = toolRuns.of(tool)
  if (from !== undefined) return false
  if (call !== undefined) return run?.callId === call
  return example === undefined || run === undefined
}

/** Puts the call that the address names on the page; an input to be run again comes without it while it runs. */
export async function bringOntoPage(
  tool: string,
  { call, from }: Opening,
): Promise<{ input?: JsonValue }> {
  const id = call ?? from
  // An example is filled in: the result of another input does not belong beside it.
  toolRuns.clear(tool)
  if (id === undefined) return {}
  const record = await readCallOf(tool, id)
  if (call === undefined && !isSettled(record.status)) {
    return { input: (record.input ?? {}) as JsonValue }
  }
  toolRuns.show(tool, record)
  return {}
}

/** One call of a tool by its id; of another tool's it is none. */
async function readCallOf(tool: string, id: string): Promise<Api<'CallRecord'>> {
  const call = await queryClient.fetchQuery({
    queryKey: ['call', id, 'shown'],
    queryFn: () => read(api.GET('/api/v1/calls/{id}', { params: { path: { id } } })),
  })
  if (call.tool !== tool) throw new Error(`The call ${id} is one of ${call.tool}.`)
  return call
}

/**
 * Keeps the call on the page and the one in the address the same: what is run goes into the address, and
 * whatever the address comes to say, by Back or a link, is shown with the input that made it.
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
