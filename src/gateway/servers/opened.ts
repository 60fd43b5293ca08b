import type { Redactor } from '../../core/secrets/redact.ts'
import type { Upstream } from '../upstream/open-upstream.ts'

/** An open connection with what must not be shown of it. */
export interface Opened {
  upstream: Upstream
  redactor: Redactor
}
