import { useLiveState } from '../live/use-live.ts'
import styles from './shell.module.css'

/** Shown only while the stream is down: the screen may be out of date until the server is back. */
export function LiveMark() {
  const state = useLiveState()
  return (
    <output className={styles.live}>
      {state === 'reconnecting' && <span>Reconnecting…</span>}
    </output>
  )
}
