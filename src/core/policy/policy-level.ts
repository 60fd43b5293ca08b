import { ToolError } from '../kernel/errors.ts'
import { compileLevel, type LevelRules, type Vocabulary } from './level.ts'
import type { PolicyLevel } from './scope.ts'

/** A level as written in configuration. */
export interface PolicyLevelSpec {
  readonly profile?: string
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
}

/**
 * A level from configuration. Throws `invalid_policy` for any mistake, including an unknown profile
 * or group, so that startup fails instead of running with another policy.
 */
export function toPolicyLevel(
  name: string,
  spec: PolicyLevelSpec,
  vocabulary: Vocabulary,
): PolicyLevel {
  try {
    const level = readLevel(name, spec)
    compileLevel(toRules(level), vocabulary)
    return level
  } catch (error) {
    throw invalid(`In policy level ${name}: ${(error as Error).message}`, error)
  }
}

/**
 * A level from the store. Never throws: an unreadable level lets nothing through, with the reason,
 * because a policy that fails open is worse than none. Unknown groups and profiles have the same
 * effect when it is used.
 */
export function parsePolicyLevel(name: string, stored: unknown): PolicyLevel {
  try {
    return readLevel(name, stored)
  } catch (error) {
    return Object.freeze({ name, allow: [], deny: [], closed: (error as Error).message })
  }
}

/** A level's rules. A skill comes with its own permissions: a skill without any allows nothing. */
export function toRules(level: PolicyLevel): LevelRules {
  const isSkill = level.name === 'skill' || level.name.startsWith('skill:')
  return { ...level, whenEmpty: isSkill ? 'nothing' : 'everything' }
}

/** An unknown key may be a misspelt `deny`, so the level is malformed. */
function readLevel(name: string, value: unknown): PolicyLevel {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('a level is an object with profile, allow and deny')
  }
  const { profile, allow, deny, ...rest } = value as Record<string, unknown>
  const [unknownKey] = Object.keys(rest)
  if (unknownKey !== undefined) {
    throw invalid(`unknown key "${unknownKey.slice(0, 100)}"; known are profile, allow, deny`)
  }
  if (profile !== undefined && typeof profile !== 'string') throw invalid('profile must be text')
  return Object.freeze({
    name,
    ...(profile !== undefined && { profile }),
    allow: readPatterns('allow', allow),
    deny: readPatterns('deny', deny),
  })
}

function readPatterns(key: 'allow' | 'deny', value: unknown): readonly string[] {
  if (value === undefined) return []
  const isList = Array.isArray(value) && value.every((pattern) => typeof pattern === 'string')
  if (!isList) throw invalid(`${key} must be a list of patterns`)
  return Object.freeze([...value])
}

function invalid(message: string, cause?: unknown): ToolError {
  return new ToolError('invalid_policy', message, { cause })
}
