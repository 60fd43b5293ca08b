import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { ToolHints } from '../../core/gateway/tool-pin.ts'
import { compileGlob } from '../../core/kernel/text/glob.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { Effect } from '../../core/kernel/tool.ts'
import type { JsonRecord } from '../wire/messages.ts'

/** The facts about a server's tool that decisions use. */
export interface ServerToolFacts {
  effect: Effect
  idempotent: boolean
  openWorld: boolean
  /** The source of the effect. */
  effectBy: 'operator' | 'hint' | 'default'
  /** Whether operators trust the server's own hints. */
  isTrusted: boolean
}

/**
 * Annotations are claims of the server's author, so they can only make a tool stricter. Hints that
 * lower a rule (read-only, idempotent, closed world) count only if an operator confirms them: by
 * `effects`, or by `trustHints` for the hints themselves.
 */
export function toToolFacts(
  { effects, trustHints }: Pick<McpServerSpec, 'effects' | 'trustHints'>,
  { localName, definition }: { localName: string; definition: JsonRecord },
): ServerToolFacts {
  const hints = toHints(definition)
  const isTrusted = trustHints.some((pattern) => compileGlob(pattern)(localName))
  const given = givenEffect(effects, localName)
  const effect = given ?? hintedEffect(hints, isTrusted)
  return {
    effect,
    idempotent: effect === 'read' || (isTrusted && hints.idempotent === true),
    openWorld: !(isTrusted && hints.openWorld === false),
    effectBy: given !== undefined ? 'operator' : effect === 'write' ? 'default' : 'hint',
    isTrusted,
  }
}

/** The hints that are there. */
export function toHints({ annotations }: JsonRecord): ToolHints {
  const said: Record<string, unknown> = isRecord(annotations) ? annotations : {}
  const named = Object.entries(hintNames).flatMap(([hint, name]) =>
    typeof said[name] === 'boolean' ? [[hint, said[name]]] : [],
  )
  return Object.fromEntries(named) as ToolHints
}

const hintNames: Readonly<Record<keyof ToolHints, string>> = {
  readOnly: 'readOnlyHint',
  destructive: 'destructiveHint',
  idempotent: 'idempotentHint',
  openWorld: 'openWorldHint',
}

/** A name goes before a pattern. */
function givenEffect(effects: McpServerSpec['effects'], localName: string): Effect | undefined {
  if (Object.hasOwn(effects, localName)) return effects[localName]
  return Object.entries(effects).find(([pattern]) => compileGlob(pattern)(localName))?.[1]
}

/** A tool that claims both gets the stricter. */
function hintedEffect({ readOnly, destructive }: ToolHints, isTrusted: boolean): Effect {
  if (destructive === true) return 'destructive'
  return isTrusted && readOnly === true ? 'read' : 'write'
}
