import { z } from 'zod'
import { runInCall } from '../../../../core/code/run-in-call.ts'
import type { ForeignBehaviour } from '../../../../core/define-tool.ts'
import type { Finding } from '../../../../core/kernel/finding.ts'
import type { JsonValue } from '../../../../core/kernel/json.ts'
import type { Effect, ToolContract } from '../../../../core/kernel/tool.ts'
import { describeKnown } from '../../../../core/patterns/nearest-name.ts'
import type { KnownTools } from '../../../../core/sources/known-tools.ts'
import type { ToolDocument } from '../../model/tool-document.ts'
import type { DerivedFacts, SpecKind } from '../spec-kind.ts'
import { findCalledTools } from './called-tools.ts'
import { findSyntaxError } from './find-syntax-error.ts'

/** A program, which reads `input` and calls tools. */
export interface CodeSpec {
  kind: 'code'
  /** The body of an async function, which returns the output. */
  source: string
  /** Default: `js`. */
  language?: 'js' | 'ts' | undefined
}

/** A tool that is a program: it computes, and calls other tools as its caller may. */
export const codeKind: SpecKind<CodeSpec> = {
  kind: 'code',
  schema: z.strictObject({
    kind: z.literal('code'),
    source: z.string().min(1).max(200_000),
    language: z.enum(['js', 'ts']).optional(),
  }),
  check: checkCode,
  derive: deriveCode,
  uses: ({ spec }) => [...findCalledTools(spec.source).names.keys()],
  toBehaviour,
}

function checkCode({ name, spec }: ToolDocument<CodeSpec>, known: KnownTools): Finding[] {
  const wrong = findSyntaxError(spec.source, spec.language ?? 'js')
  if (wrong !== undefined) return [{ path: '/spec/source', message: wrong, severity: 'error' }]
  return [...findCalledTools(spec.source).names].flatMap(([called, line]): Finding[] => {
    const place = { path: '/spec/source', severity: 'warning' as const }
    if (called === name) return [{ ...place, message: `calls itself in line ${line}` }]
    if (known.find(called) !== undefined) return []
    const hint = describeKnown(called, known.names())
    return [{ ...place, message: `calls ${called} in line ${line}, which does not exist; ${hint}` }]
  })
}

const ranks: readonly Effect[] = ['read', 'write', 'destructive']

/** Each call is decided by itself; the tool as a whole is shown by the highest effect of them. */
function deriveCode({ spec }: ToolDocument<CodeSpec>, known: KnownTools): DerivedFacts {
  const { names, isDynamic } = findCalledTools(spec.source)
  const called = [...names.keys()]
    .map((name) => known.find(name))
    .filter((contract): contract is ToolContract => contract !== undefined)
  const rank = Math.max(isDynamic ? 1 : 0, ...called.map(({ effect }) => ranks.indexOf(effect)))
  return {
    effect: ranks[rank] ?? 'destructive',
    openWorld: isDynamic || called.some(({ openWorld }) => openWorld),
  }
}

const maxLogChars = 8000

function toBehaviour({ spec }: ToolDocument<CodeSpec>): ForeignBehaviour {
  const { source, language = 'js' } = spec
  return {
    isResumable: true,
    preview: 'calls',
    async execute(input, ctx, steps) {
      const program = { source, language, input: input as JsonValue }
      const { value, logs } = await runInCall(program, ctx, steps)
      if (logs.length > 0) ctx.log({ console: logs.join('\n').slice(0, maxLogChars) })
      return value
    },
  }
}
