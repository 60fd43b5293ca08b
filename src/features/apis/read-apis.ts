import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import type { TenantView } from '../../core/rules/tenant-view.ts'
import { type ApiSpec, apiSchema, secretsOf } from './spec.ts'

/** An API as it is stored, with who disclosed the secrets it names. */
export interface StoredApi {
  name: string
  rule: Rule
  spec?: ApiSpec
  /** Why it is not used. */
  closed?: string
}

/** One that can be called. */
export interface UsableApi extends StoredApi {
  spec: ApiSpec & { server: string }
}

/** The APIs of a tenant, by name. One that can’t be read is closed. */
export function readApis(view: Pick<TenantView, 'rules'> | undefined): StoredApi[] {
  return (view?.rules.get('api') ?? []).map(readApiRule)
}

const readRules = new WeakMap<Rule, StoredApi>()

/** Rules in memory stay the same objects until they change. */
export function readApiRule(rule: Rule): StoredApi {
  const known = readRules.get(rule)
  if (known !== undefined) return known
  const stored = readAnew(rule)
  readRules.set(rule, stored)
  return stored
}

function readAnew(rule: Rule): StoredApi {
  const { name } = rule
  const { body, secretsBy } = readKept(rule.body)
  const { data: spec } = apiSchema.safeParse(body)
  if (spec === undefined) return { name, rule, closed: 'it is stored in an unknown format' }
  const isDisclosed = rule.isDeclared || secretsBy !== undefined || secretsOf(spec).length === 0
  if (isDisclosed) return { name, rule, spec }
  const closed =
    'it names secrets, and nobody with the permission secrets.write has saved it; it is used once someone does (toolcrib apis enable)'
  return { name, rule, closed }
}

/** A stored API: its settings, who disclosed their secrets, and a file of the configuration. */
export interface KeptApi {
  body: JsonValue
  secretsBy?: string
  /** Declared ones alone: where the document is on this machine. */
  file?: string
}

/** Splits what is stored. */
export function readKept(stored: JsonValue): KeptApi {
  if (!isRecord(stored)) return { body: stored }
  const { secretsBy, file, ...body } = stored
  return {
    body,
    ...(typeof secretsBy === 'string' && { secretsBy }),
    ...(typeof file === 'string' && { file }),
  }
}
