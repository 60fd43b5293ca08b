import { html, prose } from './html.ts'
import type { Html } from './html.ts'
import { fieldsOf, resolve } from './openapi-view.ts'
import type { OpenApiDocument, OperationAt, SchemaObject } from './openapi-view.ts'

/** Deeper than this a field is named by its type alone, which has fields of its own elsewhere. */
const maxDepth = 2

/** The fields of a schema as a table; fields that hold fields open in place. */
export function schemaTable(document: OpenApiDocument, schema: SchemaObject, depth = 0): Html {
  const fields = fieldsOf(document, schema)
  if (fields.length === 0) return html`<p>${typeName(document, schema)}</p>`
  return html`<div class="scroll">
    <table>
      <tbody>
        ${fields.map(
          ({ name, field, isRequired }) =>
            html`<tr>
              <td>
                <code>${name}</code> ${isRequired && html`<span class="required">required</span>`}
              </td>
              <td>${typeName(document, field)}</td>
              <td>${fieldText(document, field, depth)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function fieldText(document: OpenApiDocument, field: SchemaObject, depth: number): Html {
  const { description = ownWords(field), enum: values } = resolve(document, field)
  const inner = resolve(document, field).items ?? field
  const isOpen = depth < maxDepth && fieldsOf(document, inner).length > 0
  return html`${prose(description ?? '')}
  ${values !== undefined && prose(values.map((value) => `\`${String(value)}\``).join(', '))}
  ${
    isOpen &&
    html`<details>
      <summary>Fields</summary>
      ${schemaTable(document, inner, depth + 1)}
    </details>`
  }`
}

/** A reference with words of its own is written as two parts, the words last. */
function ownWords({ allOf }: SchemaObject): string | undefined {
  return allOf?.find((part) => part.description !== undefined)?.description
}

function typeName(document: OpenApiDocument, schema: SchemaObject): string {
  const resolved = resolve(document, schema)
  if (resolved.type === 'array') return `list of ${typeName(document, resolved.items ?? {})}`
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'any'
  if (resolved.type === undefined) {
    return resolved.allOf?.[0] === undefined ? 'any' : typeName(document, resolved.allOf[0])
  }
  const name = [resolved.type].flat().join(' or ')
  return resolved.format === undefined ? name : `${name} (${resolved.format})`
}

/** How to ask from a shell. */
export function curlExample(
  document: OpenApiDocument,
  { method, path, operation }: OperationAt,
): string {
  const address = path.replaceAll('{name}', 'web.fetch').replaceAll('{id}', 'call_…')
  const lines = [`curl "$TOOLCRIB_URL${address}"`]
  if (method !== 'get') lines.push(`-X ${method.toUpperCase()}`)
  if (path.startsWith('/api/')) lines.push('-H "Authorization: Bearer $TOOLCRIB_KEY"')
  const body = operation.requestBody?.content['application/json']?.schema
  if (body !== undefined) {
    lines.push(
      `-H 'content-type: application/json'`,
      `-d '${JSON.stringify(sample(document, body))}'`,
    )
  }
  return lines.join(' \\\n  ')
}

function sample(document: OpenApiDocument, schema: SchemaObject): unknown {
  const resolved = resolve(document, schema)
  if (resolved.example !== undefined) return resolved.example
  if (resolved.enum !== undefined) return resolved.enum[0]
  const fields = fieldsOf(document, schema)
  const shown = fields.filter(({ isRequired, name }) => isRequired || name === 'input')
  if (fields.length > 0) {
    return Object.fromEntries(shown.map(({ name, field }) => [name, sample(document, field)]))
  }
  if (resolved.type === 'array') return [sample(document, resolved.items ?? {})]
  if (resolved.type === 'string') return '…'
  return resolved.type === 'integer' || resolved.type === 'number' ? 1 : {}
}
