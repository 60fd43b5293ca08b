import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { referencePages } from './pages.ts'

const folder = path.join(import.meta.dirname, '../../docs/reference')
await mkdir(folder, { recursive: true })
for (const [name, text] of Object.entries(referencePages()))
  await writeFile(path.join(folder, name), text)
