/**
 * Rules that no provider shows to its models. The doors move them into the description, and
 * `checkPortability` reports them: both use this list, so they can't disagree.
 */
export const unseenKeywords: ReadonlySet<string> = new Set([
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'dependentRequired',
  'dependentSchemas',
  'minProperties',
  'maxProperties',
  'contains',
  'minContains',
  'maxContains',
  'uniqueItems',
  'not',
  'if',
  'then',
  'else',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
])

/** Unions and conditions on the object of all arguments, which most providers refuse. */
export const rootUnions: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  'allOf',
  'enum',
  'not',
  'if',
  'then',
  'else',
])
