import type { ServerProcess } from '../../../test/setup/server-process.ts'

const number = (title: string) => ({ type: 'number', minimum: 0, title })

/** A composition with lanes, a person in the middle and a condition, as an operator would make it. */
const document = {
  name: 'invest.decide',
  title: 'Decide on an investment',
  description:
    'Works out the figures of an investment, has a person decide, and keeps a note of a yes.',
  icon: 'gavel',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Purpose' },
      initialCost: number('Initial cost'),
      yearlyBenefit: number('Yearly benefit'),
    },
    required: ['name', 'initialCost', 'yearlyBenefit'],
  },
  spec: {
    kind: 'composition',
    steps: [
      {
        id: 'figures',
        tool: 'analysis.roi',
        input: {
          initialCost: '{{input.initialCost}}',
          yearlyBenefit: '{{input.yearlyBenefit}}',
          yearlyRunningCost: 0,
        },
      },
      { id: 'notes', tool: 'demo.list-notes', after: [], input: {} },
      {
        id: 'ask',
        tool: 'flow.ask',
        after: ['figures', 'notes'],
        input: {
          title: 'Invest {{input.initialCost}} in {{input.name}}?',
          schema: {
            type: 'object',
            properties: { decision: { enum: ['invest', 'wait', 'drop'], title: 'Decision' } },
            required: ['decision'],
          },
        },
      },
      {
        id: 'note',
        tool: 'demo.add-note',
        when: { field: 'steps.ask.output.decision', operator: 'eq', value: 'invest' },
        input: { text: 'Decided to invest in {{input.name}}.' },
      },
    ],
  },
}

/** Makes the draft unless it is there. */
export async function draftInvestment(server: ServerProcess): Promise<string> {
  await server.request('/api/v1/tools', { json: { document, publish: false } })
  return document.name
}
