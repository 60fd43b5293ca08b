/** Schemas that mean harm, or were made by a machine that did not think of people. */
export const hostile: Record<string, () => unknown> = {
  'ten thousand properties': () => ({
    type: 'object',
    required: ['field0'],
    properties: Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`field${index}`, { type: 'string' }]),
    ),
  }),
  'ten thousand required properties': () => ({
    type: 'object',
    required: Array.from({ length: 10_000 }, (_, index) => `field${index}`),
    properties: Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`field${index}`, { type: 'string' }]),
    ),
  }),
  'an object two thousand deep': () => nested(2000),
  'an object a hundred thousand deep': () => nested(100_000),
  'allOf of itself': () => ({
    $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } },
    $ref: '#/$defs/a',
  }),
  'two references in a ring': () => ({
    $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
    type: 'object',
    properties: { x: { $ref: '#/$defs/a' } },
  }),
  'a required property that never ends': () => ({
    $defs: {
      node: { type: 'object', required: ['next'], properties: { next: { $ref: '#/$defs/node' } } },
    },
    $ref: '#/$defs/node',
  }),
  'a reference bomb': () => ({
    type: 'object',
    properties: { bomb: { $ref: '#/$defs/l0' } },
    $defs: Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `l${index}`,
        {
          type: 'object',
          required: ['a', 'b'],
          properties: {
            a: { $ref: `#/$defs/l${index + 1}` },
            b: { $ref: `#/$defs/l${index + 1}` },
          },
        },
      ]),
    ),
  }),
  'a reference bomb that must be filled in': () => ({
    $ref: '#/$defs/l0',
    $defs: Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `l${index}`,
        {
          type: 'object',
          required: ['a', 'b'],
          properties: {
            a: { $ref: `#/$defs/l${index + 1}` },
            b: { $ref: `#/$defs/l${index + 1}` },
          },
        },
      ]),
    ),
  }),
  'an enum of a megabyte': () => ({
    type: 'object',
    required: ['v'],
    properties: {
      v: { enum: Array.from({ length: 50_000 }, (_, index) => `value number ${index}`) },
    },
  }),
  'a pattern that never finishes': () => ({
    type: 'object',
    required: ['v'],
    properties: { v: { type: 'string', pattern: '^(a+)+$' } },
  }),
  'keywords of the wrong types': () => ({
    type: 12,
    required: 'name',
    properties: { a: null, b: 3, c: { enum: 'x', type: {} }, d: { items: 7, type: 'array' } },
    allOf: {},
    anyOf: 'no',
    if: 4,
  }),
  'names from prototypes': () =>
    JSON.parse(
      '{"type":"object","required":["__proto__"],"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"number"}}}',
    ),
  'right-to-left names': () => ({
    type: 'object',
    required: ['שם'],
    properties: {
      שם: { type: 'string', title: 'שם מלא', description: 'השם כפי שהוא מופיע בדרכון' },
      عنوان: {
        type: 'object',
        title: 'العنوان',
        required: ['مدينة'],
        properties: { مدينة: { type: 'string' } },
      },
      '<img src=x onerror=alert(1)>': { type: 'string' },
    },
  }),
}

function nested(depth: number): unknown {
  let schema: unknown = { type: 'string' }
  for (let level = 0; level < depth; level += 1) {
    schema = { type: 'object', required: ['a'], properties: { a: schema } }
  }
  return schema
}
