import { ToolError } from '../errors.ts'

/** One answer for every link that does not work, whatever is wrong with it. */
export function linkIsOver(): ToolError {
  return new ToolError('sign_in_failed', 'This link is used, expired or was withdrawn', {
    fix: 'Ask whoever sent it for a fresh one.',
  })
}
