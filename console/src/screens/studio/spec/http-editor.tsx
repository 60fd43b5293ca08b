import { Select, Stack, TextInput } from '@mantine/core'
import { JsonText } from './json-text.tsx'
import { Pairs } from './pairs.tsx'
import { textOf, withMember } from './spec-draft.ts'
import type { SpecEditorProps } from './spec-draft.ts'
import styles from './spec.module.css'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const withoutBody = new Set(['GET', 'HEAD'])
const bodyTypes = [
  { value: 'json', label: 'JSON' },
  { value: 'form', label: 'Form' },
  { value: 'multipart', label: 'Form with files' },
  { value: 'text', label: 'Text' },
]

/** One request to a web service. */
export function HttpEditor({ spec, onChange }: SpecEditorProps) {
  const method = textOf(spec['method'])
  const set = (key: string) => (value: Parameters<typeof withMember>[2]) =>
    onChange(withMember(spec, key, value))
  return (
    <Stack gap="md">
      <div className={styles.request}>
        <Select
          label="Method"
          data={methods}
          value={method}
          allowDeselect={false}
          onChange={(next) => onChange({ ...spec, method: next ?? 'GET' })}
        />
        <TextInput
          label="Address"
          placeholder="https://api.example.com/orders/{{input.id}}"
          value={textOf(spec['url'])}
          onChange={({ currentTarget }) => onChange({ ...spec, url: currentTarget.value })}
        />
      </div>
      <Pairs label="Query" noun="parameter" value={spec['query']} onChange={set('query')} />
      <Pairs
        label="Headers"
        noun="header"
        description="Use secret:name to insert a secret, such as Bearer secret:orders_token"
        value={spec['headers']}
        onChange={set('headers')}
      />
      {!withoutBody.has(method) && (
        <>
          <Select
            label="Body is sent as"
            data={bodyTypes}
            value={textOf(spec['bodyType']) || 'json'}
            allowDeselect={false}
            maw={220}
            onChange={(type) =>
              set('bodyType')(type === 'json' || type === null ? undefined : type)
            }
          />
          <JsonText
            label="Body"
            description='JSON with references, such as { "id": "{{input.id}}" }'
            value={spec['body']}
            onChange={set('body')}
          />
        </>
      )}
      <JsonText
        label="Output"
        description='The part of the answer that is the output: a path in quotes such as "body.items", or JSON with references to body, status and headers. Empty: the whole body.'
        value={spec['pick']}
        onChange={set('pick')}
        minLines={1}
      />
    </Stack>
  )
}
