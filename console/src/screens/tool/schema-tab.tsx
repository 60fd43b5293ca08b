import { SegmentedControl, Table } from '@mantine/core'
import { memo, useState } from 'react'
import type { Api } from '../../api/client.ts'
import { Code } from '../../ui/code.tsx'
import { Panel } from '../../ui/page.tsx'
import { Tag } from '../../ui/tag.tsx'
import { toSchemaRows } from './schema-rows.ts'
import type { SchemaRow } from './schema-rows.ts'
import { Portability } from './tool-notices.tsx'
import styles from './schema-tab.module.css'

/** The input and output schema of a tool, as a table or as JSON. */
export const SchemaTab = memo(function SchemaTab({ tool }: { tool: Api<'ToolDetail'> }) {
  return (
    <div className={styles.schemas}>
      <Portability findings={tool.portability} />
      <SchemaPanel title="Input" schema={tool.inputSchema} />
      {tool.outputSchema === undefined ? (
        <Panel title="Output">Any JSON. The tool does not declare an output schema.</Panel>
      ) : (
        <SchemaPanel title="Output" schema={tool.outputSchema} />
      )}
    </div>
  )
})

function SchemaPanel({ title, schema }: { title: string; schema: Api<'JsonSchema'> }) {
  const [view, setView] = useState('table')
  const rows = toSchemaRows(schema)
  return (
    <Panel
      title={title}
      isFlush
      actions={
        <SegmentedControl
          aria-label={`${title} as`}
          size="xs"
          data={[
            { value: 'table', label: 'Table' },
            { value: 'json', label: 'JSON' },
          ]}
          value={view}
          onChange={setView}
        />
      }
    >
      {view === 'json' || rows.length === 0 ? (
        <div className={styles.json}>
          <Code text={JSON.stringify(schema, null, 2)} label={`${title} schema`} />
        </div>
      ) : (
        <section
          className={styles.scroll}
          tabIndex={0}
          aria-label={`Fields of ${title.toLowerCase()}`}
        >
          <Table verticalSpacing={6} horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Field</Table.Th>
                <Table.Th>Type</Table.Th>
                <Table.Th>Description</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <FieldRow key={row.path} row={row} />
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </Panel>
  )
}

function FieldRow({ row }: { row: SchemaRow }) {
  return (
    <Table.Tr>
      <Table.Td className={styles.field}>
        <code style={{ paddingInlineStart: row.depth * 16 }} title={row.path}>
          {row.path.split('.').at(-1)}
        </code>
        {row.isRequired && <Tag>required</Tag>}
      </Table.Td>
      <Table.Td className={styles.type}>{row.type}</Table.Td>
      <Table.Td>
        <span dir="auto">{row.description}</span>
        {row.limits !== '' && <span className={styles.limits}>{row.limits}</span>}
      </Table.Td>
    </Table.Tr>
  )
}
