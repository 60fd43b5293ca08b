import { z } from 'zod'
import { describe, expect, test } from 'vitest'
import { defineTool } from '../define-tool.ts'
import type { FormSpec } from '../kernel/views/form-spec.ts'

const schema = {
  type: 'object',
  required: ['customer', 'secret'],
  properties: {
    customer: { $ref: '#/$defs/customer' },
    tasks: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    'with.dots': { type: 'string' },
    secret: { type: 'string' },
    tenant: { type: 'string', default: 'acme' },
    target: {
      anyOf: [
        { type: 'object', properties: { url: { type: 'string' } } },
        { type: 'object', properties: { email: { type: 'string' } } },
      ],
    },
  },
  $defs: {
    customer: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, parent: { $ref: '#/$defs/customer' } },
    },
  },
} as const

function issuesOf(form: unknown): unknown {
  try {
    defineTool({
      name: 'demo.form',
      description: 'Has a form.',
      effect: 'read',
      inputSchema: schema,
      form: form as FormSpec,
      execute: () => null,
    })
    return []
  } catch (error) {
    return (error as { issues: unknown }).issues
  }
}

describe('the form of a definition', () => {
  test('may name every place of the input, through references, lists, maps and alternatives', () => {
    const paths = [
      'customer',
      'customer.name',
      'customer.parent.parent.name',
      'tasks',
      'tasks[]',
      'tasks[].name',
      'labels.*',
      'with.dots',
      'target.url',
      'target.email',
    ]
    const fields = Object.fromEntries(paths.map((path) => [path, { label: 'A label' }]))
    expect(issuesOf({ fields, order: ['secret', 'tasks'] })).toEqual([])
  })

  test('is refused if it names something the input does not have, with a list of valid names', () => {
    expect(
      issuesOf({
        order: ['custmer'],
        groups: [
          { label: 'One', fields: ['tasks', 'secret'] },
          { label: 'Two', fields: ['tasks'] },
        ],
        fields: { 'tasks[].nam': { label: 'Name' } },
      }),
    ).toEqual([
      {
        path: '/form/order/0',
        message:
          'names custmer, which the input does not have; it has customer, tasks, labels, with.dots, secret, tenant, target',
      },
      { path: '/form/groups/1/fields/0', message: 'names tasks, which is already in a group' },
      {
        path: '/form/fields/tasks[].nam',
        message: 'is not in the input: there is no nam; it has name',
      },
    ])
  })

  test('is refused if it hides a required field; a field with a default may be hidden', () => {
    expect(issuesOf({ fields: { secret: { hidden: true }, tenant: { hidden: true } } })).toEqual([
      {
        path: '/form/fields/secret/hidden',
        message: 'hides a required field; give it a default, or make it optional',
      },
    ])
  })

  test('is refused with unknown keys', () => {
    expect(issuesOf({ fields: { secret: { lable: 'x', widget: 'wheel' } }, ordr: [] })).toEqual([
      {
        path: '/form/fields/secret/widget',
        message:
          'must be one of "text", "textarea", "secret", "file", "select", "segmented", "switch", "slider", "list", "json"',
      },
      { path: '/form/fields/secret/lable', message: 'is not a field of a form' },
      { path: '/form/ordr', message: 'is not a field of a form' },
    ])
  })

  test('of a tool that takes any object is accepted as it is', () => {
    const tool = defineTool({
      name: 'demo.open',
      description: 'Takes anything.',
      effect: 'read',
      inputSchema: z.looseObject({}),
      form: { order: ['whatever'] },
      execute: () => null,
    })
    expect(tool.contract.form).toEqual({ order: ['whatever'] })
  })
})
