import { z } from 'zod'
import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { describeKnown } from '../../core/patterns/nearest-name.ts'
import { toPolicyLevel } from '../../core/policy/policy-level.ts'
import { defineVocabulary, type ProfileSpec } from '../../core/policy/vocabulary.ts'
import type { Registry } from '../../core/registry.ts'
import {
  type LevelSpec,
  levelSchema,
  patternsSchema,
  profileSchema,
} from '../../core/rules/rule-schemas.ts'
import { readWords } from '../../core/rules/read-rules.ts'
import type { PolicyParts } from './parts.ts'
import type { PolicyDocumentKind } from './schemas.ts'
import type { TenantView } from '../../core/rules/tenant-view.ts'

/** The body of each kind. */
export const policyDocumentBodies = {
  policy: levelSchema,
  provider: levelSchema,
  profile: profileSchema,
  group: patternsSchema,
  pack: z.strictObject({ isOn: z.boolean() }),
} as const satisfies Record<PolicyDocumentKind, z.ZodType>

interface Surroundings {
  config: Pick<PolicyParts['config'], 'profiles' | 'groups'>
  registry: Pick<Registry, 'packs'>
  view: TenantView | undefined
}

/** Checks what the schema can't see. Throws `invalid_policy` for malformed patterns and unknown names. */
export function checkPolicyDocument(
  { kind, name, body }: { kind: PolicyDocumentKind; name: string; body: JsonValue },
  { config, registry, view }: Surroundings,
): void {
  if (kind === 'pack') return checkPack(name, registry)
  const own = readWords(view)
  if (kind === 'profile') refuseConfigured('profile', name, config.profiles)
  if (kind === 'group') refuseConfigured('group', name, config.groups)
  const profiles = { ...own.profiles, ...config.profiles }
  const groups = { ...own.groups, ...config.groups }
  // Includes the new document, because it must be valid together with all the others.
  const words = defineVocabulary({
    packs: registry.packs(),
    profiles: kind === 'profile' ? { ...profiles, [name]: body as ProfileSpec } : profiles,
    groups: kind === 'group' ? { ...groups, [name]: body as string[] } : groups,
  })
  if (kind === 'policy' || kind === 'provider') toPolicyLevel(kind, body as LevelSpec, words)
}

function checkPack(name: string, registry: Surroundings['registry']): void {
  const packs = registry.packs().map((pack) => pack.name)
  if (packs.includes(name)) return
  throw new ToolError('invalid_policy', `No pack is called ${name}`, {
    fix: describeKnown(name, packs).replace(/^d/, 'D'),
  })
}

/** The configuration would win, and this document would have no effect. */
function refuseConfigured(
  kind: string,
  name: string,
  configured: Readonly<Record<string, unknown>>,
): void {
  if (!Object.hasOwn(configured, name)) return
  throw new ToolError('conflict', `The ${kind} ${name} is declared in the configuration`, {
    fix: 'Change it there and restart, or choose another name.',
  })
}
