import { Skeleton } from '../ui/skeleton.tsx'
import { Loading } from '../ui/loading.tsx'
import page from '../ui/page.module.css'
import styles from './shell.module.css'

/** Before the person is known: the frame in its final place. */
export function FramePending() {
  return (
    <>
      <div className={styles.navbar}>
        <div className={styles.side}>
          <div className={styles.top}>
            <span className={styles.brand}>
              <img src="/assets/toolcrib.svg" width="20" height="20" alt="" />
              Toolcrib
            </span>
          </div>
        </div>
      </div>
      <div className={styles.header} />
      <div className={styles.main}>
        <ScreenPending />
      </div>
    </>
  )
}

/** A screen whose code is on its way. */
export function ScreenPending() {
  return (
    <div className={page.page}>
      <div className={page.head}>
        <div className={page.titles}>
          <Skeleton width={160} height={26} />
          <p className={page.description}>
            <Skeleton width={320} height={20} />
          </p>
        </div>
      </div>
      <Loading rows={6} height={52} />
    </div>
  )
}
