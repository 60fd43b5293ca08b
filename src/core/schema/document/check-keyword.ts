import { compilePattern } from './pattern.ts'
import { isRecord, jsonTypes } from '../../kernel/json/json-type.ts'

/** The problem with one keyword's value; undefined when it is valid or the keyword is unknown. */
export function checkKeyword(keyword: string, value: unknown): string | undefined {
  return Object.hasOwn(rules, keyword) ? rules[keyword]?.(value) : undefined
}

type Rule = (value: unknown) => string | undefined

const isString: Rule = (value) => (typeof value === 'string' ? undefined : 'must be a string')
const isNumber: Rule = (value) => (Number.isFinite(value) ? undefined : 'must be a number')
const isBoolean: Rule = (value) =>
  typeof value === 'boolean' ? undefined : 'must be true or false'
const isCount: Rule = (value) =>
  Number.isInteger(value) && Number(value) >= 0 ? undefined : 'must be a whole number, 0 or more'
const isNames: Rule = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? undefined
    : 'must be an array of strings'

const isType: Rule = (value) => {
  const types = Array.isArray(value) ? value : [value]
  const isKnown = types.every((type) => (jsonTypes as readonly unknown[]).includes(type))
  return isKnown && types.length > 0 ? undefined : `must be one or more of ${jsonTypes.join(', ')}`
}

const isPattern: Rule = (value) => {
  if (typeof value !== 'string') return 'must be a string'
  try {
    compilePattern(value)
    return undefined
  } catch (error) {
    return `can't be checked in linear time: ${(error as Error).message}. Use RE2 syntax (no lookaround, no backreferences); with zod, check such rules by .refine()`
  }
}

const rules: Readonly<Record<string, Rule>> = {
  type: isType,
  enum: (value) =>
    Array.isArray(value) && value.length > 0
      ? undefined
      : 'must be an array with at least one value',
  multipleOf: (value) =>
    Number.isFinite(value) && Number(value) > 0 ? undefined : 'must be a number above 0',
  maximum: isNumber,
  exclusiveMaximum: isNumber,
  minimum: isNumber,
  exclusiveMinimum: isNumber,
  maxLength: isCount,
  minLength: isCount,
  maxItems: isCount,
  minItems: isCount,
  maxContains: isCount,
  minContains: isCount,
  maxProperties: isCount,
  minProperties: isCount,
  uniqueItems: isBoolean,
  pattern: isPattern,
  patternProperties: (value) =>
    isRecord(value)
      ? Object.keys(value)
          .map(isPattern)
          .find((wrong) => wrong !== undefined)
      : 'must be an object',
  required: isNames,
  dependentRequired: (value) =>
    isRecord(value) && Object.values(value).every((names) => isNames(names) === undefined)
      ? undefined
      : 'must be an object of arrays of strings',
  format: isString,
  title: isString,
  description: isString,
  $anchor: isString,
  $comment: isString,
}
