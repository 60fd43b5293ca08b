import { useLiveState } from '../live/use-live.ts'
import styles from './shell.module.css'

/** Said only when it is not so: what is on the screen may be old until the server is back. */
export function LiveMark() {
  const state = useLiveState()
  return (
    <output className={styles.live}>
      {state === 'reconnecting' && <span>Reconnecting…</span>}
    </output>
  )
}
