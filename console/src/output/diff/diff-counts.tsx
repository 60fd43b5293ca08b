import { formatNumber } from '../../ui/format/locale.ts'
import styles from './diff.module.css'

/** `+3 −1`, which screen readers hear in words. */
export function Counts({ added, removed }: { added: number; removed: number }) {
  return (
    <span className={styles.counts}>
      <span data-kind="added">
        +{formatNumber(added)}
        <span className="visually-hidden"> added</span>
      </span>
      <span data-kind="removed">
        −{formatNumber(removed)}
        <span className="visually-hidden"> removed</span>
      </span>
    </span>
  )
}
