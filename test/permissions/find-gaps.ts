import type { AgentBound, Needs } from '../../src/core/operations/operation.ts'
import { compilePermissions } from '../../src/core/policy/permissions.ts'
import { permissionNames } from '../../src/core/policy/roles.ts'
import type { RouteName } from '../isolation/walk.ts'

/** What a route needs, as it says itself. */
export interface Guard {
  needs: Needs
  agents: AgentBound
}

/** Somebody who asks every route. */
export interface Asker {
  name: string
  scopes: readonly string[]
  agent?: string
}

/** Asks a route for something that is not there. */
export type AskAs = (asker: Asker, route: RouteName) => Promise<{ status: number; text: string }>

interface Walk {
  guards: Readonly<Record<RouteName, Guard>>
  askers: readonly Asker[]
  ask: AskAs
}

/** Routes that answer who lacks their permission, or refuse who holds it, each with what they did. */
export async function findGaps({ guards, askers, ask }: Walk): Promise<string[]> {
  const gaps: string[] = []
  for (const [route, guard] of Object.entries(guards) as [RouteName, Guard][]) {
    for (const asker of [...askers, ...ownAskers(guard)]) {
      const { status, text } = await ask(asker, route)
      const isRefused =
        status === 403 && /This needs the permission|is bound to the agent/.test(text)
      if (mayAsk(guard, asker) === isRefused) {
        gaps.push(`${route} answers ${asker.name} with ${status}: ${text.slice(0, 200)}`)
      }
    }
  }
  return gaps
}

/** Undefined where the route may refuse or not: it depends on the agent that it is asked for. */
function mayAsk({ needs, agents }: Guard, { scopes, agent }: Asker): boolean | undefined {
  if (agent !== undefined) return agents === 'none' ? false : undefined
  const held = compilePermissions(scopes)
  if (needs === 'signed-in') return true
  if (typeof needs === 'string') return held.has(needs)
  if ('oneOf' in needs) return needs.oneOf.some((one) => held.has(one))
  return needs.all.every((one) => held.has(one))
}

/** One with every permission but those that it needs, and one for each way to hold just enough. */
function ownAskers({ needs }: Guard): Asker[] {
  if (needs === 'signed-in') return []
  const named = typeof needs === 'string' ? [needs] : 'oneOf' in needs ? needs.oneOf : needs.all
  const others = permissionNames.filter((name) => !named.includes(name))
  const ways = typeof needs === 'object' && 'all' in needs ? [named] : named.map((one) => [one])
  return [
    { name: `all but ${named.join(', ')}`, scopes: others },
    ...ways.map((scopes) => ({ name: scopes.join(', '), scopes })),
  ]
}
