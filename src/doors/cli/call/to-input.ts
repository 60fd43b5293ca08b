import { type Issue, ToolError } from '../../../core/kernel/errors.ts'
import { coerceText } from '../../../core/schema/coerce-text.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'
import { toStandalone, typesOf } from './input-fields.ts'
import type { FlagValue } from './parse-flags.ts'

type Container = { [key: string]: JsonValue } | JsonValue[]

/** The input from flags and `--input` together; flags override the input. */
export function toInput(given: JsonValue | undefined, flags: readonly FlagValue[]): JsonValue {
  const input: JsonValue = structuredClone(given) ?? {}
  if (flags.length === 0) return input
  if (typeof input !== 'object' || input === null) {
    throw new ToolError(
      'invalid_input',
      'Flags cannot be added to an input that is not an object.',
      {
        fix: 'Pass an object to --input, such as {"name":"value"}, or omit the flags.',
      },
    )
  }
  const issues: Issue[] = []
  for (const flag of flags.toSorted(byPath)) {
    const coerced = coerceText(toStandalone(flag), toRaw(flag))
    if (coerced.ok) place(input, flag, coerced.value)
    else issues.push(...coerced.issues.map((issue) => ({ ...issue, path: flag.flag + issue.path })))
  }
  if (issues.length === 0) return input
  throw new ToolError('invalid_input', 'Some values are invalid.', {
    issues,
    fix: 'See toolcrib call <tool> --help for the values of each flag.',
  })
}

/** For a list, one text that looks like a list is JSON; otherwise each flag is an item. */
function toRaw({ raws, ...place }: FlagValue): string | string[] | boolean {
  const [first = ''] = raws
  if (raws.length === 1 && typeof first === 'boolean') return first
  const texts = raws.map(String)
  const isJsonList = texts.length === 1 && texts[0]?.trimStart().startsWith('[') === true
  return typesOf(place).has('array') && !isJsonList ? texts : String(first)
}

/** Items of a list are set in order, so that each finds the one before it in place. */
function byPath(a: FlagValue, b: FlagValue): number {
  for (const [index, step] of a.path.entries()) {
    const other = b.path[index]
    if (other === undefined) return 1
    if (step === other) continue
    if (typeof step === 'number' && typeof other === 'number') return step - other
    return String(step) < String(other) ? -1 : 1
  }
  return a.path.length - b.path.length
}

function place(input: Container, { path, flag }: FlagValue, value: JsonValue): void {
  let container = input
  for (const [index, step] of path.entries()) {
    if (Array.isArray(container) && typeof step === 'number' && step > container.length) {
      throw new ToolError(
        'invalid_input',
        `${flag} leaves a hole: item ${container.length} is missing.`,
        {
          fix: 'Number the items from 0 without gaps.',
        },
      )
    }
    if (index === path.length - 1) {
      write(container, step, value)
      return
    }
    const known = read(container, step)
    const next: Container =
      typeof known === 'object' && known !== null
        ? known
        : typeof path[index + 1] === 'number'
          ? []
          : {}
    if (next !== known) write(container, step, next)
    container = next
  }
}

function read(container: Container, step: string | number): JsonValue | undefined {
  return Object.hasOwn(container, step) ? Reflect.get(container, step) : undefined
}

function write(container: Container, step: string | number, value: JsonValue): void {
  Object.defineProperty(container, step, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}
