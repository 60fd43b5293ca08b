import { ToolError } from '../../../core/kernel/errors.ts'
import {
  fieldsOf,
  freeValueOf,
  type InputField,
  itemOf,
  type SchemaPlace,
  typesOf,
} from './input-fields.ts'

/** Where in the input a flag writes, and the schema of that place. */
export interface FlagTarget extends SchemaPlace {
  path: readonly (string | number)[]
}

/** `dryRun` and `dry_run` are both `--dry-run` to people who type. */
export function toFlagName(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}

/** The name to show for a field: short, unless two fields would share it. */
export function flagNameOf(field: InputField, fields: readonly InputField[]): string {
  const name = toFlagName(field.key)
  const isShared = fields.some((other) => other !== field && toFlagName(other.key) === name)
  return isShared ? field.key : name
}

/**
 * The place in the input that a flag names: `amount`, `dry-run`, `nested.key`, `list.0.name`.
 * Keys that the schema does not declare are found only with `isFree`, where it lets them be.
 */
export function findFlagTarget(
  name: string,
  place: SchemaPlace,
  isFree: boolean,
): FlagTarget | undefined {
  if (typesOf(place).has('array')) {
    const [, digits, rest] = /^(\d{1,5})(?:\.(.+))?$/.exec(name) ?? []
    const item = digits === undefined ? undefined : itemOf(place, Number(digits))
    if (item !== undefined) return stepInto(Number(digits), { rest, item, isFree })
  }
  for (const { head, rest } of splitsOf(name)) {
    const item = findField(head, place) ?? (isFree ? freeField(head, place) : undefined)
    const target = item === undefined ? undefined : stepInto(item.key, { rest, item, isFree })
    if (target !== undefined) return target
  }
  return undefined
}

function stepInto(
  step: string | number,
  { rest, item, isFree }: { rest: string | undefined; item: SchemaPlace; isFree: boolean },
): FlagTarget | undefined {
  if (rest === undefined) return { path: [step], schema: item.schema, root: item.root }
  const deeper = findFlagTarget(rest, item, isFree)
  return deeper === undefined ? undefined : { ...deeper, path: [step, ...deeper.path] }
}

/** Longest head first: a key may hold a dot itself. */
function splitsOf(name: string): { head: string; rest: string | undefined }[] {
  const splits: { head: string; rest: string | undefined }[] = [{ head: name, rest: undefined }]
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    splits.push({ head: name.slice(0, dot), rest: name.slice(dot + 1) })
  }
  return splits.filter(({ rest }) => rest !== '')
}

function findField(name: string, place: SchemaPlace): InputField | undefined {
  const fields = fieldsOf(place)
  const exact = fields.find(({ key }) => key === name)
  if (exact !== undefined) return exact
  const near = fields.filter(({ key }) => toFlagName(key) === toFlagName(name))
  if (near.length > 1) {
    const keys = near.map(({ key }) => `--${key}`)
    throw new ToolError('invalid_request', `--${name} could be ${keys.join(' or ')}.`, {
      fix: 'Write its exact name.',
    })
  }
  return near[0]
}

function freeField(key: string, place: SchemaPlace): InputField | undefined {
  const free = freeValueOf(place)
  // A key of this name would replace the object's prototype instead of adding to it.
  if (free === undefined || key === '__proto__') return undefined
  return { ...free, key, isRequired: false }
}
