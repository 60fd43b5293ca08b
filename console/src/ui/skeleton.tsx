import styles from './skeleton.module.css'

interface BoneProps {
  width?: number | string
  height?: number
}

/** A grey stand-in, of the size of what will be there. */
export function Skeleton({ width = '100%', height = 12 }: BoneProps) {
  return <span className={styles.bone} style={{ width, height }} />
}
