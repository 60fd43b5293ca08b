import { useClipboard } from '@mantine/hooks'
import styles from './output-tab.module.css'

/** A link that shows this call's input and result to others who may see it. */
export function CopyLink({ tool, callId }: { tool: string; callId: string }) {
  const { copied, copy } = useClipboard()
  const address = new URL(`/tools/${encodeURIComponent(tool)}`, window.location.origin)
  address.searchParams.set('call', callId)
  return (
    <button type="button" className={styles.link} onClick={() => copy(address.href)}>
      {copied ? 'Link copied' : 'Copy link'}
    </button>
  )
}
