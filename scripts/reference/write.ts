import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { apiTypes } from '../api-types/api-types.mjs'
import { configTypes, configTypesFile } from './config-types.ts'
import { consoleEnums, consoleEnumsFile, consoleEventFiles } from './console-enums.ts'
import { iconFile, iconTable } from './icon-paths.ts'
import { commandRequests, commandRequestsFile } from './command-requests.ts'
import { referencePages } from './pages.ts'

// First: the pages describe commands, which need it.
await writeFile(commandRequestsFile, await commandRequests())

const folder = path.join(import.meta.dirname, '../../docs/reference')
await mkdir(folder, { recursive: true })
for (const [name, text] of Object.entries(await referencePages()))
  await writeFile(path.join(folder, name), text)

const api = path.join(import.meta.dirname, '../../console/src/api/schema.ts')
await writeFile(api, await apiTypes())

await writeFile(consoleEnumsFile, await consoleEnums())
for (const [file, write] of Object.entries(consoleEventFiles)) await writeFile(file, write())

await writeFile(iconFile, await iconTable())

await writeFile(configTypesFile, configTypes())
