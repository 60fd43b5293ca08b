import { z } from 'zod'
import type { ForeignBehaviour } from '../../../core/define-tool.ts'
import type { Finding } from '../../../core/kernel/finding.ts'
import { checkJson } from '../../../core/kernel/json/check-json.ts'
import type { JsonSchema, JsonValue } from '../../../core/kernel/json.ts'
import { isToolName } from '../../../core/kernel/names.ts'
import type { ToolPreview } from '../../../core/kernel/trial/tool-preview.ts'
import type { PreviewFunction, ToolContract } from '../../../core/kernel/tool.ts'
import { describeKnown } from '../../../core/patterns/nearest-name.ts'
import { previewSchema } from '../../../core/preview/preview-schema.ts'
import { resolveReferences } from '../../../core/shapes/resolve-references.ts'
import type { KnownTools } from '../../../core/sources/known-tools.ts'
import type { ToolWays } from '../../../core/tool-contract.ts'
import { checkReferences } from '../kinds/check-references.ts'

/** A call of another tool; texts of its input may name `input`, and for an undo `output`. */
interface OtherCall {
  tool: string
  input: { [key: string]: JsonValue }
}

/** A preview made by a tool that only reads. */
export interface PreviewByTool extends OtherCall {
  /** One sentence, if that tool does not return a preview itself. May hold references. */
  summary?: string | undefined
}

/** How a document previews its calls and undoes them. */
export interface DocumentWays {
  /** `calls`: the previews of the calls that it would make. */
  preview?: 'calls' | PreviewByTool | undefined
  /** `calls`: the calls that it made are undone, the last first. */
  undo?: 'calls' | OtherCall | undefined
}

const input = z.custom<{ [key: string]: JsonValue }>(
  (value) => typeof value === 'object' && value !== null && checkJson(value) === undefined,
  { error: 'must be a plain JSON object' },
)
const tool = z.string().refine(isToolName, { error: 'must be the name of a tool' })
const either = { error: 'must be "calls", or { tool, input }' }

/** Their fields in a document. */
export const documentWays = {
  preview: z
    .union(
      [
        z.literal('calls'),
        z.strictObject({ tool, input, summary: z.string().trim().min(1).max(500).optional() }),
      ],
      either,
    )
    .optional(),
  undo: z.union([z.literal('calls'), z.strictObject({ tool, input })], either).optional(),
}

/** The preview and undo of a tool: those of its document, else those of its kind. */
export function toWays(
  { preview, undo }: DocumentWays,
  behaviour: ForeignBehaviour,
  effect: ToolContract['effect'],
): ToolWays {
  const shows = typeof preview === 'object' ? previewBy(preview) : (preview ?? behaviour.preview)
  // There is nothing to undo after a read.
  const undoes = effect === 'read' ? undefined : (undo ?? behaviour.undo)
  return {
    ...(shows !== undefined && { preview: shows }),
    ...(undoes !== undefined && { undo: undoes }),
  }
}

function previewBy({ tool: name, input: given, summary }: PreviewByTool): PreviewFunction {
  return async (value, ctx): Promise<ToolPreview> => {
    const roots = { input: value }
    const output = await ctx.call(name, resolveReferences(given, roots) ?? {})
    const made = previewSchema.safeParse(output)
    const said = summary === undefined ? undefined : resolveReferences(summary, roots)
    if (made.success) return typeof said === 'string' ? { ...made.data, summary: said } : made.data
    return {
      summary: typeof said === 'string' ? said : `As shown by ${name}`,
      changes: [{ target: name, after: output ?? null }],
    }
  }
}

/** The tools that a document names for its preview and undo. */
export function waysUse({ preview, undo }: DocumentWays): string[] {
  return [preview, undo].flatMap((way) => (typeof way === 'object' ? [way.tool] : []))
}

interface Checking {
  document: DocumentWays & { previewBinds?: boolean | undefined; undoMs?: number | undefined }
  behaviour: ForeignBehaviour
  contract: ToolContract
  known: KnownTools
}

/** Problems of the preview and undo of a document. */
export function checkWays({ document, behaviour, contract, known }: Checking): Finding[] {
  const { preview, undo } = document
  const makesCalls = behaviour.isResumable === true
  const rules: [isWrong: boolean, path: string, message: string, severity: Finding['severity']][] =
    [
      [
        preview === 'calls' && !makesCalls,
        '/preview',
        'is "calls", but it calls no tools',
        'error',
      ],
      [undo === 'calls' && !makesCalls, '/undo', 'is "calls", but it calls no tools', 'error'],
      [
        undo !== undefined && contract.effect === 'read',
        '/undo',
        'is for tools that change something',
        'error',
      ],
      [
        document.previewBinds !== undefined && contract.preview === undefined,
        '/previewBinds',
        'has no effect without preview',
        'warning',
      ],
      [
        document.undoMs !== undefined && contract.undo === undefined,
        '/undoMs',
        'has no effect without undo',
        'warning',
      ],
    ]
  const { inputSchema, outputSchema } = contract
  const both = { input: inputSchema, output: outputSchema }
  return [
    ...rules.flatMap(([isWrong, path, message, severity]) =>
      isWrong ? [{ path, message, severity }] : [],
    ),
    ...checkCall(preview, '/preview', { known, roots: { input: inputSchema } }),
    ...checkCall(undo, '/undo', { known, roots: both }),
    ...checkReading(preview, known),
  ]
}

function checkCall(
  way: 'calls' | OtherCall | undefined,
  path: string,
  { known, roots }: { known: KnownTools; roots: Record<string, JsonSchema | undefined> },
): Finding[] {
  if (typeof way !== 'object') return []
  const message = `names no tool; ${describeKnown(way.tool, known.names())}`
  const unknown: Finding = { path: `${path}/tool`, message, severity: 'error' }
  return [
    ...(known.find(way.tool) === undefined ? [unknown] : []),
    ...checkReferences(way.input, `${path}/input`, roots),
  ]
}

function checkReading(preview: DocumentWays['preview'], known: KnownTools): Finding[] {
  if (typeof preview !== 'object') return []
  const effect = known.find(preview.tool)?.effect ?? 'read'
  const message = `names a tool whose effect is ${effect}; a preview only reads`
  return [
    ...(effect === 'read' ? [] : [{ path: '/preview/tool', message, severity: 'error' as const }]),
    ...checkReferences(preview.summary, '/preview/summary', { input: undefined }),
  ]
}
