import { ToolError } from '../../../core/kernel/errors.ts'

/** For an archive that is not what was written. */
export function damagedBackup(message: string, cause?: unknown): ToolError {
  return new ToolError('data_damaged', message, {
    fix: 'Use another backup, and check it first: toolcrib backup verify FILE.',
    cause,
  })
}
