import { expect, test } from 'vitest'
import { runTool } from 'toolcrib/testing'
import fteImpact from './fte-impact.tool.ts'

const conditions = {
  workingHoursPerYear: 2000,
  absencePercent: 15,
  rampUpMonths: 6,
  redeploymentPercent: 80,
  uncertaintyPercent: 20,
}
const clerk = { role: 'Clerk', hoursSavedPerYear: 3400, yearlyCost: 60_000 }
const lead = { role: 'Team lead', hoursSavedPerYear: 425, yearlyCost: 90_000 }

test('two roles become positions and money, with a range', async () => {
  expect((await runTool(fteImpact, { roles: [clerk, lead], ...conditions })).output).toEqual({
    summary: {
      fteLow: 1.44,
      fteExpected: 1.8,
      fteHigh: 2.16,
      fteFirstYear: 1.35,
      costLow: 91_200,
      costExpected: 114_000,
      costHigh: 136_800,
      costFirstYear: 85_500,
      productiveHoursPerFte: 1700,
    },
    roles: [
      {
        role: 'Clerk',
        hoursSavedPerYear: 3400,
        fteGross: 2,
        fteLow: 1.28,
        fteExpected: 1.6,
        fteHigh: 1.92,
        costExpected: 96_000,
      },
      {
        role: 'Team lead',
        hoursSavedPerYear: 425,
        fteGross: 0.25,
        fteLow: 0.16,
        fteExpected: 0.2,
        fteHigh: 0.24,
        costExpected: 18_000,
      },
    ],
    chart: [
      { label: 'Clerk', low: 1.28, expected: 1.6, high: 1.92 },
      { label: 'Team lead', low: 0.16, expected: 0.2, high: 0.24 },
    ],
  })
})

test('with the usual conditions a position works 1,768 hours', async () => {
  const roles = [{ role: 'Support', hoursSavedPerYear: 5000 }]
  const { summary } = (await runTool(fteImpact, { roles })).output
  expect(summary).toEqual({
    fteLow: 1.48,
    fteExpected: 1.98,
    fteHigh: 2.47,
    fteFirstYear: 1.48,
    costLow: null,
    costExpected: null,
    costHigh: null,
    costFirstYear: null,
    productiveHoursPerFte: 1768,
  })
})

test('roles without a cost count as positions, not as money', async () => {
  const roles = [clerk, { ...lead, yearlyCost: null }]
  const output = (await runTool(fteImpact, { roles, ...conditions })).output
  expect([output.summary['fteExpected'], output.summary['costExpected']]).toEqual([1.8, 96_000])
  expect(output.roles.map(({ costExpected }) => costExpected)).toEqual([96_000, null])
})

test('many small roles do not drift through rounding', async () => {
  const roles = Array.from({ length: 50 }, (_, index) => ({
    role: `Role ${index}`,
    hoursSavedPerYear: 6.375,
    yearlyCost: null,
  }))
  const output = (await runTool(fteImpact, { roles, ...conditions })).output
  // 50 × 6.375 h / 1700 h × 0.8: each role alone rounds to 0.
  expect([output.roles[0]?.fteExpected, output.summary['fteExpected']]).toEqual([0, 0.15])
})

test('nothing saved and nothing redeployed are zeros', async () => {
  const none = { roles: [{ ...clerk, hoursSavedPerYear: 0 }], ...conditions }
  const kept = { roles: [clerk], ...conditions, redeploymentPercent: 0 }
  for (const input of [none, kept]) {
    const { summary } = (await runTool(fteImpact, input)).output
    expect(summary).toMatchObject({ fteLow: 0, fteExpected: 0, fteHigh: 0, costExpected: 0 })
  }
})

test('absence of everybody all year is refused', async () => {
  const input = { roles: [clerk], ...conditions, absencePercent: 100 }
  await expect(runTool(fteImpact, input)).rejects.toMatchObject({
    code: 'invalid_input',
    issues: [{ path: '/absencePercent' }],
  })
})
