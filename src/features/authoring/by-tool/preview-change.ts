import type { Caller } from '../../../core/kernel/call.ts'
import type { AuthoringChange } from '../../../core/kernel/context/tool-authoring.ts'
import { lintWords } from '../../../core/gateway/lint-words.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { editDistance } from '../../../core/kernel/text/edit-distance.ts'
import { unifiedDiff } from '../../../core/kernel/text/diff/unified-diff.ts'
import type { PreviewChange, ToolPreview } from '../../../core/kernel/trial/tool-preview.ts'
import type { Tool } from '../../../core/kernel/tool.ts'
import type { AuthoringParts } from '../parts.ts'
import type { AgentSight } from '../schemas.ts'
import { simulateSight } from '../simulate-sight.ts'
import { asDocument, planChange, type PlannedChange, type PlannedSide } from './plan-change.ts'
import { toReviewText } from './review-text.ts'

/** Previews keep 40,000 characters in all; the rest is for the facts beside the difference. */
const maxDiffChars = 30_000
/** Previews cut a longer one. */
const maxPartChars = 11_000

/**
 * The preview for an approval: the difference from the version in force, the facts that follow from
 * it, and the agents that would see it. A change that is too large to be shown in full is refused,
 * because nobody could review it.
 */
export async function previewChange(
  caller: Caller,
  change: AuthoringChange,
  parts: AuthoringParts,
): Promise<ToolPreview> {
  const plan = await planChange(caller, change, parts)
  const { before, after } = plan
  const [seenBefore, seenAfter] = await Promise.all([
    seeAs(caller, before?.tool, parts),
    seeAs(caller, after?.tool, parts),
  ])
  return {
    summary: toSummary(plan),
    changes: [
      ...toDiffs(plan),
      ...toFacts(before?.tool, after?.tool),
      {
        target: 'agents that can call it',
        ...(seenBefore !== undefined && { before: toNames(seenBefore) }),
        ...(seenAfter !== undefined && { after: toNames(seenAfter) }),
      },
    ],
    warnings: findWarnings(caller, plan, parts),
  }
}

async function seeAs(caller: Caller, tool: Tool | undefined, parts: AuthoringParts) {
  return tool && simulateSight(caller, tool, parts)
}

/** `support, ops (asks)` */
function toNames({ sees, asks, isPartial }: AgentSight): string {
  const names = sees.map((agent) => (asks.includes(agent) ? `${agent} (asks)` : agent))
  const all = isPartial ? [...names, '…'] : names
  return all.length === 0 ? 'none' : all.join(', ')
}

const verbs = { create: 'Creates', update: 'Changes', delete: 'Deletes' } as const

function toSummary({ action, name, before, after }: PlannedChange): string {
  const { spec } = asDocument((after ?? before)?.document ?? {})
  return `${verbs[action]} the tool ${name} (${spec?.kind ?? 'unknown'}).`
}

function toDiffs({ name, before, after }: PlannedChange): PreviewChange[] {
  const path = `${name}.tool`
  const [old, fresh] = [toText(before), toText(after)]
  const { text } = unifiedDiff({ path, before: old, after: fresh })
  if (text.length > maxDiffChars) throw tooLarge(text.length)
  const pieces = splitLines(text)
  return pieces.map((diff, index) => ({
    target: pieces.length === 1 ? name : `${name} (${index + 1} of ${pieces.length})`,
    diff,
  }))
}

function toText(side: PlannedSide | undefined): string | undefined {
  return side && toReviewText(side.document)
}

function splitLines(text: string): string[] {
  const parts: string[] = []
  let part = ''
  for (const line of text.split(/(?<=\n)/)) {
    if (line.length > maxPartChars) throw tooLarge(line.length)
    if (part.length + line.length > maxPartChars) {
      parts.push(part)
      part = ''
    }
    part += line
  }
  return part === '' ? parts : [...parts, part]
}

function tooLarge(chars: number): ToolError {
  return new ToolError(
    'invalid_input',
    `The change has ${chars} characters, which is more than an approval can show`,
    { fix: 'Make it in smaller steps, or ask a person to publish it in the studio.' },
  )
}

/** Facts that follow from the document, which a reader of the difference might miss. */
const shown = {
  effect: ({ contract }: Tool) => contract.effect,
  'asks first': ({ contract }: Tool) => yesOrNo(contract.approval === 'always'),
  'needs permission': ({ contract }: Tool) => contract.permission ?? 'none',
  'uses secrets': ({ contract }: Tool) =>
    contract.secrets.map(({ key }) => key).join(', ') || 'none',
  'reaches the outside': ({ contract }: Tool) => yesOrNo(contract.openWorld),
} satisfies Record<string, (tool: Tool) => JsonValue>

function yesOrNo(is: boolean): string {
  return is ? 'yes' : 'no'
}

function toFacts(before: Tool | undefined, after: Tool | undefined): PreviewChange[] {
  return Object.entries(shown).flatMap(([target, read]) => {
    const [old, fresh] = [before && read(before), after && read(after)]
    if (old === fresh) return []
    return [
      {
        target,
        ...(old !== undefined && { before: old }),
        ...(fresh !== undefined && { after: fresh }),
      },
    ]
  })
}

function findWarnings(
  { tenant }: Caller,
  { name, action, after, findings }: PlannedChange,
  { registry }: AuthoringParts,
): string[] {
  if (after === undefined) return []
  const names = registry.list(tenant).map(({ contract }) => contract.name)
  const like = action === 'create' ? names.filter((other) => isLike(name, other)) : []
  const words = lintWords(after.document as Record<string, JsonValue>)
  return [
    ...like.map((other) => `The name is easily mistaken for ${other}`),
    ...words.map(({ path, message }) => `${path} ${message}`),
    ...findings.map(({ path, message }) => `${path} ${message}`.trim()),
  ]
}

/** Different by one letter, or only by signs between the words, or by digits for letters. */
function isLike(name: string, other: string): boolean {
  if (name === other) return false
  return plain(name) === plain(other) || editDistance(name, other) === 1
}

const lookAlikes: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', i: 'l', '5': 's' }

function plain(name: string): string {
  return name.replaceAll(/[._-]/g, '').replaceAll(/[01i5]/g, (sign) => lookAlikes[sign] ?? sign)
}
