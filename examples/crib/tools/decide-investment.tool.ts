import { defineComposition, z } from 'toolcrib'
import addNote from './add-note.tool.ts'
import roi from './roi.tool.ts'

/** A composition: figures, a person's decision, and a note of it. It waits for days if it has to. */
export default defineComposition({
  name: 'demo.decide-investment',
  title: 'Decide on an investment',
  description:
    'Have a person decide on an investment: works out its return, asks the person who called with the figures, and keeps a note of a yes. ' +
    'Use it when somebody must answer for the decision. For the figures alone call analysis.roi.',
  icon: 'gavel',
  effect: 'write',
  inputSchema: z.object({
    name: z.string().min(1).max(100).describe('The purpose of the investment'),
    initialCost: z.number().min(0).max(1e12).describe('Spent once, at the start'),
    yearlyBenefit: z.number().min(0).max(1e12).describe('Gained every year'),
  }),
  outputSchema: z.object({
    result: z.object({
      decision: z.string(),
      reason: z.string().nullable(),
      netPresentValue: z.number(),
    }),
  }),
  steps: [
    {
      id: 'figures',
      tool: roi,
      input: {
        initialCost: '{{input.initialCost}}',
        yearlyBenefit: '{{input.yearlyBenefit}}',
        yearlyRunningCost: 0,
      },
    },
    {
      id: 'ask',
      tool: 'flow.ask',
      input: {
        title: 'Invest {{input.initialCost}} in {{input.name}}?',
        text: '{{steps.figures.output.summary.verdict}} Net present value: **{{steps.figures.output.summary.netPresentValue}}**.',
        schema: {
          type: 'object',
          properties: {
            decision: { enum: ['invest', 'wait', 'drop'], title: 'Decision' },
            reason: { type: 'string', format: 'textarea', title: 'Reason' },
          },
          required: ['decision'],
        },
        expiresIn: '7d',
        remindEvery: '1d',
      },
    },
    {
      id: 'note',
      tool: addNote,
      when: { field: 'steps.ask.output.decision', operator: 'eq', value: 'invest' },
      input: { text: 'Decided to invest in {{input.name}}.', tags: ['decision'] },
    },
  ],
  output: {
    result: {
      decision: '{{steps.ask.output.decision}}',
      reason: '{{steps.ask.output.reason}}',
      netPresentValue: '{{steps.figures.output.summary.netPresentValue}}',
    },
  },
  sections: [{ key: 'result', label: 'Decision', type: 'summary' }],
  examples: [
    {
      label: 'Pays back in the third year',
      input: { name: 'a second label printer', initialCost: 100_000, yearlyBenefit: 40_000 },
    },
    {
      label: 'Never pays back',
      input: { name: 'a robot arm', initialCost: 40_000, yearlyBenefit: 500 },
    },
  ],
})
