import { ToolError } from '../../core/kernel/errors.ts'
import { quotePath } from './workspace-path.ts'

/** A pattern that can't be used, with the reason. */
export function badGlob(pattern: string, fault: string): ToolError {
  return new ToolError('invalid_input', `The pattern ${quotePath(pattern)} ${fault}`, {
    fix: 'Use * ? [a-z] within a name, ** for any folders, and {a,b} for alternatives.',
  })
}
