import { type RouteName, type Step, toMissing, toPlain } from './walk.ts'

export type Ask = (operation: RouteName, step: Step) => Promise<Response>

/** Operations that tell what belongs to others from what is not there, each with how. */
export async function findLeaks(ask: Ask, steps: Record<RouteName, Step>): Promise<string[]> {
  const leaks: string[] = []
  for (const [operation, step] of Object.entries(steps) as [RouteName, Step][]) {
    if (step.otherwise !== undefined) continue
    const foreign = await answerOf(ask, operation, step)
    const missing = await answerOf(ask, operation, toMissing(step))
    const { status = 404 } = step
    if (foreign.status !== status)
      leaks.push(`${operation} answers ${foreign.status}: ${foreign.text}`)
    if (missing.status !== status)
      leaks.push(`${operation} answers ${missing.status} to a missing id`)
    for (const part of ['headers', 'text'] as const) {
      if (foreign[part] === missing[part]) continue
      leaks.push(`${operation} has other ${part}: ${foreign[part]} instead of ${missing[part]}`)
    }
  }
  return leaks
}

async function answerOf(ask: Ask, operation: RouteName, step: Step) {
  const response = await ask(operation, step)
  const headers = [...response.headers.keys()].toSorted().join()
  return { status: response.status, headers, text: await toPlain(response, step) }
}

/** Lists that show one of these marks, each with the marks. */
export async function findShown(
  ask: Ask,
  operations: readonly RouteName[],
  marks: readonly string[],
): Promise<string[]> {
  const shown: string[] = []
  for (const operation of operations) {
    if (!operation.startsWith('GET /api/v1/') || operation.includes('{')) continue
    const text = await (await ask(operation, { params: {} })).text()
    const found = marks.filter((mark) => text.includes(mark))
    if (found.length > 0) shown.push(`${operation} shows ${found.join(', ')}`)
  }
  return shown
}

/** Operations that answer somebody who may not even know of it, each with its answer. */
export async function findOpen(ask: Ask, steps: Record<RouteName, Step>): Promise<string[]> {
  const open: string[] = []
  for (const [operation, step] of Object.entries(steps) as [RouteName, Step][]) {
    const { status } = await ask(operation, step)
    if (status !== 403 && status !== 404) open.push(`${operation} answers ${status}`)
  }
  return open
}
