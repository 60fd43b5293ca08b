import type { CompositionSpec } from '../../../core/compositions/spec.ts'
import { generalise } from '../../../core/trials/generalise.ts'
import { toKey } from '../curl/draft-names.ts'
import type { ToolDocument } from '../model/tool-document.ts'
import { withoutHidden } from './hidden-values.ts'
import type { LinkedWork } from './link-steps.ts'
import type { RecordedWork } from './recorded-work.ts'
import type { Replay } from './replay-record.ts'

interface Drafted {
  work: RecordedWork
  spec: CompositionSpec
  linked: LinkedWork
  replay: Replay
  names: NameRules
}

/** The names that a document can't have. */
export interface NameRules {
  isTaken(name: string): boolean
  /** The pack belongs to others. */
  isReserved?(pack: string): boolean
}

/** The document of a composition that was made of a record, with the record as its first test. */
export function toDocument({
  work,
  spec,
  linked,
  replay,
  names,
}: Drafted): ToolDocument<CompositionSpec> {
  const { inputs } = linked
  const label = `As recorded on ${work.recordedAt.slice(0, 10)}`
  const isComplete = inputs.hidden.length === 0
  return {
    name: toName(linked, names),
    description: toDescription(work, spec),
    inputSchema: inputs.schema,
    ...(isComplete && { examples: [{ label, input: inputs.shown }] }),
    tests: [toTest(label, linked, replay)],
    spec,
  }
}

type DocumentTest = NonNullable<ToolDocument['tests']>[number]

/** Reads are made again; the results of effects are given, so that the test changes nothing. */
function toTest(
  label: string,
  { steps, inputs }: LinkedWork,
  { output, problem }: Replay,
): DocumentTest {
  const effects = steps.filter(({ step }) => step.effect !== 'read')
  const given = effects.map(({ step }) => {
    return [step.tool, withoutHidden(step.output).value ?? null] as const
  })
  const expect = problem === undefined ? { output: generalise(output) } : {}
  return {
    label,
    input: inputs.shown,
    expect,
    ...(given.length > 0 && { given: Object.fromEntries(given) }),
  }
}

const maxNamed = 8

function toDescription({ title }: RecordedWork, { steps }: CompositionSpec): string {
  const tools = steps.slice(0, maxNamed).map(({ tool }) => tool)
  const more = steps.length > maxNamed ? ` and ${steps.length - maxNamed} more steps` : ''
  return `Calls ${tools.join(', ')}${more}, as ${title} did. Describe its purpose and when to use it.`.slice(
    0,
    1000,
  )
}

/** Named for what it does last: `billing.refund` → `billing.refund-flow`. */
function toName({ steps }: LinkedWork, { isTaken, isReserved = () => false }: NameRules): string {
  const last = steps.findLast(({ step }) => step.effect !== 'read') ?? steps.at(-1)
  const words = (last?.step.tool ?? '')
    .split(/[.:/]/)
    .map((word) => toKey(word).replaceAll('_', '-').slice(0, 40))
  const own = words.length > 1 ? words.at(-2) : undefined
  const pack = own === undefined || isReserved(own) ? 'flows' : own
  const name = `${pack}.${words.at(-1) ?? 'record'}-flow`
  let free = name
  for (let count = 2; isTaken(free); count += 1) free = `${name}-${count}`
  return free
}
