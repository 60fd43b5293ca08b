import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import { projectRoot } from '../project-root.mjs'

const note =
  '// Generated from docs/reference/openapi.json by `npm run reference`; edits are overwritten.\n'

/** The types of the HTTP API as the console imports them, from the committed OpenAPI document. */
export async function apiTypes() {
  const document = pathToFileURL(join(projectRoot, 'docs/reference/openapi.json'))
  const nodes = await openapiTypes(document, { alphabetize: false, defaultNonNullable: false })
  return note + astToString(nodes)
}
