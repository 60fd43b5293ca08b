import { z } from 'zod'
import { expect, test } from 'vitest'
import { defineTool } from '../../define-tool.ts'

const output = z.object({
  total: z.number(),
  report: z.object({ rows: z.array(z.object({ year: z.int(), net: z.number() })) }),
})

function toolWith(view: NonNullable<Parameters<typeof defineTool>[0]['view']>) {
  return defineTool({
    name: 'test.view',
    description: 'Shows how an output is drawn.',
    effect: 'read',
    inputSchema: z.object({}),
    outputSchema: output,
    view,
    execute: () => ({ total: 1, report: { rows: [] } }),
  })
}

test('a view is stored in the contract unchanged', () => {
  const view = {
    sections: [
      {
        path: '/report/rows',
        kind: 'table' as const,
        title: 'Rows',
        columns: [
          { key: 'year', format: 'year' as const },
          { key: 'net', format: 'currency' as const, currency: 'EUR' },
        ],
      },
    ],
    rest: 'hide' as const,
  }
  const tool = toolWith(view)
  expect(tool.contract.view).toEqual(view)
  expect(tool.warnings).toEqual([])
})

test('a path that the view names and the output lacks is a warning with its place', () => {
  const tool = toolWith({
    sections: [
      { path: 'sum' },
      { path: '/report/rows', chart: { x: 'year', series: [{ key: 'nett' }] } },
      { path: '/report/lines', columns: [{ key: 'year' }] },
      { path: '' },
    ],
  })
  expect(tool.warnings).toEqual([
    { path: '/view/sections/0/path', message: 'names sum, which is not in the output' },
    {
      path: '/view/sections/1/chart/series/0/key',
      message: 'names nett, which is not in /report/rows',
    },
    {
      path: '/view/sections/2/path',
      message: 'names /report/lines, which is not in the output',
    },
  ])
})

test('an unknown field is reported together with its section', () => {
  const sections = [{ path: 'total', colour: 'red' }] as never
  expect(() => toolWith({ sections })).toThrow(
    'Tool test.view: view.sections.0.colour is not a field of a view',
  )
})

test('fields of a section are keys beside it, and a lost one is a warning', () => {
  const sections = [
    { path: 'total', kind: 'code' as const, fields: { path: 'report', firstLine: 'first' } },
    { path: '/report/rows', kind: 'diff' as const, fields: { files: 'rows', truncated: 'cut' } },
  ]
  expect(toolWith({ sections }).warnings).toEqual([
    {
      path: '/view/sections/0/fields/firstLine',
      message: 'names first, which is not beside total',
    },
    {
      path: '/view/sections/1/fields/truncated',
      message: 'names cut, which is not beside /report/rows',
    },
  ])
})

test('a field that the kind of a section does not have is reported with those that it has', () => {
  const withFields = (kind: 'diff' | 'table' | undefined) => () =>
    toolWith({ sections: [{ path: 'total', ...(kind && { kind }), fields: { stderr: 'report' } }] })
  expect(withFields('diff')).toThrow(
    'view.sections.0.fields.stderr is not a field of a diff, which has files, truncated',
  )
  expect(withFields('table')).toThrow(
    'view.sections.0.fields.stderr belongs to code, terminal, diff or page, but this section is a table',
  )
})
