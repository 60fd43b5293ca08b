import { problemKinds } from '../problem.ts'
import { html, prose } from './html.ts'
import type { Html } from './html.ts'
import { curlExample, schemaTable } from './docs-schema.ts'
import type {
  OpenApiDocument,
  DescribedOperation,
  OperationAt,
  SchemaObject,
} from './openapi-view.ts'
import { operationsOf } from './openapi-view.ts'

/** The API as a page, generated from its description. */
export function docsPage(document: OpenApiDocument): Html {
  const operations = operationsOf(document)
  const parts = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  return html`<div class="docs">
    <nav class="toc" aria-label="On this page">
      ${parts.map(
        (part) =>
          html`<h2>${part.name}</h2>
            <ul>
              ${part.operations.map(
                ({ operation }) =>
                  html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
              )}
            </ul>`,
      )}
      <h2>Errors</h2>
      <ul>
        <li><a href="#errors">All codes</a></li>
      </ul>
    </nav>
    <div>
      <div class="head">
        <div>
          <h1>${document.info.title} API</h1>
          <p class="dim">
            Version ${document.info.version} · <a href="/openapi.json">openapi.json</a>
          </p>
        </div>
      </div>
      ${prose(document.info.description)}
      ${prose('Every request sends an API key: `Authorization: Bearer crib_…`. Make one with `toolcrib keys create`. Bodies are JSON. Lists answer `{ items, next? }`.')}
      ${parts.map(
        (part) =>
          html`<section class="part">
            <h2>${part.name}</h2>
            ${prose(part.description ?? '')}
            ${part.operations.map((at) => operationCard(document, at))}
          </section>`,
      )}
      ${errorsPart()}
    </div>
  </div>`
}

function operationCard(document: OpenApiDocument, at: OperationAt): Html {
  const { method, path, operation } = at
  const body = operation.requestBody?.content['application/json']?.schema
  return html`<article class="operation" id="${operation.operationId}">
    <h3>${operation.summary}</h3>
    <div class="address">
      <span class="badge method ${method}">${method}</span> <code>${path}</code>
    </div>
    ${operation.description !== undefined && prose(operation.description)}
    ${parametersTable(operation)}
    ${
      body !== undefined &&
      html`<h4>Body</h4>
        ${schemaTable(document, body)}`
    }
    <h4>Answers</h4>
    ${answersTable(document, operation)}
    <details>
      <summary>Example</summary>
      <pre><code>${curlExample(document, at)}</code></pre>
    </details>
  </article>`
}

function parametersTable({ parameters = [] }: DescribedOperation): Html {
  if (parameters.length === 0) return html``
  return html`<h4>Parameters</h4>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>In</th>
            <th>What it does</th>
          </tr>
        </thead>
        <tbody>
          ${parameters.map(
            (parameter) =>
              html`<tr>
                <td><code>${parameter.name}</code> ${parameter.required === true && required()}</td>
                <td>${parameter.in}</td>
                <td>${prose(parameter.description ?? choices(parameter.schema))}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

function choices(schema: SchemaObject | undefined): string {
  return schema?.enum === undefined
    ? ''
    : schema.enum.map((value) => `\`${String(value)}\``).join(', ')
}

function answersTable(document: OpenApiDocument, { responses }: DescribedOperation): Html {
  return html`<div class="scroll">
    <table>
      <tbody>
        ${Object.entries(responses).map(([status, { description, content }]) => {
          const schema = content?.['application/json']?.schema
          return html`<tr>
            <td><code>${status}</code></td>
            <td>
              ${prose(description)}
              ${
                schema !== undefined &&
                html`<details>
                  <summary>Fields</summary>
                  ${schemaTable(document, schema)}
                </details>`
              }
            </td>
          </tr>`
        })}
      </tbody>
    </table>
  </div>`
}

function errorsPart(): Html {
  return html`<section class="part" id="errors">
    <h2>Errors</h2>
    ${prose('Errors are `application/problem+json` with one of these codes, a sentence that describes what happened and, if there is one, a `fix`.')}
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Code</th>
            <th>Status</th>
            <th>Means</th>
          </tr>
        </thead>
        <tbody>
          ${Object.entries(problemKinds).map(
            ([code, { status, title }]) =>
              html`<tr id="error-${code}">
                <td><code>${code}</code></td>
                <td>${status}</td>
                <td>${title}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`
}

function required(): Html {
  return html`<span class="required">required</span>`
}
