import { ToolError } from '../kernel/errors.ts'
import { type ToolGroups, shippedGroups } from '../patterns/groups.ts'
import { compileLevel, type Vocabulary } from './level.ts'
import { type Profile, type Profiles, shippedProfiles } from './profiles.ts'

/** Custom additions to the built-in profiles and groups. */
export interface VocabularyAdditions {
  readonly packs?: readonly { readonly name: string; readonly groups: readonly string[] }[]
  readonly profiles?: Readonly<Record<string, ProfileSpec>>
  readonly groups?: ToolGroups
}

/** A profile as written in configuration. */
export interface ProfileSpec {
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
}

const namePattern = /^[a-z][a-z0-9_-]{0,63}$/

/**
 * The built-in profiles and groups plus those of the packs and of configuration. Throws
 * `invalid_policy` when one is malformed, refers to an unknown group, or reuses a built-in name:
 * rules that name `minimal` must be able to rely on its meaning.
 */
export function defineVocabulary(additions: VocabularyAdditions = {}): Vocabulary {
  const vocabulary = toVocabulary(additions)
  for (const [name, patterns] of Object.entries(vocabulary.groups)) {
    checkRules(`group ${name}`, { allow: patterns, deny: [] }, vocabulary)
  }
  for (const [name, profile] of Object.entries(vocabulary.profiles)) {
    checkRules(`profile ${name}`, profile, vocabulary)
  }
  return vocabulary
}

/**
 * The same without checking the patterns' references, for a running server: when a reload removes
 * the pack behind a group, rules that name the group deny everything, and the rest keeps working.
 */
export function toVocabulary(additions: VocabularyAdditions = {}): Vocabulary {
  return Object.freeze({
    profiles: mergeProfiles(additions.profiles ?? {}),
    groups: mergeGroups(additions),
  })
}

/** Every pack creates a group of its name and joins the others it names. */
function mergeGroups({ packs = [], groups: custom = {} }: VocabularyAdditions): ToolGroups {
  const merged = new Map<string, string[]>()
  for (const [name, patterns] of Object.entries(shippedGroups)) merged.set(name, [...patterns])
  for (const [name, patterns] of Object.entries(custom)) {
    checkName('group', name, Object.hasOwn(shippedGroups, name))
    merged.set(name, [...patterns])
  }
  for (const pack of packs) {
    for (const name of new Set([pack.name, ...pack.groups])) {
      const patterns = merged.get(name) ?? []
      merged.set(name, [...new Set([...patterns, `pack:${pack.name}`])])
    }
  }
  return Object.freeze(Object.fromEntries(merged))
}

function mergeProfiles(custom: Readonly<Record<string, ProfileSpec>>): Profiles {
  const merged = new Map<string, Profile>(Object.entries(shippedProfiles))
  for (const [name, { allow, deny }] of Object.entries(custom)) {
    checkName('profile', name, Object.hasOwn(shippedProfiles, name))
    if (allow === undefined) {
      throw new ToolError(
        'invalid_policy',
        `Profile "${name}" allows nothing, because it has no allow list`,
        { fix: "For everything except what it denies, add allow: ['*']." },
      )
    }
    merged.set(name, { allow, deny: deny ?? [] })
  }
  return Object.freeze(Object.fromEntries(merged))
}

function checkName(kind: 'group' | 'profile', name: string, isShipped: boolean): void {
  if (isShipped) {
    throw new ToolError(
      'invalid_policy',
      `The ${kind} "${name}" is built in and cannot be replaced`,
      {
        fix: `Give yours another name.`,
      },
    )
  }
  if (namePattern.test(name)) return
  throw new ToolError(
    'invalid_policy',
    `Malformed ${kind} name ${JSON.stringify(name.slice(0, 100))}; use lower-case letters, digits, - and _`,
  )
}

function checkRules(where: string, rules: Profile, vocabulary: Vocabulary): void {
  try {
    compileLevel({ ...rules, whenEmpty: 'nothing' }, vocabulary)
  } catch (error) {
    throw new ToolError('invalid_policy', `In ${where}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
