import type { Issue } from './errors.ts'
import { isRecord } from './json/json-type.ts'

/** What a check of a secret gets beside the value. */
export interface ProbeContext {
  /** Aborted when the check takes too long. */
  signal: AbortSignal
  /** The environment variables that the tool declares, those that are set. */
  env: Readonly<Record<string, string>>
}

/**
 * Tries a secret out: nothing when it is good; a message, returned or thrown, when it is not. The
 * value is taken out of the message before anybody reads it.
 */
export type SecretProbe = (
  value: string,
  context: ProbeContext,
) => string | void | undefined | Promise<string | void | undefined>

/** Checks by the name of the secret. */
export type SecretProbes = Readonly<Record<string, SecretProbe>>

/** What is wrong with the checks that an author wrote; none is a check of a secret that nobody declares. */
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
