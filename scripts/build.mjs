// npm run build: dist/ from src/, with types, by tsc, its modules joined.
import { fromProject } from './from-project.mjs'

fromProject(async () => {
  const { buildPackage } = await import('./build-package.mjs')
  return buildPackage()
})
