import { checkJson } from './kernel/json/check-json.ts'
import { isRecord } from './kernel/json/json-type.ts'
import type { Issue } from './kernel/errors.ts'
import { isToolName } from './kernel/names.ts'
import type { ToolFacts } from './schema/tool-definition.ts'
import { referencesIn, malformedIn } from './shapes/references-in.ts'
import type { ToolWays } from './tool-contract.ts'

/** The problems of a tool's preview and undo. */
export function findWayIssues(
  { preview, undo }: ToolWays,
  { facts, isDynamic }: { facts: ToolFacts; isDynamic: boolean },
): Issue[] {
  const needsThread = facts.isolation === 'worker'
  const rules: [path: string, isWrong: boolean, message: string][] = [
    ['/preview', !isPreview(preview), 'must be a function, or "calls"'],
    ['/previewBinds', facts.previewBinds !== undefined && preview === undefined, 'needs preview'],
    ['/undoMs', facts.undoMs !== undefined && undo === undefined, 'needs undo'],
    ['/undo', undo !== undefined && facts.effect === 'read', 'is for tools that change something'],
  ]
  for (const [field, way] of Object.entries({ preview, undo })) {
    if (way === undefined) continue
    const path = `/${field}`
    rules.push([path, isDynamic, 'cannot be combined with create'])
    rules.push([path, needsThread && typeof way === 'function', 'cannot run in a worker'])
  }
  const issues = rules
    .filter(([, isWrong]) => isWrong)
    .map(([path, , message]) => ({ path, message }))
  return [...issues, ...findUndoIssues(undo)]
}

function isPreview(preview: unknown): boolean {
  return preview === undefined || preview === 'calls' || typeof preview === 'function'
}

function findUndoIssues(undo: unknown): Issue[] {
  if (undo === undefined || undo === 'calls' || typeof undo === 'function') return []
  const message = 'must be a function, "calls", or { tool, input }'
  if (!isRecord(undo)) return [{ path: '/undo', message }]
  const isNamed = typeof undo['tool'] === 'string' && isToolName(undo['tool'])
  const named = isNamed ? [] : [{ path: '/undo/tool', message: 'must be the name of a tool' }]
  return [...named, ...findInputIssues(undo['input'])]
}

function findInputIssues(input: unknown): Issue[] {
  const at = '/undo/input'
  if (!isRecord(input) || checkJson(input) !== undefined) {
    return [{ path: at, message: 'must be a plain JSON object' }]
  }
  const malformed = malformedIn(input, at).map(({ pointer, text }) => ({
    path: pointer,
    message: `has ${text}, which is not a reference`,
  }))
  const unknown = referencesIn(input, at)
    .filter(({ root }) => root !== 'input' && root !== 'output')
    .map(({ pointer, root }) => ({
      path: pointer,
      message: `names ${root}; only input and output are known here`,
    }))
  return [...malformed, ...unknown]
}
