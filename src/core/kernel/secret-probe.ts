import type { Issue } from './errors.ts'
import { isRecord } from './json/json-type.ts'

/** The second argument of a secret check. */
export interface ProbeContext {
  /** Aborted when the check takes too long. */
  signal: AbortSignal
  /** The environment variables that the tool declares and that are set. */
  env: Readonly<Record<string, string>>
}

/**
 * Checks a secret: returns nothing when it is valid; otherwise returns or throws a message. The
 * value is removed from the message before anyone reads it.
 */
export type SecretProbe = (
  value: string,
  context: ProbeContext,
) => string | void | undefined | Promise<string | void | undefined>

/** Checks by secret name. */
export type SecretProbes = Readonly<Record<string, SecretProbe>>

/**
 * The problems with the checks an author wrote, such as a check of a secret that nobody declares.
 */
export function findProbeIssues(probes: unknown, declared: readonly string[]): Issue[] {
  if (probes === undefined) return []
  if (!isRecord(probes)) return [{ path: '/checkSecrets', message: 'must be an object' }]
  return Object.entries(probes).flatMap(([key, probe]) => {
    const path = `/checkSecrets/${key}`
    if (typeof probe !== 'function') return [{ path, message: 'must be a function' }]
    if (!declared.includes(key)) return [{ path, message: 'checks a secret that no tool declares' }]
    return []
  })
}
