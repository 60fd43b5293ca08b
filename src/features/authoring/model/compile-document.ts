import { type ForeignBehaviour, toTool } from '../../../core/define-tool.ts'
import type { Finding } from '../../../core/kernel/finding.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import { effects, type Effect, type Tool } from '../../../core/kernel/tool.ts'
import type { SecretDeclaration } from '../../../core/typing/tool-facts.ts'
import type { DerivedFacts, SpecKind } from '../kinds/spec-kind.ts'
import { toWays } from './document-ways.ts'
import type { ToolDocument } from './tool-document.ts'

/** A tool, or the reasons why the document makes none. */
export type Compiled =
  | { tool: Tool; findings: readonly Finding[] }
  | { tool?: undefined; findings: readonly Finding[] }

/** Packs whose grants and hosts an authored tool must not inherit by its name. */
export type ReservedPacks = ReadonlySet<string>

/** The pack of an authored tool: the first word of its name, unless that means something else. */
export function packOf(name: string, reserved: ReservedPacks): string {
  const first = name.split('.', 1)[0] ?? name
  return reserved.has(first) ? 'authored' : first
}

/** Makes the tool of a document. Facts that follow from its spec win over those it states. */
export function compileDocument(
  document: ToolDocument,
  kind: SpecKind,
  { derived, reserved }: { derived: DerivedFacts; reserved: ReservedPacks },
): Compiled {
  const { spec: _spec, preview: _preview, undo: _undo, ...more } = document
  const { inputSchema, outputSchema = derived.outputSchema, ...facts } = more
  const followed = toFacts(document, derived)
  try {
    const behaviour = kind.toBehaviour(document)
    const tool = toTool(
      {
        ...facts,
        pack: packOf(document.name, reserved),
        source: 'authored',
        inputSchema,
        ...(outputSchema !== undefined && { outputSchema }),
        ...followed,
      },
      { ...withoutWays(behaviour), ...toWays(document, behaviour, followed.effect) },
    )
    return { tool, findings: toolWarnings(tool, document) }
  } catch (error) {
    if (!isToolError(error)) throw error
    const { issues, message } = error
    if (issues.length === 0) return { findings: [{ path: '', message, severity: 'error' }] }
    return { findings: issues.map((issue) => ({ ...issue, severity: 'error' as const })) }
  }
}

function withoutWays(behaviour: ForeignBehaviour): ForeignBehaviour {
  const { preview: _preview, undo: _undo, ...rest } = behaviour
  return rest
}

function toFacts(document: ToolDocument, derived: DerivedFacts) {
  const { openWorld, idempotent, permission, execution } = derived
  const effect = strongest(derived.effect, document.effect)
  return {
    effect,
    secrets: joinSecrets(document.secrets ?? [], derived.secrets ?? []),
    openWorld: openWorld === true || document.openWorld === true,
    ...(idempotent !== undefined && { idempotent: document.idempotent ?? idempotent }),
    ...(permission !== undefined && { permission }),
    ...(execution !== undefined && { execution }),
  }
}

function strongest(one: Effect, other: Effect | undefined): Effect {
  if (other === undefined) return one
  return effects.indexOf(other) > effects.indexOf(one) ? other : one
}

/** The document describes a secret; a spec only names it. */
function joinSecrets(
  stated: readonly SecretDeclaration[],
  derived: readonly SecretDeclaration[],
): SecretDeclaration[] {
  const keys = new Set(stated.map(keyOf))
  return [...stated, ...derived.filter((secret) => !keys.has(keyOf(secret)))]
}

function keyOf(secret: SecretDeclaration): string {
  return typeof secret === 'string' ? secret : secret.key
}

/** Examples that do not fit are dropped from a tool of code; here their author can mend them now. */
function toolWarnings({ warnings }: Tool, document: ToolDocument): Finding[] {
  return warnings.map(({ path, message }) => ({
    path,
    message: path.startsWith('/examples/') ? `does not fit the input schema: ${message}` : message,
    severity:
      path.startsWith('/examples/') && document.examples !== undefined ? 'error' : 'warning',
  }))
}
