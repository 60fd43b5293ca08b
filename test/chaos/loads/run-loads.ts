import { setTimeout as sleep } from 'node:timers/promises'
import { approvalLoad } from './approval-load.ts'
import { backgroundLoad } from './background-load.ts'
import { externalLoad } from './external-load.ts'
import { inlineLoad } from './inline-load.ts'
import type { Load, LoadContext } from './load.ts'
import { scheduleLoad } from './schedule-load.ts'

const loads: readonly Load[] = [
  inlineLoad,
  backgroundLoad,
  approvalLoad,
  externalLoad,
  scheduleLoad,
]

/** The kinds of load a server can take, by what it says it offers. */
export function chooseLoads(
  openapi: { paths: Record<string, unknown> },
  without: readonly string[] = [],
): Load[] {
  const isOffered = ({ needs }: Load) => needs.every((path) => Object.hasOwn(openapi.paths, path))
  return loads.filter((load) => isOffered(load) && !without.includes(load.name))
}

/** Clients at work until they are stopped, each with a chance of its own. */
export interface RunningLoads {
  stop(): Promise<void>
}

export interface LoadOptions {
  loads: readonly Load[]
  clients: number
  /** Between two things one client does. */
  thinkMs: number
  createContext(client: string): LoadContext
}

/** Starts the clients, and for each kind of load whoever attends to it from outside. */
export function runLoads({ loads, clients, thinkMs, createContext }: LoadOptions): RunningLoads {
  const stop = new AbortController()
  const deck = loads.flatMap((load) => Array.from({ length: load.weight }, () => load))
  const callers = Array.from({ length: clients }, async (_, number) => {
    const context = createContext(`c${number}`)
    while (!stop.signal.aborted) {
      await context.random.pick(deck).turn(context)
      await sleep(context.random.between(0, thinkMs))
    }
  })
  const attendants = loads.map(async (load) => {
    const context = createContext(load.name)
    while (!stop.signal.aborted && load.attend !== undefined) {
      await load.attend(context)
      await sleep(100)
    }
    await load.end?.(context)
  })
  return {
    async stop() {
      stop.abort()
      await Promise.all([...callers, ...attendants])
    },
  }
}
