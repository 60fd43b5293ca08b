import { z } from 'zod'
import { ToolError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json.ts'
import { describeKnown } from '../../core/policy/nearest-name.ts'
import { toPolicyLevel } from '../../core/policy/policy-level.ts'
import { defineVocabulary, type ProfileSpec } from '../../core/policy/vocabulary.ts'
import type { Registry } from '../../core/registry.ts'
import type { PolicyDocumentKind } from '../../core/rules/governance-api.ts'
import {
  type LevelSpec,
  levelSchema,
  patternsSchema,
  profileSchema,
} from '../../core/rules/rule-schemas.ts'
import type { Config } from '../config-schema.ts'
import { readWords } from '../governance/read-rules.ts'
import type { TenantView } from '../governance/tenant-views.ts'

/** What each kind looks like. */
export const policyDocumentSchemas = {
  policy: levelSchema,
  provider: levelSchema,
  profile: profileSchema,
  group: patternsSchema,
  pack: z.strictObject({ isOn: z.boolean() }),
} as const satisfies Record<PolicyDocumentKind, z.ZodType>

interface Surroundings {
  config: Pick<Config, 'profiles' | 'groups'>
  registry: Registry
  view: TenantView | undefined
}

/** What the schema can't see. Throws `invalid_policy` for a malformed pattern and for what names something unknown. */
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
  // With what is to be written among them: it must hold together with all that is there.
  const words = defineVocabulary({
    packs: registry.packs(),
    profiles: kind === 'profile' ? { ...profiles, [name]: body as ProfileSpec } : profiles,
    groups: kind === 'group' ? { ...groups, [name]: body as string[] } : groups,
  })
  if (kind === 'policy' || kind === 'provider') toPolicyLevel(kind, body as LevelSpec, words)
}

function checkPack(name: string, registry: Registry): void {
  const packs = registry.packs().map((pack) => pack.name)
  if (packs.includes(name)) return
  throw new ToolError('invalid_policy', `No pack is called ${name}; ${describeKnown(name, packs)}`)
}

/** Configuration's word would win, and this one do nothing. */
function refuseConfigured(
  kind: string,
  name: string,
  configured: Readonly<Record<string, unknown>>,
): void {
  if (!Object.hasOwn(configured, name)) return
  throw new ToolError('conflict', `The ${kind} ${name} is declared by the configuration`, {
    fix: 'Change it there and start again, or choose another name.',
  })
}
