import { ToolError } from '../../../core/kernel/errors.ts'

/** Loads an optional package. Most installations do not have it. */
export async function loadPackage(name: string, driver: string): Promise<unknown> {
  try {
    return await import(name)
  } catch (error) {
    throw new ToolError('sandbox_unavailable', `The ${driver} driver needs the package ${name}`, {
      fix: `Install it beside toolcrib: npm install ${name}`,
      cause: error,
    })
  }
}
