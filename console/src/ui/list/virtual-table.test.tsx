import { MantineProvider } from '@mantine/core'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { VirtualTable } from './virtual-table.tsx'
import type { Column } from './virtual-table.tsx'

interface Row {
  id: string
}

const columns: readonly Column<Row>[] = [
  { key: 'id', title: 'Id', width: '1fr', render: ({ id }) => id },
]
const toRows = (count: number, before = 'row'): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${before} ${index}` }))

interface Opened {
  id: string
  isElsewhere: boolean
}

function table(rows: readonly Row[], opened: Opened[] = [], asked: number[] = []) {
  return (
    <MantineProvider>
      <VirtualTable
        label="Rows"
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        height={400}
        hasMore
        onMore={() => asked.push(rows.length)}
        onOpen={({ id }, { isElsewhere }) => opened.push({ id, isElsewhere })}
      />
    </MantineProvider>
  )
}

test('of ten thousand rows only those in sight are drawn', async () => {
  const asked: number[] = []
  const screen = await render(table(toRows(10_000), [], asked))
  await expect.element(screen.getByText('row 0', { exact: true })).toBeVisible()
  expect(screen.container.querySelectorAll('[role=row]').length).toBeLessThan(60)
  expect(asked).toEqual([])
  screen
    .getByRole('grid')
    .element()
    .scrollTo({ top: 10_000 * 40 })
  await expect.element(screen.getByText('row 9999')).toBeVisible()
  expect(screen.container.querySelectorAll('[role=row]').length).toBeLessThan(60)
  // Near the end the next page is asked for, once.
  expect(asked).toEqual([10_000])
})

test('the keyboard alone goes to the last row and opens it', async () => {
  const opened: Opened[] = []
  const screen = await render(table(toRows(5000), opened))
  const grid = screen.getByRole('grid')
  grid.element().focus()
  await userEvent.keyboard('{End}')
  await expect.element(screen.getByText('row 4999')).toBeVisible()
  await userEvent.keyboard('{ArrowUp}{Enter}')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(opened).toEqual([
    { id: 'row 4998', isElsewhere: false },
    { id: 'row 4998', isElsewhere: true },
  ])
})

test('rows that come above leave the chosen one chosen', async () => {
  const opened: Opened[] = []
  const screen = await render(table(toRows(100), opened))
  screen.getByRole('grid').element().focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await screen.rerender(table([...toRows(3, 'new'), ...toRows(100)], opened))
  await userEvent.keyboard('{Enter}')
  expect(opened).toEqual([{ id: 'row 1', isElsewhere: false }])
})
